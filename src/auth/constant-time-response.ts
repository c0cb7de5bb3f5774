import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../base/errors/api-errors.js';

/** A 401 leaves at a multiple of this time after the request arrived, in milliseconds. */
const STEP = 250;

/**
 * Delays a 401 to the end of a fixed time step, so that its timing reveals neither whether the login exists
 * nor whether its account is locked. The timer starts before the work: a timer that starts after it would
 * add the duration of the work.
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
