import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  MenuItem,
  TextField,
} from '@mui/material';
import { ListChecks, Trash2 } from 'lucide-react';
import {
  useDataProvider,
  useListContext,
  useNotify,
  useRefresh,
  useResourceContext,
} from 'react-admin';
import { takesPasswords } from '../../api-client/passwords.js';
import { type Item, WARNING } from '../api/data-provider.js';
import { useExplainWarning } from '../form/use-notify-stored.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { useTexts } from '../translations/i18n.js';
import { explainAny } from '../components/problems.js';
import { attributeLabel, codeLabel } from '../components/value.js';
import { useRights } from '../session/app-context.js';
import { AssignTasks } from './assign-tasks.js';
import { BulkInvite } from './bulk-invite.js';

/** What one may do with the selected rows. */
export function useBulkActions(): ReactElement[] {
  const texts = useTexts();
  const rights = useRights();
  const { selectedIds } = useListContext();
  const resource = useResourceContext()!;
  const { attributes } = descriptionOf(resource);
  // The attributes to change in bulk: a status, or whether an object is active.
  const state = attributes.find(
    ({ name, writable }) => writable && (name === 'status' || name === 'active'),
  );
  const actions = [
    resource === 'users' && takesPasswords && rights.permits('users:invite') && (
      <BulkInvite key="invite" ids={selectedIds as string[]} label={texts('invite')} />
    ),
    state && rights.writes(resource, 'change', state.name) && (
      <BulkState key="state" attribute={state} />
    ),
    resource === 'tasks' && rights.assignsTasks && (
      <AssignTasks key="assign" ids={selectedIds as string[]} />
    ),
    rights.permitsAny(resource, 'delete') && <BulkDelete key="delete" />,
  ];
  return actions.filter((action) => typeof action === 'object');
}

/** The actions on all selected rows. */
export const BulkActions = () => useBulkActions();

/** The failures by the labels of the rows. */
interface Outcome {
  done: number;
  /** How many rows were not reached, because the person stopped. */
  rest: number;
  failed: { label: string; reason: ReactNode }[];
  /** What the server warns of in rows that were changed. */
  warnings: string[];
}

/**
 * Applies an action row by row until the person stops it. Failed rows stay selected, with an explanation, as do rows
 * that were not reached.
 */
function useForEach(act: (id: string) => Promise<{ data?: Item }>) {
  const texts = useTexts();
  const explainWarning = useExplainWarning();
  const refresh = useRefresh();
  const notify = useNotify();
  const { data, selectedIds, onSelect } = useListContext<Item>();
  const [progress, setProgress] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const isStopped = useRef(false);
  const run = async (): Promise<boolean> => {
    isStopped.current = false;
    setOutcome(undefined);
    const left: string[] = [];
    const result: Outcome = { done: 0, rest: 0, failed: [], warnings: [] };
    for (const [at, id] of selectedIds.entries()) {
      // The present row is still completed.
      if (isStopped.current) {
        result.rest = selectedIds.length - at;
        left.push(...selectedIds.slice(at));
        break;
      }
      setProgress((100 * at) / selectedIds.length);
      try {
        const { data: changed } = await act(id);
        const warning = changed?.[WARNING];
        if (typeof warning === 'string') result.warnings.push(explainWarning(warning, changed!));
        result.done++;
      } catch (error) {
        const label = data?.find((one) => one.id === id)?.label as string | undefined;
        result.failed.push({ label: label ?? id, reason: explainAny(error, texts) });
        left.push(id);
      }
    }
    setProgress(undefined);
    setOutcome(result);
    onSelect(left);
    refresh();
    const isComplete = left.length === 0;
    // With a warning, the dialog stays to show it.
    if (isComplete && result.warnings.length > 0) return false;
    if (isComplete) notify(texts('bulk.done', { smart_count: result.done }), { type: 'success' });
    return isComplete;
  };
  const stop = () => (isStopped.current = true);
  return {
    run,
    stop,
    progress,
    outcome,
    forget: () => setOutcome(undefined),
    selectedIds,
  };
}

function CloseButton({
  isRunning,
  hasEnded,
  onClick,
}: {
  isRunning: boolean;
  hasEnded: boolean;
  onClick: () => void;
}) {
  const texts = useTexts();
  if (isRunning) return <Button onClick={onClick}>{texts('import.stop')}</Button>;
  return <Button onClick={onClick}>{texts(hasEnded ? 'close' : 'cancel')}</Button>;
}

function Outcomes({ outcome }: { outcome: Outcome | undefined }) {
  const texts = useTexts();
  if (!outcome || outcome.failed.length + outcome.rest + outcome.warnings.length === 0) return null;
  const isFault = outcome.failed.length + outcome.rest > 0;
  return (
    <Alert severity={isFault ? 'error' : 'warning'} sx={{ mt: 2, alignItems: 'flex-start' }}>
      {outcome.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {outcome.rest > 0 && (
        <p>{texts('bulk.stopped', { done: outcome.done, smart_count: outcome.rest })}</p>
      )}
      {outcome.failed.length > 0 &&
        texts('bulk.failed', { done: outcome.done, smart_count: outcome.failed.length })}
      <ul>
        {outcome.failed.map(({ label, reason }) => (
          <li key={label}>
            <strong>{label}</strong>: {reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function BulkDelete() {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const dataProvider = useDataProvider();
  const [isOpen, setOpen] = useState(false);
  const { run, stop, progress, outcome, forget, selectedIds } = useForEach((id) =>
    dataProvider.delete<Item>(resource, { id }),
  );
  const end = () => {
    setOpen(false);
    forget();
  };
  const close = progress === undefined ? end : stop;
  return (
    <>
      <Button
        color="error"
        startIcon={<Trash2 size={17} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts('delete')}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby="bulk-delete">
        <DialogTitle id="bulk-delete">
          {texts('bulk.delete', { smart_count: selectedIds.length })}
        </DialogTitle>
        <DialogContent>
          {outcome ? <Outcomes outcome={outcome} /> : texts('delete.sure')}
          {progress !== undefined && (
            <LinearProgress variant="determinate" value={progress} aria-label={texts('loading')} />
          )}
        </DialogContent>
        <DialogActions>
          <CloseButton isRunning={progress !== undefined} hasEnded={!!outcome} onClick={close} />
          {!outcome && (
            <Button
              color="error"
              variant="contained"
              disabled={progress !== undefined}
              onClick={() => void run().then((isComplete) => isComplete && end())}
            >
              {texts('delete')}
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}

function BulkState({ attribute }: { attribute: Attribute }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const dataProvider = useDataProvider();
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const choices: [value: string | number | boolean, label: string][] =
    attribute.type === 'boolean'
      ? [
          [true, texts('yes')],
          [false, texts('no')],
        ]
      : attribute.codes.map((one) => [one, codeLabel(resource, attribute.name, one, texts)]);
  const { run, stop, progress, outcome, forget, selectedIds } = useForEach((id) => {
    const [value] = choices.find(([one]) => String(one) === code)!;
    return dataProvider.update<Item>(resource, {
      id,
      data: { [attribute.name]: value },
      previousData: {},
    });
  });
  const end = () => {
    setOpen(false);
    forget();
  };
  const close = progress === undefined ? end : stop;
  const label = attributeLabel(attribute.name, texts);
  return (
    <>
      <Button startIcon={<ListChecks size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {texts('bulk.set', { attribute: label })}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="xs" aria-labelledby="bulk-state">
        <DialogTitle id="bulk-state">
          {texts('bulk.change', { smart_count: selectedIds.length })}
        </DialogTitle>
        <DialogContent>
          <TextField
            select
            fullWidth
            label={label}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            sx={{ mt: 1 }}
          >
            {choices.map(([value, text]) => (
              <MenuItem key={String(value)} value={String(value)}>
                {text}
              </MenuItem>
            ))}
          </TextField>
          {progress !== undefined && (
            <LinearProgress variant="determinate" value={progress} aria-label={texts('loading')} />
          )}
          <Outcomes outcome={outcome} />
        </DialogContent>
        <DialogActions>
          <CloseButton isRunning={progress !== undefined} hasEnded={!!outcome} onClick={close} />
          <Button
            variant="contained"
            disabled={code === '' || progress !== undefined}
            onClick={() => void run().then((isComplete) => isComplete && end())}
          >
            {texts('apply')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
