import { useState } from 'react';
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { UserPlus } from 'lucide-react';
import { useListContext, useNotify, useRefresh } from 'react-admin';
import { send } from '../../api-client/api.js';
import type { BulkResult } from '../../api-client/types.js';
import { filterParameters, type Filters } from '../api/data-provider.js';
import { explainAny, explainFaults } from '../components/problems.js';
import { NewOwnerChoice } from '../leavers/handover.js';
import { useTexts } from '../translations/i18n.js';

/** Most tasks of one call (docs/api-contract.md#several-tasks-at-once). */
const MOST = 1_000;

interface Outcome {
  done: number;
  refused: BulkResult[];
}

/**
 * Assigns open tasks to a person or a group, or gives them back.
 * @param ids the selected tasks; without them, those that the filters of the list match
 */
export function AssignTasks({ ids }: { ids?: string[] }) {
  const texts = useTexts();
  const notify = useNotify();
  const refresh = useRefresh();
  const { onUnselectItems, ...list } = useListContext();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [outcome, setOutcome] = useState<Outcome>();
  const close = () => {
    setOpen(false);
    setTo(undefined);
    setProblem(undefined);
    setOutcome(undefined);
  };
  const assign = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const chosen = ids ? { tasks: ids } : choiceOf(list.filterValues as Filters);
      const body = { action: 'assign', to, ...chosen };
      const answer = await send('/api/v2/process/tasks/bulk', { method: 'POST', body });
      const results = (await answer.json()) as BulkResult[];
      const refused = results.filter(({ result }) => result === 'refused');
      const done = results.length - refused.length;
      refresh();
      if (ids) onUnselectItems();
      if (refused.length > 0) return setOutcome({ done, refused });
      // The server says that it did not take all tasks.
      const isPart = answer.headers.has('X-Warning');
      notify(texts(isPart ? 'assign.part' : 'assign.done', { smart_count: done }), {
        type: isPart ? 'warning' : 'success',
      });
      close();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button startIcon={<UserPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {texts(ids ? 'assign' : 'assign.all')}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby="assign">
        <DialogTitle id="assign">
          {ids ? texts('assign.title', { smart_count: ids.length }) : texts('assign.title.all')}
        </DialogTitle>
        <DialogContent>
          <DialogContentText>
            {texts(ids ? 'assign.text' : 'assign.text.all', { most: MOST })}
          </DialogContentText>
          {!outcome && <NewOwnerChoice onChange={setTo} />}
          {problem !== undefined && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {explainAny(problem, texts)}
            </Alert>
          )}
          {outcome && <Refused outcome={outcome} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{texts(outcome ? 'close' : 'cancel')}</Button>
          {!outcome && (
            <Button
              variant="contained"
              disabled={to === undefined || isBusy}
              onClick={() => void assign()}
            >
              {texts('assign.do')}
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}

/** The filters of the list; all open tasks without any. */
function choiceOf(filters: Filters) {
  const { filters: chosen, filterMode } = filterParameters(filters);
  return chosen && chosen.length > 0
    ? { filters: chosen, filterMode }
    : { filters: ['status:eq:open'] };
}

/** The tasks that stay as they are, each with the reason. */
function Refused({ outcome: { done, refused } }: { outcome: Outcome }) {
  const texts = useTexts();
  return (
    <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
      {texts('assign.refused', { done, smart_count: refused.length })}
      <ul>
        {refused.map(({ task, name, reason, message, parameters }) => (
          <li key={name}>
            <strong>{task?.label ?? name}</strong>:{' '}
            {explainFaults([{ code: reason ?? '', message: message ?? '', parameters }], texts)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
