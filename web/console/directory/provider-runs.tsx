import { useState } from 'react';
import {
  Alert,
  Box,
  Button,
  Chip,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { ClipboardList, RefreshCw } from 'lucide-react';
import { get, query, send } from '../../api-client/api.js';
import type { ProviderRun, ProviderRunDetailed } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { ExpandableRow, RowHead, Rows } from '../components/rows.js';
import { codeLabel, Status, useDates } from '../components/value.js';
import { RefLink } from '../form/fact.js';
import { Pending, Section } from '../layout/page.js';
import { type Texts, useTexts } from '../translations/i18n.js';

/** How many runs the page shows at first, and adds each time. */
const STEP = 10;

/** How many changes of a run the page shows at first, and adds each time. */
const CHANGES_STEP = 100;

type Counts = NonNullable<ProviderRun['counts']>;

/** What a run has changed or left out. */
const COUNTS = [
  ...(['created', 'updated', 'deactivated', 'deleted', 'archived', 'skipped'] as const),
  ...(['groupsCreated', 'groupsUpdated', 'groupsReleased'] as const),
  ...(['membersAdded', 'membersRemoved'] as const),
];

/** Starts runs of an LDAP directory, and shows what the last ones did (docs/ldap.md#runs). */
export function ProviderRuns({ provider, mayChange }: { provider: Item; mayChange: boolean }) {
  const texts = useTexts();
  const act = useAction();
  const [count, setCount] = useState(STEP);
  const [open, setOpen] = useState<string>();
  const path = `/api/v2/directory/providers/${provider.id}`;
  const runs = `${path}/runs${query({ range: `0-${count}`, sorter: '-id' })}`;
  const { data, error, refetch } = useApiPage<ProviderRun>(
    runs,
    ({ state }) => state === 'running',
  );
  const isBusy = data?.items.some(({ state }) => state === 'running') === true;
  const start = (dryRun: boolean, withoutBrake = false) =>
    void act(async () => {
      const body = { dryRun, withoutBrake };
      const answer = await send(`${path}/synchronizations`, { method: 'POST', body });
      setOpen(((await answer.json()) as ProviderRun).id);
    });
  const { data: last } = useApiPage<ProviderRun>(
    `${path}/runs${query({ range: '0-1', sorter: '-id', filters: 'dryRun:eq:false' })}`,
    ({ state }) => state === 'running',
  );
  const braked = last?.items.find(({ brake }) => brake);
  return (
    <Section
      title={texts('runs.title')}
      lead={mayChange && texts('runs.lead')}
      actions={
        mayChange && (
          <>
            <Button
              variant="outlined"
              disabled={isBusy}
              startIcon={<ClipboardList size={17} aria-hidden />}
              onClick={() => start(true)}
            >
              {texts('runs.dry-run')}
            </Button>
            <Button
              variant="outlined"
              disabled={isBusy}
              startIcon={<RefreshCw size={17} aria-hidden />}
              onClick={() => start(false)}
            >
              {texts('runs.synchronize')}
            </Button>
          </>
        )
      }
    >
      {mayChange && !isBusy && braked && (
        <WithoutBrake error={braked.error} start={(dryRun) => start(dryRun, true)} />
      )}
      {data ? (
        <>
          <Rows>
            {data.items.map((run) => (
              <RunRow
                key={run.id}
                path={`${path}/runs/${run.id}`}
                run={run}
                isOpen={open === run.id}
                onToggle={() => setOpen(open === run.id ? undefined : run.id)}
              />
            ))}
          </Rows>
          {data.items.length === 0 && <p>{texts('runs.none')}</p>}
          {data.hasNext && (
            <Button onClick={() => setCount(count + STEP)}>{texts('runs.more')}</Button>
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

/** Goes on where the brake has held, by a dry run first or at once. */
function WithoutBrake({
  error,
  start,
}: {
  error: string | null;
  start: (dryRun: boolean) => void;
}) {
  const texts = useTexts();
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const go = (dryRun: boolean) => {
    close();
    start(dryRun);
  };
  return (
    <>
      <Button color="error" onClick={() => setAsking(true)}>
        {texts('runs.without-brake')}
      </Button>
      {isAsking && (
        <Dialog open onClose={close} maxWidth="sm" fullWidth aria-labelledby="without-brake">
          <DialogTitle id="without-brake">{texts('runs.without-brake')}</DialogTitle>
          <DialogContent>
            <DialogContentText sx={{ mb: 2 }}>{texts('runs.without-brake.lead')}</DialogContentText>
            <Typography lang="en" sx={{ overflowWrap: 'anywhere' }}>
              {error}
            </Typography>
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>{texts('cancel')}</Button>
            <Button onClick={() => go(true)}>{texts('runs.dry-run')}</Button>
            <Button variant="contained" color="error" onClick={() => go(false)}>
              {texts('runs.synchronize')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

function RunRow({
  path,
  run,
  isOpen,
  onToggle,
}: {
  path: string;
  run: ProviderRun;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const texts = useTexts();
  const showDate = useDates();
  const { state, startDate, dryRun, full, read, brake, error, counts } = run;
  const date = showDate(startDate);
  return (
    <ExpandableRow
      label={texts('runs.show', { date })}
      isOpen={isOpen}
      onToggle={onToggle}
      details={state !== 'running' && <Changes path={path} />}
    >
      <RowHead>
        <Status
          kind={`provider-runs.state.${state}`}
          label={codeLabel('provider-runs', 'state', state, texts)}
        />
        <span>{date}</span>
        {dryRun && <Chip size="small" label={texts('attribute.dryRun')} />}
        {!full && <Chip size="small" label={texts('runs.incremental')} />}
      </RowHead>
      <Typography variant="body2" color="textSecondary" role="status">
        {[texts('runs.read', { read }), ...(counts ? said(counts, texts) : [])].join(' · ')}
      </Typography>
      {error !== null && (
        <Alert severity={brake ? 'warning' : 'error'} sx={{ my: 1, overflowWrap: 'anywhere' }}>
          {brake && <div>{texts('runs.brake')}</div>}
          <span lang="en">{error}</span>
        </Alert>
      )}
    </ExpandableRow>
  );
}

/** The numbers of a run that are not zero. */
function said(counts: Counts, texts: Texts): string[] {
  const found = COUNTS.filter((name) => counts[name] > 0);
  if (found.length === 0) return [texts('runs.unchanged')];
  return found.map((name) => texts(`runs.count.${name}`, { count: counts[name] }));
}

const ACTIONS = ['create', 'update', 'deactivate', 'delete', 'archive', 'skip'] as const;

function actionLabel(action: string, texts: Texts): string {
  const known = ACTIONS.find((one) => one === action);
  return known ? texts(`runs.action.${known}`) : action;
}

/** The changes of a dry run, or what a run has left out, each with its reason. */
function Changes({ path }: { path: string }) {
  const texts = useTexts();
  const [shown, setShown] = useState(CHANGES_STEP);
  const { data, error, refetch } = useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => get<ProviderRunDetailed>(path, signal),
  });
  if (!data) return <Pending error={error} onRetry={() => void refetch()} />;
  const { changes, dryRun } = data;
  if (changes.length === 0)
    return (
      <Typography variant="body2">
        {texts(dryRun ? 'runs.no-changes' : 'runs.no-skipped')}
      </Typography>
    );
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={texts('runs.changes')}>
        <TableHead>
          <TableRow>
            <TableCell>{texts('runs.change')}</TableCell>
            <TableCell>{texts('runs.of')}</TableCell>
            <TableCell>{texts('runs.reason')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {changes.slice(0, shown).map(({ action, name, reason }, at) => (
            <TableRow key={at}>
              <TableCell>{actionLabel(action, texts)}</TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                {/* A group whose members change is named by its URI. */}
                <RefLink to={{ uri: name, label: name }} />
              </TableCell>
              <TableCell lang="en" sx={{ overflowWrap: 'anywhere' }}>
                {reason}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {changes.length > shown && (
        <Button onClick={() => setShown(shown + CHANGES_STEP)}>{texts('runs.more-changes')}</Button>
      )}
    </Box>
  );
}
