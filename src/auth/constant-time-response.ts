import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../errors/api-errors.js';

/** Refused credentials are answered at multiples of this time after they came, in milliseconds. */
const STEP = 250;

/**
 * Answers refused credentials (401) at the end of a fixed step of time, so that it does not tell
 * what was wrong with them: whether there is such a login, or whether its account is locked. The
 * timer runs from the start, since one set later would carry the time of the work.
 */
export async function padResponseTime<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const step = new Promise<void>((done) => (timer = setTimeout(done, STEP).unref()));
  try {
    const result = await work();
    clearTimeout(timer);
    return result;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      const late = performance.now() - started - STEP;
      await step;
      if (late > 0) await delay(STEP - (late % STEP));
    }
    throw error;
  }
}
