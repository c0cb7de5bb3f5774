import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { type Answer, startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let bruno: string, chloe: string;
beforeAll(async () => {
  server = await startTestServer();
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

/** Two kinds of search in the texts of one kind of content. */
const WAYS = {
  searches: (kind: string, token: string) =>
    server.call(
      `/navigation/search/workplace${query({ searchName: `workplace_${kind}_search`, searchField: 'quickSearch', query: 'a', _AuthenticationKey: token })}`,
    ),
  filters: (kind: string, token: string) =>
    server.call(`/api/v2/content/${kind}?filters=title:contains:a`, { token }),
};
const REFUSALS = {
  searches: { type: 'error', message: 'Too many requests' },
  filters: { code: 429, message: 'Too many requests' },
};

/** Runs a function while statements that read the table wait for a lock. */
async function whileHeldUp(table: string, work: () => Promise<void>): Promise<void> {
  await server.database.query(`BEGIN; LOCK TABLE ${table}`);
  try {
    await work();
  } finally {
    await server.database.query('ROLLBACK');
  }
}

/** The number of statements that wait for a lock on a table. The databases of other test files have locks of their own. */
async function waitingFor(table: string): Promise<number> {
  const [row] = await server.database.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = $1::regclass
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [table],
  );
  return row!.waiting;
}

/** The different statuses, without the 503 of searches that waited for the lock for two seconds: on a slow machine some do. */
const withoutTimeouts = (statuses: number[]): number[] =>
  [...new Set(statuses)].filter((status) => status !== 503).sort();

describe.each(['searches', 'filters'] as const)('slow %s of one person', (way) => {
  it('leave places to other people, and are refused with 429 when too many wait', async () => {
    const refused: Answer[] = [];
    let slow: Promise<Answer>[] = [];
    await whileHeldUp('news', async () => {
      slow = Array.from({ length: 30 }, async () => {
        const answer = await WAYS[way]('news', bruno);
        if (answer.status === 429) refused.push(answer);
        return answer;
      });
      await eventually(() => expect(refused).not.toEqual([]));
      for (let look = 0; look < 15; look++) {
        expect(await waitingFor('news')).toBeLessThanOrEqual(2);
        await delay(20);
      }
      expect((await WAYS[way]('documents', chloe)).status).toBe(200);
    });
    await Promise.all(slow);
    expect(refused[0]!.body).toEqual(REFUSALS[way]);
    expect(refused[0]!.headers['retry-after']).toBe('1');
    expect((await WAYS[way]('news', bruno)).status).toBe(200);
  });
});

describe('a view that searches inside texts', () => {
  it('counts as a search of the person who executes it', async () => {
    const [view] = await server.database.query<{ id: string }>(
      `INSERT INTO views (reference, label, application_id, filters)
       SELECT 'SEARCHING', 'Searching', application_id, '{title:contains:a}' FROM views WHERE reference = 'TRAVEL-OPEN'
       RETURNING id`,
    );
    const statuses: number[] = [];
    let slow: Promise<unknown>[] = [];
    await whileHeldUp('tasks', async () => {
      slow = Array.from({ length: 30 }, async () => {
        const path = `/api/v2/process/views/${view!.id}/records`;
        statuses.push((await server.call(path, { token: bruno })).status);
      });
      await eventually(() => expect(statuses).toContain(429));
    });
    await Promise.all(slow);
    expect(withoutTimeouts(statuses)).toEqual([200, 429]);
  });

  it('counts as a search of the administrator who previews it for another person', async () => {
    const admin = await server.signIn('alice.martin');
    const user = await idOf(server, 'users', 'bruno.keller');
    const path = `/api/v2/process/views/preview?user=${user}&application=1&filters=title:contains:a`;
    const statuses: number[] = [];
    let slow: Promise<unknown>[] = [];
    await whileHeldUp('tasks', async () => {
      slow = Array.from({ length: 30 }, async () => {
        statuses.push((await server.call(path, { token: admin })).status);
      });
      await eventually(() => expect(statuses).toContain(429));
      expect((await WAYS.filters('news', bruno)).status).toBe(200);
    });
    await Promise.all(slow);
    expect(withoutTimeouts(statuses)).toEqual([200, 429]);
  });
});

describe('statements that take long', () => {
  it('run four at once, and leave the places of searches to others', async () => {
    const database = server.app.get(Database);
    const sleep = (searcher: string, isLong: boolean) =>
      database.rows({
        text: `SELECT '${isLong ? 'long' : 'short'}', pg_sleep(0.5)`,
        values: [],
        prepared: false,
        searcher,
        isLong,
      });
    const long = ['a', 'b', 'c', 'd', 'e'].flatMap((one) => [sleep(one, true), sleep(one, true)]);
    const running: [number, number][] = [];
    let hasEnded = false;
    const searches = ['f', 'g'].map((one) => sleep(one, false));
    void Promise.all(long).then(() => (hasEnded = true));
    await eventually(async () => {
      const [row] = await server.database.query<{ long: number; short: number }>(
        `SELECT count(*) FILTER (WHERE query LIKE 'SELECT ''long''%')::int AS long,
           count(*) FILTER (WHERE query LIKE 'SELECT ''short''%')::int AS short
         FROM pg_stat_activity WHERE state = 'active' AND datname = current_database()`,
      );
      running.push([row!.long, row!.short]);
      expect(hasEnded).toBe(true);
    });
    await Promise.all([...long, ...searches]);
    expect(Math.max(...running.map(([most]) => most))).toBe(4);
    expect(running).toContainEqual([4, 2]);
  });
});
