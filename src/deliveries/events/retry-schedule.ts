/** The waits after failed attempts, in seconds: those of Standard Webhooks 1.0.0. */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Number of attempts after which a delivery has failed. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** Jitter of a wait, so that deliveries which failed together are not repeated together. */
const JITTER = 0.1;

/** Longest wait that a receiver may request, in seconds. */
const MAX_RETRY_AFTER = 86_400;

/**
 * How long a delivery waits after an attempt that failed, in seconds; undefined after the last one.
 * @param attempts those made so far, at least one
 */
export function waitAfter(attempts: number, random = Math.random()): number | undefined {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? undefined : wait * (1 + JITTER * (2 * random - 1));
}

/** Consecutive failures after which an endpoint gets one attempt at a time. */
export const FAILURES_OF_SLOW = 5;

/** How long the server pauses attempts at an endpoint that keeps failing, in seconds; undefined for no pause. */
export function pauseAfter(failures: number): number | undefined {
  if (failures < FAILURES_OF_SLOW) return undefined;
  return Math.min(300, 5 * 2 ** (failures - FAILURES_OF_SLOW));
}

/**
 * The wait that a receiver requests by Retry-After, in seconds (RFC 9110 section 10.2.3).
 * @param value seconds or a date; other texts are ignored
 */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER) : undefined;
}
