import autocannon from 'autocannon';
import { median } from 'simple-statistics';

/** The requests of one connection, sent one after another. */
export type Requests = autocannon.Request[];

/** The result of one run of load. */
export interface Run {
  /** Answers per second. */
  rate: number;
  /** Median duration in milliseconds. */
  p50: number;
  p99: number;
}

/** The length of a run, and the number of pairs of runs to compare. */
export interface Rounds {
  seconds: number;
  pairs: number;
}

export const CONNECTIONS = 16;

/** GET requests with a token. */
export const gets = (paths: string[], token: string): Requests =>
  paths.map((path) => ({ method: 'GET', path, headers: { 'X-AUTHENTICATION-KEY': token } }));

/**
 * Loads a server over keep-alive connections.
 * @param amount number of requests; without it the run takes `seconds`
 * @param spread whether each connection begins with another request: writers of the same object wait for each other
 * @throws Error when an answer is not a success
 */
export async function load(
  port: number,
  requests: Requests,
  {
    seconds = 3,
    amount,
    connections = CONNECTIONS,
    spread = false,
  }: {
    seconds?: number;
    amount?: number;
    connections?: number | undefined;
    spread?: boolean;
  } = {},
): Promise<Run & { total: number }> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests,
    ...(spread && {
      setupClient: (client: autocannon.Client) => client.setRequests(rotated(requests)),
    }),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} answers are no success`);
  return {
    total: result.requests.total,
    rate: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** The requests in their order, from a random one on. */
function rotated(requests: Requests): Requests {
  const first = Math.floor(Math.random() * requests.length);
  return [...requests.slice(first), ...requests.slice(0, first)];
}

/** Two subjects measured alternately, so that other load slows both equally. */
export interface Comparison {
  ours: Run;
  other: Run;
  /** The ratio of our rate to the other's, for each pair. */
  ratios: number[];
}

/** Runs both subjects once to warm up plans, caches and compiled code, then in pairs. */
export async function compareAlternately(
  subjects: { ours: () => Promise<Run>; other: () => Promise<Run> },
  pairs: number,
): Promise<Comparison> {
  await subjects.ours();
  await subjects.other();
  const ours: Run[] = [];
  const other: Run[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    ours.push(await subjects.ours());
    other.push(await subjects.other());
  }
  return {
    ours: medianRun(ours),
    other: medianRun(other),
    ratios: ours.map(({ rate }, pair) => rate / other[pair]!.rate),
  };
}

const medianRun = (runs: Run[]): Run => ({
  rate: median(runs.map(({ rate }) => rate)),
  p50: median(runs.map(({ p50 }) => p50)),
  p99: median(runs.map(({ p99 }) => p99)),
});
