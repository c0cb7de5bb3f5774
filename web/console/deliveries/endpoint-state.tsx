import { useState } from 'react';
import { Alert, Button, Stack } from '@mui/material';
import { KeyRound, RotateCw, Send } from 'lucide-react';
import { get, query, send } from '../../api-client/api.js';
import { OneTimeSecret } from '../account/one-time-secret.js';
import type { Item } from '../api/data-provider.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { useDates } from '../components/value.js';
import { Credentials } from './credentials.js';
import { deliveriesOf, type Delivery, type Result } from './delivery.js';
import { useDescribedAttempt } from './delivery-row.js';
import { useRights } from '../session/app-context.js';
import { type Texts, useTexts } from '../translations/i18n.js';

/** The state of an endpoint, with buttons for a test event and a new secret. */
export function EndpointState({ endpoint }: { endpoint: Item }) {
  return endpoint.mode === 'pull' ? <OfPull endpoint={endpoint} /> : <State endpoint={endpoint} />;
}

/** The server keeps no such date for a pull endpoint, so the page shows that of the newest completed event. */
function OfPull({ endpoint }: { endpoint: Item }) {
  const filters = ['status:eq:delivered'];
  const path = `${deliveriesOf(endpoint.id)}${query({ range: '0-1', sorter: '-id', filters })}`;
  const { data, isPending } = useApiPage<Delivery>(path);
  if (isPending) return null;
  const lastSuccessDate = data?.items[0]?.completionDate ?? null;
  return <State endpoint={{ ...endpoint, lastSuccessDate }} />;
}

function State({ endpoint }: { endpoint: Item }) {
  const texts = useTexts();
  const showDate = useDates();
  const describe = useDescribedAttempt();
  const mayChange = useRights().permits('endpoints:change');
  const [severity, lines] = stateOf(endpoint, { texts, showDate, describe });
  return (
    <Alert severity={severity} sx={{ mb: 2.5 }} data-state={severity}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {mayChange && (
        <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', mt: 1 }}>
          {endpoint.lastError !== null &&
            endpoint.status === 'active' &&
            Number(endpoint.waitingCount) > 0 && <TryNow endpoint={endpoint} />}
          <TestEvent path={`/api/v2/process/endpoints/${endpoint.id}/test`} />
          {endpoint.adapter !== null && (
            <Credentials path={`/api/v2/process/endpoints/${endpoint.id}/credentials`} />
          )}
          {endpoint.mode === 'push' && endpoint.adapter === null && (
            <NewSecret path={`/api/v2/process/endpoints/${endpoint.id}/secrets`} />
          )}
        </Stack>
      )}
    </Alert>
  );
}

interface Words {
  texts: Texts;
  showDate: (timestamp: unknown) => string;
  describe: (result: Result) => string;
}

function stateOf(
  endpoint: Item,
  { texts, showDate, describe }: Words,
): ['error' | 'warning' | 'success' | 'info', string[]] {
  const { status, state, adapter, blockedUntil, failedCount, waitingCount, lastSuccessDate } =
    endpoint;
  const lastError = endpoint.lastError as Result | null;
  const isBlocked = typeof blockedUntil === 'string' && Date.parse(blockedUntil) > Date.now();
  const errors = [
    ...(state === 'no-secret'
      ? [texts(adapter === null ? 'endpoint.secret.missing' : 'endpoint.credentials.missing')]
      : []),
    ...(lastError === null
      ? []
      : [
          texts('endpoint.failing', {
            date: showDate(lastError.attemptDate),
            reason: describe(lastError),
          }),
        ]),
    ...(isBlocked ? [texts('endpoint.blocked', { date: showDate(blockedUntil) })] : []),
    ...(Number(failedCount) > 0
      ? [texts('endpoint.failed', { smart_count: Number(failedCount) })]
      : []),
  ];
  const waiting =
    Number(waitingCount) > 0
      ? [
          texts('endpoint.waiting', {
            smart_count: Number(waitingCount),
            date: showDate(endpoint.oldestWaitingDate),
          }),
        ]
      : [];
  if (errors.length > 0) return ['error', [...errors, ...waiting]];
  if (status === 'paused') return ['warning', [texts('endpoint.paused'), ...waiting]];
  const unused = endpoint.mode === 'pull' ? 'endpoint.unfetched' : 'endpoint.unused';
  if (lastSuccessDate === null) return ['info', [texts(unused), ...waiting]];
  return ['success', [texts('endpoint.fine', { date: showDate(lastSuccessDate) }), ...waiting]];
}

/** How often the page polls for the result of an attempt, and the pause between (milliseconds). */
const LOOKS = 10;
const LOOK_WAIT = 500;

/** Starts an attempt, and polls for its result. */
function TryNow({ endpoint }: { endpoint: Item }) {
  const texts = useTexts();
  const act = useAction();
  const [isTrying, setTrying] = useState(false);
  const path = `/api/v2/process/endpoints/${endpoint.id}`;
  const lastError = async () =>
    JSON.stringify((await get<{ lastError: Result | null }>(path)).lastError);
  const retry = async () => {
    setTrying(true);
    await act(async () => {
      const before = await lastError();
      await send(`${path}/retry`, { method: 'POST' });
      for (let look = 0; look < LOOKS && (await lastError()) === before; look++)
        await new Promise((resolve) => setTimeout(resolve, LOOK_WAIT));
    }, texts('endpoint.retried'));
    setTrying(false);
  };
  return (
    <Button
      color="inherit"
      size="small"
      startIcon={<RotateCw size={16} aria-hidden />}
      disabled={isTrying}
      onClick={() => void retry()}
    >
      {texts('endpoint.retry')}
    </Button>
  );
}

function TestEvent({ path }: { path: string }) {
  const texts = useTexts();
  const act = useAction();
  return (
    <Button
      color="inherit"
      size="small"
      startIcon={<Send size={16} aria-hidden />}
      onClick={() => void act(() => send(path, { method: 'POST' }), texts('endpoint.tested'))}
    >
      {texts('endpoint.test')}
    </Button>
  );
}

function NewSecret({ path }: { path: string }) {
  const texts = useTexts();
  const act = useAction();
  const [secret, setSecret] = useState<string>();
  const make = () =>
    act(async () => {
      const answer = await send(path, { method: 'POST', body: {} });
      setSecret(((await answer.json()) as { secret: string }).secret);
    });
  return (
    <>
      <Button
        color="inherit"
        size="small"
        startIcon={<KeyRound size={16} aria-hidden />}
        onClick={() => void make()}
      >
        {texts('endpoint.secret')}
      </Button>
      <OneTimeSecret
        icon={KeyRound}
        title={texts('endpoint.secret.title')}
        text={texts('endpoint.secret.once')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  );
}
