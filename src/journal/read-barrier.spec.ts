import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { Notifications } from '../database/notifications.js';
import { ChangeReader } from './change-reader.js';
import { ReadBarrier } from './read-barrier.js';

/** Ends the reads of the journal, in their order. */
let reads: (() => void)[];
let barrier: ReadBarrier;

/** Long enough for all that waits for no timer. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await endOfTurn();
};

beforeEach(async () => {
  reads = [];
  jest
    .spyOn(ChangeReader.prototype, 'read')
    .mockImplementation(() => new Promise((resolve) => reads.push(() => resolve([]))));
  jest.useFakeTimers();
  const subscribe = jest.fn();
  barrier = new ReadBarrier({ subscribe } as unknown as Notifications, {} as Database);
  barrier.onApplicationBootstrap();
  await settle();
});
afterEach(() => {
  barrier.onApplicationShutdown();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the read barrier', () => {
  it('lets a single request wait only for its read', async () => {
    for (let request = 0; request < 3; request++) {
      const passed = barrier.pass();
      await settle();
      reads[request]!();
      expect(await passed).toBe(true);
    }
    expect(reads).toHaveLength(3);
  });

  it('gathers requests for the next read while they follow each other quickly', async () => {
    const first = barrier.pass();
    await settle();
    const passed = [barrier.pass()];
    reads[0]!();
    await first;
    await settle();
    passed.push(barrier.pass());
    await settle();
    passed.push(barrier.pass());
    expect(reads).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2);
    await settle();
    expect(reads).toHaveLength(2);
    // The read has begun: a later request needs another one.
    const later = barrier.pass();
    reads[1]!();
    expect(await Promise.all(passed)).toEqual([true, true, true]);
    await jest.advanceTimersByTimeAsync(2);
    await settle();
    expect(reads).toHaveLength(3);
    reads[2]!();
    expect(await later).toBe(true);
  });

  it('gathers no longer once many requests wait', async () => {
    const first = barrier.pass();
    await settle();
    const passed = [barrier.pass()];
    reads[0]!();
    await first;
    await settle();
    for (let request = 1; request < 8; request++) passed.push(barrier.pass());
    await settle();
    expect(reads).toHaveLength(2);
    reads[1]!();
    expect(await Promise.all(passed)).toEqual(passed.map(() => true));
  });
});
