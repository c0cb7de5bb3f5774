import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { countStatements } from '../support/statements.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const WORKPLACE = '/navigation/workplace';

interface Entry {
  id: string;
  reference: string;
  indicator: { type: string; count: number } | null;
  favourite: boolean;
}
interface Category {
  id: string;
  applications: Entry[];
}

let server: TestServer;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  for (const login of ['alice.martin', 'bruno.keller', 'chloe.lefevre'])
    tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

const get = (path: string, login: string, headers = {}) =>
  server.call(path, { token: tokens[login], headers });
const workplaceOf = async (login: string): Promise<Category[]> => {
  const answer = await get(WORKPLACE, login);
  expect(answer.status).toBe(200);
  return answer.body as Category[];
};
const entriesOf = (categories: Category[]) => categories.flatMap((one) => one.applications);
const countsOf = async (login: string) =>
  Object.fromEntries(
    entriesOf(await workplaceOf(login)).map(({ reference, indicator }) => [reference, indicator]),
  );

/** The same workplace, assembled from separate API calls. */
async function assembled(login: string): Promise<unknown[]> {
  const { body } = await get(`${WORKPLACE}/categories`, login);
  return Promise.all(
    (body as Category[]).map(async (category) => {
      const entries = await get(`${WORKPLACE}/apps${query({ category: category.id })}`, login);
      const applications = (entries.body as Entry[]).map(async (entry) => {
        const parameters = query({ applicationUri: entry.id });
        const indicator = await get(`${WORKPLACE}/apps/indicator${parameters}`, login);
        return { ...entry, indicator: indicator.body as unknown, favourite: false };
      });
      return { ...category, applications: await Promise.all(applications) };
    }),
  );
}

describe('GET /navigation/workplace', () => {
  it('equals the answers of categories, apps and indicators together', async () => {
    for (const login of Object.keys(tokens)) {
      const workplace = await workplaceOf(login);
      expect(workplace).toEqual(await assembled(login));
      const counts = entriesOf(workplace).map(({ indicator }) => indicator!.count);
      expect(Math.max(...counts)).toBeGreaterThan(0);
    }
  });

  it('takes the token in the query, ignores unknown parameters, and requires a token', async () => {
    const path = `${WORKPLACE}?_AuthenticationKey=${tokens['bruno.keller']}&_=17`;
    expect((await server.call(path)).status).toBe(200);
    expect((await server.call(WORKPLACE)).status).toBe(401);
  });

  it('counts for administrators the tasks that wait for them, not those of others', async () => {
    const [row] = await server.database.query(
      `SELECT count(*)::int AS mine FROM tasks k JOIN applications a ON a.id = k.application_id, users u
       WHERE a.reference = 'APPRAISAL' AND k.status = 'open' AND u.login = 'alice.martin' AND k.assignee_id = u.id`,
    );
    const [all] = await server.database.query(
      `SELECT count(*)::int AS n FROM tasks k JOIN applications a ON a.id = k.application_id WHERE a.reference = 'APPRAISAL' AND k.status = 'open'`,
    );
    const { APPRAISAL } = await countsOf('alice.martin');
    expect(APPRAISAL).toEqual({ type: 'COUNTER', count: row!.mine });
    expect(row!.mine).toBeLessThan(all!.n as number);
  });

  it('shows a LINK and an application without a view with 0, one of two categories twice', async () => {
    await server.database.query(
      `UPDATE applications SET view_id = NULL WHERE reference = 'ACCESS'`,
    );
    const { CANTEEN, ACCESS } = await countsOf('alice.martin');
    expect([CANTEEN, ACCESS]).toEqual([
      { type: 'COUNTER', count: 0 },
      { type: 'COUNTER', count: 0 },
    ]);
    const leave = entriesOf(await workplaceOf('bruno.keller')).filter(
      ({ reference }) => reference === 'LEAVE',
    );
    expect(leave.length).toBe(2);
    expect(leave[0]).toEqual(leave[1]);
  });

  it('is empty for a person who sees no application', async () => {
    await server.database.query('UPDATE categories SET active = false');
    expect(await workplaceOf('bruno.keller')).toEqual([]);
    await server.database.query('UPDATE categories SET active = true');
  });

  it('costs the same statements whatever the number of tiles and of views that differ', async () => {
    // Reads from memory whom the person belongs to, but none of the tiles.
    const forget = () => server.database.query('UPDATE views SET label = label');
    const statements = async () => {
      await forget();
      return countStatements(() => get(WORKPLACE, 'bruno.keller'));
    };
    // A busy machine takes one more: a count that took too long is done in parts.
    await eventually(async () => expect(await statements()).toBe(3));
    await server.database.query(`
      WITH made AS (INSERT INTO applications (reference, title, type, position)
          SELECT 'MANY-' || n, 'Many ' || n, 'PROCESS', 100 FROM generate_series(1, 200) n RETURNING id, reference),
        placed AS (INSERT INTO application_categories (application_id, category_id) SELECT id, 1 + id % 3 FROM made)
      INSERT INTO views (reference, label, application_id, filters)
        SELECT reference, reference, id, ARRAY['status:eq:open', CASE id % 3 WHEN 0 THEN 'assignee:eq:@me' WHEN 1 THEN 'group:eq:@mygroups' ELSE 'priority:gte:' || id END] FROM made`);
    await server.database.query(
      `UPDATE applications a SET view_id = v.id FROM views v WHERE v.application_id = a.id AND a.reference LIKE 'MANY-%'`,
    );
    await server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, priority)
       SELECT 'Many', a.id, u.id, 1000 FROM applications a, users u WHERE a.reference LIKE 'MANY-%' AND u.login = 'bruno.keller'`,
    );
    const entries = entriesOf(await workplaceOf('bruno.keller'));
    expect(entries.length).toBeGreaterThan(200);
    expect(entries.filter(({ reference }) => /^MANY-\d+$/.test(reference)).length).toBe(200);
    await eventually(async () => expect(await statements()).toBe(3));
    expect(await workplaceOf('bruno.keller')).toEqual(await assembled('bruno.keller'));
    await server.database.query(
      `UPDATE applications SET active = false WHERE reference LIKE 'MANY-%'`,
    );
  });
});

describe('views that are nearly alike', () => {
  it('are distinguished by mode, filters and application', async () => {
    const filters = ['status:eq:open', 'assignee:eq:@me'];
    const change = (reference: string, mode: string, texts: string[]) =>
      server.database.query(
        'UPDATE views SET filter_mode = $2, filters = $3 WHERE reference = $1',
        [reference, mode, texts],
      );
    // Either open or mine, but not both, so that `and` excludes it.
    await server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, status)
       SELECT 'Mine, done', a.id, u.id, 'done' FROM applications a, users u WHERE a.reference = 'TRAVEL' AND u.login = 'bruno.keller'`,
    );
    await change('LEAVE-OPEN', 'and', filters);
    await change('TRAVEL-OPEN', 'or', filters);
    await change('EXPENSES-OPEN', 'and', [...filters].reverse());
    await change('APPRAISAL-OPEN', 'and', ['status:eq:open,assignee:eq:@me']);
    const workplace = await workplaceOf('bruno.keller');
    const counts = await countsOf('bruno.keller');
    expect(counts.TRAVEL).not.toEqual(counts.LEAVE);
    expect(counts.APPRAISAL).toBeNull();
    const others = (categories: unknown) =>
      (categories as Category[]).map((category) =>
        category.applications.filter(({ reference }) => reference !== 'APPRAISAL'),
      );
    expect(others(workplace)).toEqual(others(await assembled('bruno.keller')));
    await change('TRAVEL-OPEN', 'and', ['status:eq:open']);
    await change('APPRAISAL-OPEN', 'and', filters);
  });
});

describe('a counter that fails', () => {
  it('is null when its stored view no longer parses, and leaves the other counters intact', async () => {
    const before = await countsOf('bruno.keller');
    expect(before.TRAVEL).toEqual({ type: 'COUNTER', count: expect.any(Number) });
    for (const broken of [`filters = '{gone:eq:1}'`, `sorter = 'gone'`]) {
      const [stored] = await server.database.query(
        `SELECT filters, sorter FROM views WHERE reference = 'TRAVEL-OPEN'`,
      );
      await server.database.query(`UPDATE views SET ${broken} WHERE reference = 'TRAVEL-OPEN'`);
      expect(await countsOf('bruno.keller')).toEqual({ ...before, TRAVEL: null });
      const travel = entriesOf(await workplaceOf('bruno.keller')).find(
        ({ reference }) => reference === 'TRAVEL',
      )!;
      const alone = await get(
        `${WORKPLACE}/apps/indicator${query({ applicationUri: travel.id })}`,
        'bruno.keller',
      );
      expect([alone.status, alone.body.message]).toEqual([409, expect.stringContaining(`'gone'`)]);
      await server.database.query(
        `UPDATE views SET filters = $1, sorter = $2 WHERE reference = 'TRAVEL-OPEN'`,
        [stored!.filters, stored!.sorter],
      );
    }
    expect(await countsOf('bruno.keller')).toEqual(before);
  });

  it('is null when it takes too long, and leaves the other counters intact', async () => {
    const before = await countsOf('chloe.lefevre');
    const slow = Array.from({ length: 20 }, (_, n) => `description:neq:missing ${n}`);
    await server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, description)
       SELECT 'Slow', a.id, u.id, repeat('éà', 5000) FROM applications a, users u, generate_series(1, 1500)
       WHERE a.reference = 'LEAVE' AND u.login = 'chloe.lefevre'`,
    );
    await server.database.query(`UPDATE views SET filters = $1 WHERE reference = 'LEAVE-OPEN'`, [
      slow,
    ]);
    // A busy machine can leave no time for the others, whose next call then counts them.
    await eventually(async () =>
      expect(await countsOf('chloe.lefevre')).toEqual({ ...before, LEAVE: null }),
    );
    await server.database.query(`DELETE FROM tasks WHERE title = 'Slow'`);
  });

  it('leaves the tiles as they are when nothing can be counted', async () => {
    const before = await workplaceOf('bruno.keller');
    // Else the answer would come from memory.
    await server.database.query('UPDATE views SET label = label');
    await server.database.query('BEGIN');
    await server.database.query('LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
    const locked = await workplaceOf('bruno.keller');
    await server.database.query('ROLLBACK');
    const hasView = new Set(
      (
        await server.database.query(
          `SELECT reference FROM applications WHERE type = 'PROCESS' AND view_id IS NOT NULL`,
        )
      ).map(({ reference }) => reference as string),
    );
    expect(locked).toEqual(
      before.map((category) => ({
        ...category,
        applications: category.applications.map((entry) => ({
          ...entry,
          indicator: hasView.has(entry.reference) ? null : entry.indicator,
        })),
      })),
    );
  });
});
