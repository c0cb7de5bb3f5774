import { ApiProblem, BASE } from '../../api-client/api.js';
import { readEvents, type ServerEvent } from '../../api-client/event-stream.js';

/** The streamed numbers of a person (docs/api-contract.md#live-counters). */
export interface LiveCounters {
  waiting: number;
  overdue: number;
  /** By URI of the application; null where a number cannot be counted. */
  applications: Record<string, number | null>;
  /**
   * The numbers of the saved filters by URI, and the full set of the stream to which they belong: another set may have
   * other filters.
   */
  filters: { set: string; counts: Record<string, number | null> };
}

/** What a message carries. */
interface Message {
  user?: string;
  waiting?: number;
  overdue?: number;
  applications?: Record<string, number | null>;
  filters?: Record<string, number | null>;
}

/** The messages between the tabs of one person. */
type Say = 'ask' | 'lost' | 'unreachable' | LiveCounters;

/** How long a tab waits for an answer of the tab with the stream, in milliseconds. */
const ANSWER_TIME = 2_000;

/** Wait before another stream, in milliseconds, which doubles with each failure in a row. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 60_000;

/** The subscription of a tab to the counters of a person. */
export interface Following {
  /** Checks that the numbers are live, because the tab with the stream may have been frozen. */
  check: () => void;
  stop: () => void;
}

/**
 * Follows the counters of a person. The tabs of a browser share one stream: the tab that holds the lock has it, and
 * passes the numbers on. The names of lock and channel contain the person, so that a tab never gets another person's
 * numbers.
 * @param user URI of the person of this page
 * @param show called with the numbers, and with undefined when they are no longer live
 * @param onUnreachable called when a stream cannot be opened because no answer comes, so that the page can report it
 */
export function followCounters(
  user: string,
  show: (counters: LiveCounters | undefined) => void,
  onUnreachable: () => void,
): Following {
  const name = `counters ${BASE} ${user}`;
  // Without locks, each tab would have a stream, and a browser has few connections. The page then keeps polling.
  if (!isSecureContext) return { check: () => undefined, stop: () => undefined };
  const controller = new AbortController();
  const { signal } = controller;
  const tabs = new BroadcastChannel(name);
  const say = (what: Say): void => tabs.postMessage(what);
  let counters: LiveCounters | undefined;
  let isLeading = false;
  let unanswered: ReturnType<typeof setTimeout> | undefined;
  const set = (next: LiveCounters | undefined): void => {
    counters = next;
    if (!signal.aborted) show(next);
  };
  const lead = async (): Promise<void> => {
    isLeading = true;
    clearTimeout(unanswered);
    const share = (next: LiveCounters | undefined): void => {
      set(next);
      if (!signal.aborted) say(next ?? 'lost');
    };
    await stream(user, signal, share, () => {
      onUnreachable();
      say('unreachable');
    });
    isLeading = false;
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<Say>) => {
    if (data === 'ask') {
      if (isLeading && counters) say(counters);
    } else if (data === 'unreachable') onUnreachable();
    else if (!isLeading) {
      clearTimeout(unanswered);
      set(data === 'lost' ? undefined : data);
    }
  });
  const check = (): void => {
    if (isLeading) return;
    clearTimeout(unanswered);
    unanswered = setTimeout(() => set(undefined), ANSWER_TIME);
    say('ask');
  };
  // The tab waits for the lock while another tab holds it.
  navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  check();
  return {
    check,
    stop: () => {
      controller.abort();
      clearTimeout(unanswered);
      tabs.close();
    },
  };
}

/** Keeps a stream open until the signal aborts or the session ends. */
async function stream(
  user: string,
  signal: AbortSignal,
  show: (counters: LiveCounters | undefined) => void,
  onUnreachable: () => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let wait = FIRST_WAIT;
    try {
      for await (const event of readCounters(user, signal, show)) {
        failures = 0;
        wait = isOfSession(event) ? LONGEST_WAIT : (event.retry ?? wait);
      }
    } catch (error) {
      if (signal.aborted) return;
      show(undefined);
      if (error instanceof ApiProblem && isFinal(error)) return;
      if (error instanceof ApiProblem && error.status === 0) onUnreachable();
      if (error instanceof ApiProblem) wait = Math.max(wait, error.retryAfter * 1_000);
    }
    show(undefined);
    // The random part spreads the reconnections of clients whose streams end together.
    await pause(Math.min(LONGEST_WAIT, wait * 2 ** failures++) * (0.5 + Math.random()), signal);
  }
}

/**
 * Whether a stream ended because of the session. Another stream would bring up the sign-in page while the person types.
 * Instead, the next call of the page does so, as without streams.
 */
function isOfSession({ event, data }: ServerEvent): boolean {
  if (event !== 'end') return false;
  const { reason } = data as { reason: string };
  return reason !== 'stopping' && reason !== 'expired';
}

/** Whether another stream would fail too: the session has ended, or the server has no streams. */
const isFinal = ({ status }: ApiProblem): boolean => status === 401 || status === 404;

async function* readCounters(
  user: string,
  signal: AbortSignal,
  show: (counters: LiveCounters) => void,
): AsyncGenerator<ServerEvent> {
  let counters: LiveCounters | undefined;
  for await (const event of readEvents('/navigation/workplace/events', signal)) {
    const { user: owner, waiting, overdue, applications, filters } = event.data as Message;
    if (event.event === 'counters') {
      // Another person has signed in, whose page is about to replace this one.
      if (owner !== user) return;
      counters = {
        waiting: waiting!,
        overdue: overdue!,
        applications: applications!,
        filters: { set: crypto.randomUUID(), counts: filters! },
      };
    } else if (event.event === 'changes' && counters) {
      counters = {
        waiting: waiting ?? counters.waiting,
        overdue: overdue ?? counters.overdue,
        applications: { ...counters.applications, ...applications },
        filters: { ...counters.filters, counts: { ...counters.filters.counts, ...filters } },
      };
    }
    if (event.event !== 'end' && counters) show(counters);
    yield event;
  }
}

const pause = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
