import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ConcurrencyLimiter } from './limiter.js';

/** Work that records its start and runs until it is released. */
function holdings(slots: ConcurrencyLimiter) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const hold = (name: string) =>
    slots.run(async () => {
      began.push(name);
      await new Promise<void>((done) => ends.set(name, done));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await delay(1);
  };
  return { began, hold, end };
}

describe('slots', () => {
  it('let a fixed number work, and the others in the order in which they came', async () => {
    const { began, hold, end } = holdings(
      new ConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 2, queueTimeout: 60_000 }),
    );
    void ['a', 'b', 'c', 'd'].map((name) => hold(name));
    await delay(1);
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(began).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuse at once when too many wait, and say so before', async () => {
    const slots = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 1, queueTimeout: 60_000 });
    const { hold, end } = holdings(slots);
    void hold('a');
    expect(slots.isFull).toBe(false);
    void hold('b');
    expect(slots.isFull).toBe(true);
    await expect(hold('c')).rejects.toMatchObject({ status: 503 });
    await delay(1);
    await end('a');
    expect([slots.isFull, slots.waitingCount]).toEqual([false, 0]);
  });

  it('reject a run that waited too long, including waits elsewhere', async () => {
    const slots = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 9, queueTimeout: 60_000 });
    const { hold, end } = holdings(slots);
    void hold('a');
    await expect(slots.run(() => Promise.resolve(), 60_000)).rejects.toMatchObject({
      status: 503,
    });
    const time = slots.run((waited) => Promise.resolve(waited), 100);
    await delay(50);
    await end('a');
    expect(await time).toBeGreaterThan(140);
  });

  it('admit waiting runs when some are added, and interrupt no run when some are removed', async () => {
    const slots = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 9, queueTimeout: 60_000 });
    const { began, hold, end } = holdings(slots);
    void ['a', 'b', 'c'].map((name) => hold(name));
    slots.resize(2);
    await delay(1);
    expect(began).toEqual(['a', 'b']);
    slots.resize(1);
    await end('a');
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
  });

  it('are free again after work that failed', async () => {
    const slots = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 0, queueTimeout: 0 });
    await expect(slots.run(() => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await slots.run(() => Promise.resolve('works'))).toBe('works');
  });
});
