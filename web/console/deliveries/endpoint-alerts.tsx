import { Alert } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { get } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { useDates } from '../components/value.js';
import { useTexts } from '../translations/i18n.js';

/** An endpoint with deliveries that have failed or are about to. */
interface EndpointAlert {
  endpoint: Ref;
  failed: number;
  waiting: number;
  oldestWaitingDate: string | null;
  attemptsUsed: number;
}

/** Percentage of the attempts from which on a warning is an error. */
const GRAVE = 90;

/** A banner for each endpoint that does not work, with a link to its page; nothing while all work. */
export function EndpointAlerts() {
  const texts = useTexts();
  const { data } = useQuery({
    queryKey: ['endpoint-alerts'],
    queryFn: ({ signal }) => get<EndpointAlert[]>('/api/v2/process/endpoint-alerts', signal),
  });
  return data?.map((alert) => (
    <Alert
      key={alert.endpoint.id}
      severity={alert.failed > 0 || alert.attemptsUsed >= GRAVE ? 'error' : 'warning'}
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

function Troubles({ alert }: { alert: EndpointAlert }) {
  const texts = useTexts();
  const showDate = useDates();
  const { failed, waiting, oldestWaitingDate, attemptsUsed } = alert;
  return (
    <>
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
