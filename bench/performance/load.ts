import autocannon from 'autocannon';

/** What one connection after the other asks for, in turn. */
export type Requests = autocannon.Request[];

/** One run of load. */
export interface Run {
  /** Answers a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export const CONNECTIONS = 16;

/**
 * Loads a server over connections that are kept, 16 unless told otherwise.
 * @param amount of requests; without it `seconds` count
 * @throws Error when an answer is no success
 */
export async function load(
  port: number,
  requests: Requests,
  {
    seconds = 3,
    amount,
    connections = CONNECTIONS,
  }: { seconds?: number; amount?: number; connections?: number } = {},
): Promise<Run> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} answers are no success`);
  return {
    rate: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Two subjects measured by turns, so that a busy machine slows both alike. */
export interface Comparison {
  ours: Run;
  other: Run;
  /** Ours by the other's, pair by pair. */
  ratios: number[];
}

/** @param subjects each answers the run of one turn */
export async function compareByTurns(
  subjects: { ours: () => Promise<Run>; other: () => Promise<Run> },
  pairs: number,
): Promise<Comparison> {
  // Warm: plans, caches and compiled code.
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

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
