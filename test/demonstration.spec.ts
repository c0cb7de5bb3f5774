import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkplaceCategory } from '../src/navigation/presenters.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** The demonstration portal: its numbers agree wherever a person meets them, and nobody has work that they cannot find. */

const INBOX = '/api/v2/process/tasks/waiting';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What one person reads in three places. */
async function numbersOf(login: string) {
  const token = await server.signIn(login);
  const read = async (path: string) =>
    server.call(path, { token, headers: { Prefer: 'count=exact' } });
  const categories = (await read('/navigation/workplace')).body as WorkplaceCategory[];
  const tiles = new Map(
    categories.flatMap(({ applications }) =>
      applications.map(({ id, indicator }) => [id, indicator!.count] as const),
    ),
  );
  const inbox = await read(`${INBOX}?range=0-500`);
  const counts = (await read(`${INBOX}/counts`)).body as { count: number };
  return {
    tiles: [...tiles.values()].reduce((sum, count) => sum + count, 0),
    inbox: Number(inbox.headers['x-total-count']),
    counts: counts.count,
    hidden: (inbox.body as { application: unknown }[]).filter((one) => one.application === null),
  };
}

describe('the demonstration portal', () => {
  it('has counters of tiles, an inbox and counts that agree, for every person', async () => {
    const people = await server.database.query<{ login: string }>(
      'SELECT u.login FROM users u JOIN passwords p ON p.user_id = u.id WHERE u.status = 1 ORDER BY u.id',
    );
    let waiting = 0;
    for (const { login } of people.filter((one) => one.login !== 'sysadmin')) {
      const { tiles, inbox, counts, hidden } = await numbersOf(login);
      expect([login, tiles, counts, hidden]).toEqual([login, inbox, inbox, []]);
      waiting += inbox;
    }
    expect(people.length).toBeGreaterThan(100);
    expect(waiting).toBeGreaterThan(300);
  }, 120_000);

  it('gives the people in the guides something to do, and lets little of it be overdue', async () => {
    for (const login of ['alice.martin', 'bruno.keller', 'chloe.lefevre']) {
      const token = await server.signIn(login);
      const { count, overdue } = (await server.call(`${INBOX}/counts`, { token })).body as {
        count: number;
        overdue: number;
      };
      expect([login, count > 10, overdue > 0, overdue < count / 4]).toEqual([
        login,
        true,
        true,
        true,
      ]);
    }
  });

  it('has no view of open tasks that lists a closed one', async () => {
    const closed = await server.database.query(
      `SELECT v.reference FROM views v WHERE v.label LIKE '%pen tasks%' AND NOT 'status:eq:open' = ANY (v.filters)`,
    );
    expect(closed).toEqual([]);
  });

  it('shows French and German people categories and tiles in their language', async () => {
    const titlesOf = async (locale: string) => {
      await server.database.query(`UPDATE users SET locale = $1 WHERE login = 'alice.martin'`, [
        locale,
      ]);
      const token = await server.signIn('alice.martin');
      const { body } = await server.call('/navigation/workplace', { token });
      return (body as WorkplaceCategory[])
        .map(({ id, title, applications }) => [id, title, applications.map((one) => one.title)])
        .sort(([first], [second]) => (first! < second! ? -1 : 1));
    };
    const [english, french, german] = [
      await titlesOf('en'),
      await titlesOf('fr'),
      await titlesOf('de'),
    ];
    expect(english.at(0)!.slice(0, 2)).toEqual(['/navigation/categories/1', 'Everyday']);
    expect(french.map(([, title]) => title)).toEqual([
      'Au quotidien',
      'Ressources humaines',
      'Finances',
      'Services informatiques',
    ]);
    expect(german.at(-1)!.slice(1)).toEqual(['IT-Dienste', ['IT-Störungen', 'Zugangsanträge']]);
    const untranslated = await server.database.query(
      `SELECT title FROM (SELECT title, translations FROM categories UNION ALL SELECT title, translations FROM applications
         UNION ALL SELECT label, translations FROM views) AS texts
       WHERE NOT translations ?& ARRAY['de', 'fr']`,
    );
    expect(untranslated).toEqual([]);
    await server.database.query(`UPDATE users SET locale = 'en' WHERE login = 'alice.martin'`);
  });
});
