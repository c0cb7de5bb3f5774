import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../errors/refusals.js';
import { Slots } from './slots.js';

/** Work that ends when it is told to. */
function pending(): { work: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end: () => end() };
}

const statusOf = (taken: Promise<unknown>): Promise<unknown> =>
  taken.then(
    () => 200,
    (error: unknown) => (error as Refusal).status,
  );

describe('Slots', () => {
  it('lets so many work at once, and the others in the order in which they came', async () => {
    const slots = new Slots({ atOnce: 2, waiting: 10, patience: 5_000 });
    const begun: number[] = [];
    const works = [0, 1, 2, 3].map(() => pending());
    const taken = works.map(({ work }, index) =>
      slots.take(() => {
        begun.push(index);
        return work();
      }),
    );
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    works[1]!.end();
    await taken[1];
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    for (const { end } of works) end();
    await Promise.all(taken);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('refuses at once when too many wait, and frees the slot of work that failed', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 1, patience: 5_000 });
    const { work, end } = pending();
    const failing = slots.take(() => work().then(() => Promise.reject(new Refusal(404, ''))));
    const second = slots.take(() => Promise.resolve());
    expect(await statusOf(slots.take(() => Promise.resolve()))).toBe(503);
    end();
    expect(await statusOf(failing)).toBe(404);
    expect(await statusOf(second)).toBe(200);
    expect(await statusOf(slots.take(() => Promise.resolve()))).toBe(200);
  });

  it('refuses whoever waited too long, and gives the slot to the next', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 10, patience: 30 });
    const { work, end } = pending();
    const first = slots.take(work);
    expect(await statusOf(slots.take(() => Promise.resolve()))).toBe(503);
    const third = slots.take(() => Promise.resolve());
    end();
    expect([await statusOf(first), await statusOf(third)]).toEqual([200, 200]);
  });
});
