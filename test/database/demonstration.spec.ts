import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkplaceCategory } from '../../src/navigation/presenters.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** The demonstration portal: its numbers agree on every page, and every person finds their work. */

const INBOX = '/api/v2/process/tasks/waiting';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** How many tasks wait in each application, by its title: as the tiles, the inbox and its counts tell one person. */
async function numbersOf(login: string) {
  const token = await server.signIn(login);
  const read = async (path: string) =>
    server.call(path, { token, headers: { Prefer: 'count=exact' } });
  const categories = (await read('/navigation/workplace')).body as WorkplaceCategory[];
  const tiles = categories.flatMap(({ applications }) =>
    applications
      .map(({ title, indicator }) => [title, indicator!.count] as const)
      .filter(([, count]) => count > 0),
  );
  const inbox = await read(`${INBOX}?range=0-500`);
  const tasks = inbox.body as { application: unknown; applicationTitle: string }[];
  const inInbox: Record<string, number> = {};
  for (const { applicationTitle: title } of tasks) inInbox[title] = (inInbox[title] ?? 0) + 1;
  const counts = (await read(`${INBOX}/counts`)).body as {
    count: number;
    applications: { title: string; count: number }[];
  };
  return {
    tiles: Object.fromEntries(tiles),
    inbox: inInbox,
    counts: Object.fromEntries(counts.applications.map(({ title, count }) => [title, count])),
    totals: [Number(inbox.headers['x-total-count']), counts.count],
    listed: tasks.length,
    hidden: tasks.filter((one) => one.application === null),
  };
}

describe('the demonstration portal', () => {
  it('has counters of tiles, an inbox and counts that agree, for every person', async () => {
    const people = await server.database.query<{ login: string }>(
      'SELECT u.login FROM users u JOIN passwords p ON p.user_id = u.id WHERE u.status = 1 ORDER BY u.id',
    );
    let waiting = 0;
    for (const { login } of people.filter((one) => one.login !== 'sysadmin')) {
      const { tiles, inbox, counts, totals, listed, hidden } = await numbersOf(login);
      expect([login, tiles, counts, hidden]).toEqual([login, inbox, inbox, []]);
      expect([login, totals]).toEqual([login, [listed, listed]]);
      waiting += listed;
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

  it('words tasks in the language of the person for whom they wait', async () => {
    const token = await server.signIn('chloe.lefevre');
    const path = `${INBOX}?range=0-500&filters=assignee:eq:@me`;
    const tasks = (await server.call(path, { token })).body as { title: string }[];
    const kinds = new Set(tasks.map(({ title }) => title.replace(/\d+/, 'N')));
    expect([...kinds].sort()).toEqual([
      'Compléter la note de frais N',
      'Contrôler l’accès N',
      'Créer le badge N',
      'Joindre le justificatif manquant à la note N',
      'Préparer le bureau de l’arrivant N',
      'Préparer l’entretien annuel N',
      'Rédiger l’évaluation N',
      'Valider les congés, semaine N',
    ]);
    const inTwoLanguages = await server.database.query(
      `SELECT kind, count(DISTINCT locale) AS languages FROM (
         SELECT regexp_replace(t.title, '[0-9]+', 'N') AS kind, u.locale FROM tasks t JOIN users u ON u.id = t.assignee_id
         UNION ALL SELECT t.description, u.locale FROM tasks t JOIN users u ON u.id = t.assignee_id
           WHERE t.description IS NOT NULL
       ) AS texts GROUP BY kind HAVING count(DISTINCT locale) > 1`,
    );
    expect(inTwoLanguages).toEqual([]);
  });

  it('shows a different drawn photo for two of three people, and initials of the others', async () => {
    const token = await server.signIn('bruno.keller');
    const people = await server.database.query<{ id: string; login: string }>(
      `SELECT id::text, login FROM users WHERE NOT sysadmin AND NOT process_engine ORDER BY id`,
    );
    const pictures = await Promise.all(
      people.map(async ({ id }) => {
        const { status, headers } = await server.call(`/navigation/directory/users/${id}/photo`, {
          token,
        });
        expect(status).toBe(200);
        return { type: headers['content-type'], etag: headers.etag };
      }),
    );
    const photos = pictures.filter(({ type }) => type === 'image/webp');
    expect(photos.length / people.length).toBeCloseTo(2 / 3, 1);
    expect(new Set(photos.map(({ etag }) => etag)).size).toBe(photos.length);
  });

  it('has phone numbers and languages of the town in which a team works', async () => {
    const CODES: Record<string, [string, RegExp]> = {
      'SALES-FR': ['fr', /^\+33 (4 65 71|6 39 98) /],
      'SALES-DACH': ['de', /^\+41 (44|79) /],
      'SALES-UK': ['en', /^\+44 (113 |7700 )/],
      LOGISTICS: ['en', /^\+45 /],
    };
    const token = await server.signIn('alice.martin');
    for (const [reference, [locale, code]] of Object.entries(CODES)) {
      const filter = `filters=organization.reference:eq:${reference}&filters=login:neq:bruno.keller`;
      const path = `/api/v2/directory/users?range=0-100&${filter}`;
      const people = (await server.call(path, { token })).body as Record<string, string | null>[];
      expect(people.length).toBeGreaterThan(5);
      for (const { login, phoneNumber, mobilePhoneNumber, ...person } of people) {
        expect([login, person.locale]).toEqual([login, locale]);
        for (const number of [phoneNumber, mobilePhoneNumber])
          if (number) expect(number).toMatch(code);
      }
    }
  });

  it('has nicknames, news and documents that read naturally', async () => {
    const nicknames = await server.database.query<{ name: string }>(
      `SELECT DISTINCT nick_name AS name FROM users WHERE nick_name IS NOT NULL ORDER BY 1`,
    );
    expect(nicknames.map(({ name }) => name)).toEqual([
      'Dan',
      'Fred',
      'Maggie',
      'Roz',
      'Seb',
      'Ted',
      'Tom',
      'Will',
    ]);
    const odd = await server.database.query(
      `SELECT title FROM news WHERE strpos(summary || body, title) > 0 OR end_date > now() + interval '100 days'
         OR publication_date > now() + interval '100 days'
       UNION ALL SELECT summary FROM news GROUP BY summary HAVING count(*) > 1
       UNION ALL SELECT title FROM documents GROUP BY title HAVING count(*) > 1
       UNION ALL SELECT question FROM faqs GROUP BY question HAVING count(*) > 1`,
    );
    expect(odd).toEqual([]);
    const languages = await server.database.query<{ kinds: string }>(
      `SELECT string_agg(DISTINCT locale, ' ' ORDER BY locale) AS kinds FROM news
       UNION ALL SELECT string_agg(DISTINCT locale, ' ' ORDER BY locale) FROM faqs
       UNION ALL SELECT string_agg(DISTINCT locale, ' ' ORDER BY locale) FROM documents`,
    );
    expect(languages.map(({ kinds }) => kinds)).toEqual(['de en fr', 'de en fr', 'de en fr']);
  });
});
