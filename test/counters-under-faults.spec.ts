import { expect, it } from '@jest/globals';
import { checkCounters } from './hardening/faults/linearizable.js';

/** Small; `npm run faults` writes a million tasks, by the command line too. */
it('answers no counter that is older than an acknowledged write or counts what was rolled back, while servers and PostgreSQL are killed', async () => {
  const { history, kills } = await checkCounters({ writes: 3000, kills: 2, imports: false });
  expect(history.wrong).toEqual([]);
  expect(history.reads).toBeGreaterThan(50);
  expect(history.acknowledged).toBeGreaterThan(500);
  expect(kills).toBe(2);
}, 180_000);
