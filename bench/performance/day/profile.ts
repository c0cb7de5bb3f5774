import { setTimeout as delay } from 'node:timers/promises';

/** The shares of a working day from seven to seven, by half-hours, in percent. */
export const PROFILES = {
  /** Calls: a forenoon, a lunch dip, an afternoon, an evening. */
  calls: [
    0.5, 1.5, 3, 6, 8, 7, 6, 6, 6, 5, 3, 2.5, 4, 5.5, 6, 6, 5.5, 5, 4.5, 3.5, 2.5, 1.5, 1, 0.5,
  ],
  /** Sign-ins, two thirds of them between half past eight and half past nine. */
  signIns: [1, 4, 9, 20, 35, 12, 5, 3, 2, 1, 1, 1, 2, 1.5, 1, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0],
};
export const HALF_HOURS = PROFILES.calls.length;

/** The half-hour that begins at nine. */
export const NINE = 4;

/** Something that people do. */
export interface Kind {
  name: string;
  /** How often in the whole day. */
  amount: number;
  profile: keyof typeof PROFILES;
  start: (name: string, due: number) => unknown;
}

/**
 * Starts what people do when it is due, at random moments, whatever has become of what began before.
 * @param seconds the length of the day
 * @param next called at the beginning of each half-hour
 */
export async function live(
  kinds: Kind[],
  seconds: number,
  next: (halfHour: number) => void,
): Promise<void> {
  const length = (seconds * 1_000) / HALF_HOURS;
  const begun = performance.now();
  for (let at = 0; at < HALF_HOURS; at++) {
    next(at);
    const amounts = kinds.map(({ amount, profile }) => (amount * PROFILES[profile][at]!) / 100);
    const all = amounts.reduce((sum, amount) => sum + amount, 0);
    const end = begun + (at + 1) * length;
    const gap = (): number => (-Math.log(1 - Math.random()) * length) / all;
    let due = begun + at * length + gap();
    for (; due < end; due += gap()) {
      while (performance.now() < due) await delay(1);
      const { name, start } = kinds[drawn(amounts, Math.random() * all)]!;
      start(name, due);
    }
    while (performance.now() < end) await delay(1);
  }
}

function drawn(amounts: number[], point: number): number {
  let left = point;
  const at = amounts.findIndex((amount) => (left -= amount) < 0);
  return at < 0 ? amounts.length - 1 : at;
}
