import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { ChangeReader } from '../../src/journal/change-reader.js';
import { JournalParts } from '../../src/journal/journal-parts.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { UNRECORDED_TABLES } from '../support/unrecorded-tables.js';

let server: TestServer;
let database: TestDatabase;

beforeAll(async () => {
  server = await startTestServer();
  ({ database } = server);
});
afterAll(() => server.close());

const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client;
};
const readerOf = (of: TestDatabase): ChangeReader => new ChangeReader(of);

/** The rows of the journal that a statement writes. */
async function changesBy(...statements: string[]): Promise<unknown[]> {
  const [before] = await database.query(`SELECT coalesce(max(id), 0) AS id FROM changes`);
  for (const statement of statements) await database.query(statement);
  return database.rows({
    text: `SELECT kind, object::integer, operation, revision, ARRAY(SELECT p::integer FROM unnest(principals) AS p ORDER BY p) FROM changes WHERE id > $1 ORDER BY id`,
    values: [before!.id],
  });
}
const idOf = async (query: string): Promise<number> => {
  const [row] = await database.rows({ text: query, values: [] });
  return Number(row![0]);
};

describe('the journal of changes', () => {
  it('records every table but those that are named', async () => {
    const tables = await database.rows({
      text: `SELECT c.relname::text, bool_or(t.tgname LIKE 'record!_%' ESCAPE '!') FROM pg_class c
        LEFT JOIN pg_trigger t ON t.tgrelid = c.oid
        WHERE c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition AND c.relnamespace = current_schema::regnamespace GROUP BY 1 ORDER BY 1`,
      values: [],
    });
    expect(tables.flatMap(([table, recorded]) => (recorded ? [] : [table]))).toEqual([
      ...UNRECORDED_TABLES,
    ]);
  });

  it('has a task with its old and new assignee and group', async () => {
    const application = await idOf('SELECT min(id) FROM applications');
    const [first, second] = [
      await idOf(`SELECT id FROM users WHERE login = 'bruno.keller'`),
      await idOf(`SELECT id FROM users WHERE login = 'chloe.lefevre'`),
    ];
    const group = await idOf('SELECT min(id) FROM groups');
    expect(
      await changesBy(
        `INSERT INTO tasks (id, title, application_id, assignee_id) VALUES (70001, 'One', ${application}, ${first}), (70002, 'Two', ${application}, NULL)`,
        `UPDATE tasks SET assignee_id = ${second}, group_id = ${group}, revision = 2 WHERE id = 70001`,
        `UPDATE tasks SET title = 'Nobody' WHERE false`,
        'DELETE FROM tasks WHERE id = 70001',
        'DELETE FROM tasks WHERE id = 70002',
      ),
    ).toEqual([
      ['tasks', 70001, 'I', 1, [first]],
      ['tasks', 70002, 'I', 1, []],
      ['tasks', 70001, 'U', 2, [first, second, group]],
      ['tasks', 70001, 'D', 2, [second, group]],
      ['tasks', 70002, 'D', 1, []],
    ]);
  });

  it('has users, organizations and groups with themselves, and a membership as a change of both', async () => {
    expect(
      await changesBy(
        `INSERT INTO organizations (id, label) VALUES (80001, 'Depot')`,
        `INSERT INTO users (id, login, last_name, title, organization_id) VALUES (80002, 'journal', 'Journal', 'Journal', 80001)`,
        `INSERT INTO groups (id, label) VALUES (80003, 'Readers')`,
        'INSERT INTO group_members (group_id, user_id) VALUES (80003, 80002)',
        `UPDATE users SET locale = 'fr' WHERE id = 80002`,
        `INSERT INTO photos (user_id, content, media_type, digest) VALUES (80002, '', 'image/webp', 'x')`,
        'DELETE FROM groups WHERE id = 80003',
        'DELETE FROM users WHERE id = 80002',
        'DELETE FROM organizations WHERE id = 80001',
      ),
    ).toEqual([
      ['organizations', 80001, 'I', 1, [80001]],
      ['users', 80002, 'I', 1, [80002]],
      ['groups', 80003, 'I', 1, []],
      ['users', 80002, 'U', null, [80002]],
      ['groups', 80003, 'U', null, []],
      ['users', 80002, 'U', 1, [80002]],
      ['users', 80002, 'U', null, []],
      // The memberships of a group go with it, and the photo of a user.
      ['groups', 80003, 'D', 1, []],
      ['users', 80002, 'U', null, [80002]],
      ['groups', 80003, 'U', null, []],
      ['users', 80002, 'D', 1, [80002]],
      ['users', 80002, 'U', null, []],
      ['organizations', 80001, 'D', 1, [80001]],
    ]);
  });

  it('has every organization whose path changes with one above it', async () => {
    await database.query(
      `INSERT INTO organizations (id, label) VALUES (81001, 'A'), (81002, 'B'); INSERT INTO organizations (id, label, parent_id) VALUES (81003, 'C', 81001)`,
    );
    const changes = await changesBy('UPDATE organizations SET parent_id = 81002 WHERE id = 81001');
    expect(changes.sort()).toEqual([
      ['organizations', 81001, 'U', 1, [81001]],
      ['organizations', 81003, 'U', 1, [81003]],
    ]);
  });

  it('has the objects whose audience plain SQL moves or empties', async () => {
    const user = await idOf(`SELECT id FROM users WHERE login = 'bruno.keller'`);
    const objectsChangedBy = async (statement: string): Promise<unknown[]> =>
      (await changesBy(statement)).map((change) => (change as unknown[])[1]);
    const audiences = () =>
      database.rows({
        text: 'SELECT id::integer, audience::integer[] FROM faqs WHERE id > 87000 ORDER BY id',
        values: [],
      });
    await database.query(
      `INSERT INTO faqs (id, question, answer) VALUES (87001, 'One', 'One'), (87002, 'Two', 'Two')`,
    );
    await database.query(`INSERT INTO faq_audiences (faq_id, user_id) VALUES (87001, ${user})`);
    expect(
      await objectsChangedBy('UPDATE faq_audiences SET faq_id = 87002 WHERE faq_id = 87001'),
    ).toEqual(expect.arrayContaining([87001, 87002]));
    expect(await audiences()).toEqual([
      [87001, [0]],
      [87002, [user]],
    ]);
    expect(await objectsChangedBy('TRUNCATE faq_audiences')).toContain(87002);
    expect(await audiences()).toEqual([
      [87001, [0]],
      [87002, [0]],
    ]);
    await database.query('DELETE FROM faqs WHERE id > 87000');
  });

  it('has tiles with their categories and audiences, and the favourites of a person', async () => {
    const user = await idOf(`SELECT id FROM users WHERE login = 'bruno.keller'`);
    expect(
      await changesBy(
        `INSERT INTO categories (id, title) VALUES (82001, 'Work')`,
        `INSERT INTO applications (id, title, type) VALUES (82002, 'Tile', 'PROCESS')`,
        'INSERT INTO application_categories VALUES (82002, 82001)',
        `INSERT INTO application_audiences (application_id, user_id) VALUES (82002, ${user})`,
        `INSERT INTO views (id, label, application_id) VALUES (82003, 'Open', 82002)`,
        `INSERT INTO favourites VALUES (${user}, 82002, 1)`,
        `UPDATE favourites SET position = 2 WHERE application_id = 82002`,
      ),
    ).toEqual([
      ['categories', 82001, 'I', 1, []],
      ['applications', 82002, 'I', 1, []],
      ['applications', 82002, 'U', null, []],
      ['applications', 82002, 'U', 1, []],
      ['views', 82003, 'I', 1, []],
      ['favourites', 82002, 'U', null, [user]],
      ['favourites', 82002, 'U', null, [user]],
      ['favourites', 82002, 'U', null, [user]],
    ]);
  });

  it.each(['documents', 'news', 'faqs', 'customers'])('has %s', async (table) => {
    const [row] = await database.rows({
      text: `SELECT min(id)::integer, min(revision) FROM ${table}`,
      values: [],
    });
    const id = Number(row![0]);
    const [first] = await changesBy(
      `UPDATE ${table} SET modification_date = now() WHERE id = ${id}`,
    );
    expect(first).toEqual([table, id, 'U', expect.any(Number), []]);
    expect(await changesBy(`DELETE FROM ${table} WHERE id = ${id}`)).toContainEqual([
      table,
      id,
      'D',
      expect.any(Number),
      [],
    ]);
  });

  it('has a table that is emptied as a whole', async () => {
    expect(await changesBy('BEGIN; TRUNCATE news, news_audiences; COMMIT')).toEqual([
      ['news', null, 'T', null, []],
    ]);
  });
});

describe('a reader of the journal', () => {
  it('learns first that anything may have changed, then of each change once', async () => {
    const reader = readerOf(database);
    expect(await reader.read()).toBe('everything');
    expect(await reader.read()).toEqual([]);
    await database.query(`INSERT INTO categories (id, title) VALUES (83001, 'Seen once')`);
    const change = { kind: 'categories', object: '83001', principals: [] };
    expect(await reader.read()).toEqual([change]);
    expect(await reader.read()).toEqual([]);
  });

  it('learns of everything at once where more has changed than it reads', async () => {
    const reader = readerOf(database);
    await reader.read();
    await database.query(
      `INSERT INTO customers (name) SELECT 'Customer ' || n FROM generate_series(1, 10000) n`,
    );
    expect(await reader.read()).toBe('everything');
    expect(await reader.read()).toEqual([]);
  });

  /**
   * Writers with savepoints, rollbacks and transactions that are held open, beside one that stays open throughout: no
   * committed change is missed, late or read twice, and none of what was rolled back is read.
   */
  it('sees each committed change once, in the read after its commit, and none that was rolled back', async () => {
    const reader = readerOf(database);
    await reader.read();
    const open = await connect();
    await open.query(`BEGIN; INSERT INTO categories (id, title) VALUES (84999, 'Open')`);
    const seen = new Map<string, number>();
    const committed = new Set<string>();
    let reads = 0;
    let writing = true;
    const late: string[] = [];
    const reading = (async () => {
      while (writing) {
        const acknowledged = [...committed];
        const changes = await reader.read();
        if (changes === 'everything') throw new Error('too many changes at once');
        for (const { object } of changes) seen.set(object!, (seen.get(object!) ?? 0) + 1);
        late.push(...acknowledged.filter((id) => !seen.has(id)));
        reads++;
      }
    })();
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const client = await connect();
        for (let turn = 0; turn < 25; turn++) {
          const id = 850_000 + writer * 100 + turn * 2;
          await client.query('BEGIN');
          await client.query(`INSERT INTO categories (id, title) VALUES (${id}, 'Kept')`);
          await client.query(
            `SAVEPOINT s; INSERT INTO categories (id, title) VALUES (${id + 1}, 'Nested')`,
          );
          const keepsNested = turn % 3 !== 0;
          await client.query(keepsNested ? 'RELEASE s' : 'ROLLBACK TO s');
          if (turn % 10 === writer % 10) await delay(100);
          const commits = turn % 5 !== 0;
          await client.query(commits ? 'COMMIT' : 'ROLLBACK');
          if (commits) committed.add(String(id));
          if (commits && keepsNested) committed.add(String(id + 1));
        }
        await client.end();
      }),
    );
    writing = false;
    await reading;
    await open.query('COMMIT');
    await open.end();
    committed.add('84999');
    for (const { object } of (await reader.read()) as { object: string }[])
      seen.set(object, (seen.get(object) ?? 0) + 1);
    expect(late).toEqual([]);
    expect([...seen.keys()].sort()).toEqual([...committed].sort());
    expect([...seen.values()].filter((times) => times !== 1)).toEqual([]);
    expect(reads).toBeGreaterThan(10);
  });

  it('notices that the journal is another one, as after a restore', async () => {
    const other = await createTestDatabase();
    const reader = readerOf(other);
    await reader.read();
    await other.query(
      `BEGIN; ALTER TABLE changes RENAME TO former; CREATE TABLE changes (LIKE former INCLUDING ALL) PARTITION BY LIST (part);
       CREATE TABLE changes_other PARTITION OF changes DEFAULT; COMMIT`,
    );
    expect(await reader.read()).toBe('everything');
    await other.drop();
  });
});

describe('a writer of plain SQL', () => {
  it('reaches the journal whatever its search_path and its temporary tables', async () => {
    const client = await connect();
    const [before] = await database.query('SELECT count(*) FROM changes');
    await client.query(
      `CREATE TEMP TABLE changes (LIKE changes); SET search_path = ''; DELETE FROM public.group_members WHERE user_id = (SELECT min(user_id) FROM public.group_members) AND group_id = (SELECT min(group_id) FROM public.group_members m WHERE m.user_id = (SELECT min(user_id) FROM public.group_members))`,
    );
    await client.end();
    const [after] = await database.query('SELECT count(*) FROM changes');
    expect(Number(after!.count)).toBe(Number(before!.count) + 2);
  });
});

describe('the parts of the journal', () => {
  const partsOf = async () =>
    (
      await database.rows({
        text: `SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'changes'::regclass ORDER BY 1`,
        values: [],
      })
    ).flat();
  const renew = () => server.app.get(Housekeeping).run();
  const age = (days: number) =>
    database.query(
      `UPDATE change_parts SET creation_date = creation_date - make_interval(secs => ${days * 86_400})`,
    );

  it('begin with each tenth of the retention, and are dropped when everything in them is older than it', async () => {
    await age(2.9);
    await renew();
    expect(await partsOf()).toEqual(['changes_1']);

    // A transaction that began before a new part goes on in the old one.
    const reader = readerOf(database);
    await reader.read();
    const held = await connect();
    await held.query(`BEGIN; INSERT INTO categories (id, title) VALUES (86001, 'Before')`);
    await age(0.2);
    await renew();
    expect(await partsOf()).toEqual(['changes_1', 'changes_2']);
    await database.query(`INSERT INTO categories (id, title) VALUES (86002, 'After')`);
    await held.query('COMMIT');
    await held.end();
    const changes = await reader.read();
    expect((changes as { object: string }[]).map(({ object }) => object).sort()).toEqual([
      '86001',
      '86002',
    ]);
    const rows = await database.rows({
      text: `SELECT tableoid::regclass::text, object::integer FROM changes WHERE object IN (86001, 86002) ORDER BY 2`,
      values: [],
    });
    expect(rows).toEqual([
      ['changes_1', 86001],
      ['changes_2', 86002],
    ]);

    // The end of the first part was the beginning of the second.
    await age(29.9);
    await renew();
    expect(await partsOf()).toEqual(['changes_1', 'changes_2', 'changes_3']);
    const last = await idOf('SELECT xid::text::bigint FROM changes_1 ORDER BY xid DESC LIMIT 1');
    await age(0.2);
    await renew();
    expect(await partsOf()).toEqual(['changes_2', 'changes_3']);
    expect(
      await database.rows({
        text: 'SELECT part, dropped_until::text::bigint::integer FROM change_parts ORDER BY part',
        values: [],
      }),
    ).toEqual([
      [1, last],
      [2, null],
      [3, null],
    ]);
    await database.query(
      `INSERT INTO parameters (key, value) VALUES ('changes.retention', '1') ON CONFLICT (key) DO UPDATE SET value = '1'`,
    );
    await age(1.1);
    // The server hears of the parameter in a moment.
    await eventually(async () => {
      await renew();
      expect(await partsOf()).toEqual(['changes_3', 'changes_4']);
    });
    expect(await idOf('SELECT count(*) FROM change_parts WHERE part = 1')).toBe(0);

    // A slow reader does not delay other readers.
    const reading = await connect();
    await reading.query('BEGIN; SELECT count(*) FROM changes');
    await age(1.1);
    await renew().catch(() => undefined);
    expect(await partsOf()).toEqual(['changes_3', 'changes_4', 'changes_5']);
    await reading.query('COMMIT');
    await reading.end();
    const idle = readerOf(database);
    await idle.read();
    await database.query(`INSERT INTO categories (id, title) VALUES (86003, 'Unread')`);
    await renew();
    expect(await partsOf()).toEqual(['changes_4', 'changes_5']);
    // A reader that has not read what is gone has to assume that everything changed.
    await age(2);
    await renew();
    await age(2);
    await renew();
    expect(await idle.read()).toBe('everything');
    // Transactions of other databases may be older than what was dropped.
    await eventually(async () => expect(await idle.read()).toEqual([]));

    // Rows of another cluster, brought by pg_restore: they come from a future that is none.
    await database.query(
      `INSERT INTO changes (part, xid, kind, operation) SELECT max(part), '999999999999', 'tasks', 'U' FROM change_parts`,
    );
    await server.app.get(JournalParts).onApplicationBootstrap();
    expect(await idOf('SELECT count(*) FROM changes')).toBe(0);
    expect(await idOf('SELECT count(*) FROM change_parts WHERE dropped_until IS NOT NULL')).toBe(0);
  });
});
