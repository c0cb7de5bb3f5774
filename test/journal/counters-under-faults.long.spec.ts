import { expect, it } from '@jest/globals';
import { checkCounters } from '../hardening/faults/linearizable.js';

/** Small; `npm run faults` writes a million tasks, by the command line too. */
it('answers no counter older than an acknowledged write or with rolled-back rows, while servers and PostgreSQL are killed', async () => {
  const size = { writes: 3000, reads: 60, kills: 2, streams: 40, imports: false };
  const { history, kills } = await checkCounters(size);
  expect(history.wrong).toEqual([]);
  expect(history.reads).toBeGreaterThanOrEqual(60);
  expect(history.shown).toBeGreaterThan(20);
  expect(history.acknowledged).toBeGreaterThan(500);
  expect(kills).toBe(2);
}, 180_000);
