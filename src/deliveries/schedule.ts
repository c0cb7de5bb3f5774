/** The waits after failed attempts, in seconds: those of Standard Webhooks 1.0.0. */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Attempts after which a delivery has failed. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** Share by which a wait varies, so that what failed together is not repeated together. */
const JITTER = 0.1;

/** Longest wait that a receiver may ask for, in seconds. */
const MAX_RETRY_AFTER = 86_400;

/**
 * How long a delivery waits after an attempt that failed, in seconds; undefined after the last one.
 * @param attempts those made so far, at least one
 */
export function waitAfter(attempts: number, random = Math.random()): number | undefined {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? undefined : wait * (1 + JITTER * (2 * random - 1));
}

/** Failures in a row after which an endpoint gets one attempt at a time. */
export const FAILURES_OF_SLOW = 5;

/** How long an endpoint that fails again and again is left alone, in seconds; undefined while it may be tried. */
export function pauseAfter(failures: number): number | undefined {
  if (failures < FAILURES_OF_SLOW) return undefined;
  return Math.min(300, 5 * 2 ** (failures - FAILURES_OF_SLOW));
}

/**
 * The wait that a receiver asks for by Retry-After, in seconds (RFC 9110 section 10.2.3).
 * @param value seconds or a date; anything else is ignored
 */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER) : undefined;
}
