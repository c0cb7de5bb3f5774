import type { Ref } from '../../api-client/types.js';
import type { TextKey } from '../translations/en.js';
import type { Attempt, Delivery, EndpointFacts } from './delivery.js';

/** A sentence of the answer: its text and its values; those named in `dates` are timestamps. */
export interface Reason {
  text: TextKey;
  dates?: { date: string };
  values?: Record<string, string>;
}

/** The facts that decide whether a task has an event for an endpoint. */
export interface TaskFacts {
  application: Ref | null;
  source: Ref | null;
  modificationDate: string;
}

/**
 * Why the changes of a task have not arrived, the most general reason first.
 * @param deliveries those of the task for the endpoint, newest first
 * @param describe describes an attempt
 */
export function whyNot(
  endpoint: EndpointFacts,
  task: TaskFacts,
  deliveries: Delivery[],
  describe: (attempt: Attempt | undefined) => string,
  now = Date.now(),
): Reason[] {
  const [newest] = deliveries;
  if (!newest) return [whyNone(endpoint, task)];
  if (newest.status === 'delivered') return [whatArrived(newest)];
  const reason = describe(newest.log.at(-1));
  const general = whyAll(endpoint, now);
  if (newest.status === 'failed') return [{ text: 'why.failed', values: { reason } }];
  const date = newest.nextAttemptDate ?? newest.creationDate;
  if (newest.status === 'leased')
    return [{ text: 'why.leased', dates: { date }, values: { worker: newest.worker ?? '' } }];
  if (newest.attempts > 0)
    return [...general, { text: 'why.retry', dates: { date }, values: { reason } }];
  const earlier = deliveries.slice(1).findLast(({ status }) => status === 'waiting');
  if (earlier && earlier.attempts > 0)
    return [...general, { text: 'why.held', values: { reason: describe(earlier.log.at(-1)) } }];
  return [...general, { text: 'why.waiting' }];
}

/** The beginning of a delivery's log when an engine has refused its decision, and when nothing was sent. */
const REFUSED = 'refused: ';
const SKIPPED = 'not sent: ';

function whatArrived({ log, completionDate, creationDate }: Delivery): Reason {
  const last = log.at(-1);
  const dates = { date: completionDate ?? last?.attemptDate ?? creationDate };
  const said = last?.message ?? '';
  if (said.startsWith(REFUSED))
    return { text: 'why.refused', dates, values: { reason: said.slice(REFUSED.length) } };
  return { text: said.startsWith(SKIPPED) ? 'why.skipped' : 'why.delivered', dates };
}

/** The reasons that hold all events of an endpoint. */
function whyAll({ state, status, blockedUntil }: EndpointFacts, now: number): Reason[] {
  if (status === 'paused') return [{ text: 'why.paused' }];
  if (state === 'no-secret') return [{ text: 'why.secret' }];
  if (blockedUntil !== null && Date.parse(blockedUntil) > now)
    return [{ text: 'why.blocked', dates: { date: blockedUntil } }];
  return [];
}

function whyNone(endpoint: EndpointFacts, task: TaskFacts): Reason {
  const { applications, source, kinds, creationDate } = endpoint;
  const isWanted =
    applications.length === 0 || applications.some(({ id }) => id === task.application?.id);
  if (!isWanted) return { text: 'why.application' };
  if (source !== null && source.id !== task.source?.id) return { text: 'why.source' };
  if (task.modificationDate < creationDate) return { text: 'why.before' };
  if (endpoint.adapter !== null) return { text: 'why.adapter' };
  if (kinds.length > 0) return { text: 'why.kinds', values: { kinds: kinds.join(', ') } };
  return { text: 'why.nothing' };
}
