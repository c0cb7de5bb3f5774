import { Alert } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { get } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { useDates } from '../components/value.js';
import type { Result } from './delivery.js';
import { useDescribedAttempt } from './delivery-row.js';
import { useTexts } from '../translations/i18n.js';

/** An endpoint with deliveries that have failed or are about to fail, or whose last attempt failed. */
interface EndpointAlert {
  endpoint: Ref;
  failed: number;
  waiting: number;
  oldestWaitingDate: string | null;
  attemptsUsed: number;
  lastError: Result | null;
}

/** Percentage of used attempts from which on the banner shows an error instead of a warning. */
const GRAVE = 90;

/** How often the page polls, in milliseconds, so that an outage shows within a minute. */
const INTERVAL = 30_000;

/** A banner for each failing endpoint, with a link to its page. */
export function EndpointAlerts() {
  const texts = useTexts();
  const { data } = useQuery({
    queryKey: ['endpoint-alerts'],
    queryFn: ({ signal }) =>
      get<EndpointAlert[]>('/api/v2/process/endpoint-alerts?range=0-500', signal),
    refetchInterval: INTERVAL,
  });
  return data?.map((alert) => (
    <Alert
      key={alert.endpoint.id}
      severity={isGrave(alert) ? 'error' : 'warning'}
      role="status"
      sx={{ mb: 1.5 }}
    >
      <Link to={`/endpoints/${alert.endpoint.id}`}>
        {texts('alerts.endpoint', { name: alert.endpoint.label })}
      </Link>
      <Troubles alert={alert} />
    </Alert>
  ));
}

const isGrave = ({ failed, lastError, attemptsUsed }: EndpointAlert): boolean =>
  failed > 0 || lastError !== null || attemptsUsed >= GRAVE;

function Troubles({ alert }: { alert: EndpointAlert }) {
  const texts = useTexts();
  const showDate = useDates();
  const describe = useDescribedAttempt();
  const { failed, waiting, oldestWaitingDate, attemptsUsed, lastError } = alert;
  return (
    <>
      {lastError && (
        <div>
          {texts('endpoint.failing', {
            date: showDate(lastError.attemptDate),
            reason: describe(lastError),
          })}
        </div>
      )}
      {failed > 0 && <div>{texts('endpoint.failed', { smart_count: failed })}</div>}
      {waiting > 0 && (
        <div>
          {texts('endpoint.waiting', { smart_count: waiting, date: showDate(oldestWaitingDate) })}
        </div>
      )}
      {attemptsUsed > 0 && <div>{texts('alerts.attempts', { percent: attemptsUsed })}</div>}
    </>
  );
}
