import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { CursorsService } from '../../src/changes/cursors.service.js';
import { Database } from '../../src/database/database.js';
import { fieldNames } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { callFeed, FeedConsumer, type FeedItem } from '../support/feed-consumer.js';
import { FOLDERS, idOf, uriOf } from '../support/id-of.js';
import { statementsDuring } from '../support/statements.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Few see sources, and the feed does without them. */
const ALL_KINDS = (Object.keys(FOLDERS) as (keyof typeof FOLDERS)[]).filter(
  (kind) => kind !== 'sources',
);

let server: TestServer;
let alice: string;
let bruno: string;
let engine: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  engine = await server.signIn('process.engine');
});
afterAll(() => server.close());

const query = (text: string, values?: unknown[]) => server.database.query(text, values);

/** Every item of a list, as a token sees it. */
async function listAll(kind: keyof typeof FOLDERS, token: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (;;) {
    const path = `/api/v2/${FOLDERS[kind]}/${kind}?sorter=id&range=${items.length}-500`;
    const page = (await server.call(path, { token })).body as { id: string }[];
    items.push(...page);
    if (page.length < 500) return items;
  }
}

const create = async (kind: keyof typeof FOLDERS, body: unknown): Promise<string> => {
  const path = `/api/v2/${FOLDERS[kind]}/${kind}`;
  const answer = await server.call(path, { method: 'POST', token: alice, body });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
};
const remove = async (uri: string): Promise<void> => {
  const answer = await server.call(`/api/v2${uri}`, { method: 'DELETE', token: alice });
  expect(answer.status).toBe(204);
};

const states = (items: FeedItem[]) => items.map(({ kind, id, state }) => [kind, id, state]);

describe('the full listing of the change feed', () => {
  it.each([
    ['an administrator', () => alice],
    ['a plain user', () => bruno],
    ['a process engine', () => engine],
  ])('holds exactly the objects in the lists of %s, and ends in a cursor', async (_, token) => {
    const consumer = new FeedConsumer(server, token(), ALL_KINDS.join(','), 70);
    const items = await consumer.catchUp();
    for (const kind of ALL_KINDS) {
      const shown = await listAll(kind, token());
      const listed = items.filter((item) => item.kind === kind);
      expect(listed.map(({ object }) => object)).toEqual(shown);
    }
    expect(await consumer.catchUp()).toEqual([]);
  });

  it('answers each object with its URI and its revision', async () => {
    const [row] = await query('SELECT id::text, revision FROM categories ORDER BY id LIMIT 1');
    const { body } = await callFeed(server, alice, { kinds: 'categories', limit: 1 });
    expect(body).toEqual({
      changes: [
        {
          kind: 'categories',
          id: row!.id,
          uri: `/navigation/categories/${String(row!.id)}`,
          state: 'current',
          revision: row!.revision,
          object: expect.objectContaining({ id: row!.id }),
        },
      ],
      next: expect.any(String),
      upToDate: false,
    });
  });

  it('loses nothing that changes between its pages', async () => {
    await query(
      `INSERT INTO groups (id, label) SELECT n, 'Between ' || n FROM generate_series(900001, 900009) AS n`,
    );
    const consumer = new FeedConsumer(server, alice, 'groups', 3);
    const [before] = await query('SELECT count(*)::int AS count FROM groups WHERE id < 900001');
    while (consumer.copy.size < Number(before!.count) + 4) await consumer.page();
    // One that was listed, one that was not, one that appears before the place of the listing.
    await query(`UPDATE groups SET label = 'Changed', revision = revision + 1 WHERE id = 900001`);
    await query('DELETE FROM groups WHERE id IN (900002, 900008)');
    await query(`INSERT INTO groups (id, label) VALUES (890001, 'Late')`);
    await consumer.catchUp();
    expect(consumer.copy.get('groups 900001')?.object.label).toBe('Changed');
    expect(consumer.idsOf('groups')).toEqual((await listAll('groups', alice)).map(({ id }) => id));
  });
});

describe('the change feed', () => {
  it('answers the latest state of each changed object once, in the order of the changes', async () => {
    const consumer = new FeedConsumer(server, alice, 'categories,groups');
    await consumer.catchUp();
    const first = await create('groups', { label: 'First' });
    const second = await create('categories', { title: 'Second' });
    for (const label of ['Once', 'Twice', 'Three times'])
      await query('UPDATE groups SET label = $2, revision = revision + 1 WHERE id = $1', [
        first,
        label,
      ]);
    const { changes, upToDate } = await consumer.page();
    expect(changes).toEqual([
      expect.objectContaining({ kind: 'groups', id: first, state: 'current', revision: 4 }),
      expect.objectContaining({ kind: 'categories', id: second, state: 'current', revision: 1 }),
    ]);
    expect(changes[0]!.object.label).toBe('Three times');
    expect(upToDate).toBe(true);
    expect(await consumer.page()).toEqual({ changes: [], upToDate: true });
  });

  it('pages up to the moment of the first page, and continues from there', async () => {
    const consumer = new FeedConsumer(server, alice, 'groups', 2);
    await consumer.catchUp();
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await create('groups', { label: `Page ${n}` }));
    const pages = [await consumer.page()];
    const late = await create('groups', { label: 'Late' });
    pages.push(await consumer.page(), await consumer.page(), await consumer.page());
    expect(pages.map(({ changes }) => changes.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [late],
    ]);
    expect(pages.map(({ upToDate }) => upToDate)).toEqual([false, false, false, true]);
  });

  it('has a tombstone for an object that was deleted, without anything else about it', async () => {
    const consumer = new FeedConsumer(server, alice, 'groups,tasks');
    await consumer.catchUp();
    const group = await create('groups', { label: 'Short-lived' });
    await remove(`/directory/groups/${group}`);
    expect((await consumer.page()).changes).toEqual([
      { kind: 'groups', id: group, uri: `/directory/groups/${group}`, state: 'deleted' },
    ]);
  });

  it('has the user and the group of a membership that was added', async () => {
    const user = await idOf(server, 'users', 'chloe.lefevre');
    const group = await create('groups', { label: 'Joined' });
    const consumer = new FeedConsumer(server, alice, 'users,groups');
    await consumer.catchUp();
    await query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [group, user]);
    expect(states((await consumer.page()).changes)).toEqual([
      ['users', user, 'current'],
      ['groups', group, 'current'],
    ]);
  });

  it('continues with the cursor of another instance, and with kinds in another order', async () => {
    const { body } = await callFeed(server, alice, { kinds: 'groups,categories', limit: 1000 });
    const answer = await callFeed(server, alice, { kinds: 'categories,groups', after: body.next });
    expect(answer.body).toEqual({ changes: [], next: expect.any(String), upToDate: true });
  });

  it('passes over many changes of other kinds in bounded steps', async () => {
    const consumer = new FeedConsumer(server, alice, 'categories');
    await consumer.catchUp();
    await query(
      `INSERT INTO groups (label) SELECT 'Many ' || n FROM generate_series(1, 11000) AS n`,
    );
    const category = await create('categories', { title: 'Behind many' });
    const page = await consumer.page();
    expect(page).toEqual({ changes: [], upToDate: false });
    expect(states(await consumer.catchUp())).toEqual([['categories', category, 'current']]);
    await query(`DELETE FROM groups WHERE label LIKE 'Many %'`);
  });
});

describe('a page of the change feed', () => {
  it('takes one statement for the journal, and one for each kind', async () => {
    const consumer = new FeedConsumer(server, alice, 'groups,categories,users', 1000);
    await consumer.catchUp();
    await query(
      `INSERT INTO groups (label) SELECT 'Counted ' || n FROM generate_series(1, 300) AS n`,
    );
    await create('categories', { title: 'Counted' });
    const statements = await statementsDuring(async () => {
      expect((await consumer.page()).changes).toHaveLength(301);
    });
    // After a while, the server reads the caller of a token again.
    expect(statements.filter((text) => !text.includes('FROM tokens'))).toHaveLength(3);
    await query(`DELETE FROM groups WHERE label LIKE 'Counted %'`);
  });

  it('reads the journal from the cursor on, however much is before it', async () => {
    await query(
      `INSERT INTO changes (part, kind, object, operation)
        SELECT (SELECT max(part) FROM change_parts), 'groups', 1, 'U' FROM generate_series(1, 30000)`,
    );
    await query('ANALYZE changes');
    const consumer = new FeedConsumer(server, alice, 'groups', 1000);
    await consumer.catchUp();
    const spy = jest.spyOn(Database.prototype, 'rows');
    await consumer.page();
    const { text, values } = spy.mock.calls.find(([one]) => one.text.includes('scanned'))![0];
    spy.mockRestore();
    const explain = { text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values };
    // The first statement of a connection reads the catalogue too.
    await server.database.rows(explain);
    const [row] = await server.database.rows(explain);
    const [{ Plan: plan }] = row![0] as [{ Plan: Record<string, number> }];
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(100);
  });
});

describe('the change feed of a plain user', () => {
  it('has tasks that came and went, and none of other people', async () => {
    const [row] = await query('SELECT min(id)::text AS id FROM applications');
    const application = `/navigation/applications/${String(row!.id)}`;
    const me = await uriOf(server, 'users', 'bruno.keller');
    const other = await uriOf(server, 'users', 'chloe.lefevre');
    const task = (assignee: string) => create('tasks', { title: 'Feed', application, assignee });
    const leaving = await task(me);
    const deleted = await task(me);
    const consumer = new FeedConsumer(server, bruno, 'tasks');
    await consumer.catchUp();
    const forEngine = new FeedConsumer(server, engine, 'tasks');
    await forEngine.catchUp();
    const foreign = await task(other);
    const coming = await task(me);
    await query('UPDATE tasks SET assignee_id = $2 WHERE id = $1', [
      leaving,
      other.split('/').at(-1),
    ]);
    await remove(`/process/tasks/${deleted}`);
    expect(states((await consumer.page()).changes)).toEqual([
      ['tasks', coming, 'current'],
      ['tasks', leaving, 'out-of-sight'],
      // What was deleted and what is hidden look the same to who does not see every task.
      ['tasks', deleted, 'out-of-sight'],
    ]);
    expect(states((await forEngine.page()).changes)).toEqual([
      ['tasks', foreign, 'current'],
      ['tasks', coming, 'current'],
      ['tasks', leaving, 'current'],
      ['tasks', deleted, 'deleted'],
    ]);
  });

  it('has the views of an application that is no longer for the user, and again when it is', async () => {
    const application = await create('applications', { title: 'Feed', type: 'PROCESS' });
    const uri = `/navigation/applications/${application}`;
    const view = await create('views', { label: 'Feed', application: uri });
    const consumer = new FeedConsumer(server, bruno, 'views,applications');
    await consumer.catchUp();
    expect(consumer.idsOf('views')).toContain(view);
    await query('UPDATE applications SET active = false WHERE id = $1', [application]);
    expect(states((await consumer.page()).changes)).toEqual([
      ['applications', application, 'out-of-sight'],
      ['views', view, 'out-of-sight'],
    ]);
    await query('UPDATE applications SET active = true WHERE id = $1', [application]);
    expect(states((await consumer.page()).changes)).toEqual([
      ['applications', application, 'current'],
      ['views', view, 'current'],
    ]);
  });

  it('shows an object as it may be seen at the time of reading, not at the time of the change', async () => {
    const document = await create('documents', { title: 'For a moment', status: 1 });
    const consumer = new FeedConsumer(server, bruno, 'documents');
    await consumer.catchUp();
    await query(`UPDATE documents SET title = 'Public' WHERE id = $1`, [document]);
    await query('UPDATE documents SET status = 0 WHERE id = $1', [document]);
    expect(states((await consumer.page()).changes)).toEqual([
      ['documents', document, 'out-of-sight'],
    ]);
  });

  it('hides the confidential attributes of other users', async () => {
    await query(`UPDATE users SET external_id = 'E-77' WHERE login = 'chloe.lefevre'`);
    const [theirs, all] = [bruno, alice].map((token) => new FeedConsumer(server, token, 'users'));
    await theirs!.catchUp();
    await all!.catchUp();
    const key = `users ${await idOf(server, 'users', 'chloe.lefevre')}`;
    expect(theirs!.copy.get(key)!.object.externalId).toBeNull();
    expect(all!.copy.get(key)!.object.externalId).toBe('E-77');
  });
});

describe('a bad request to the change feed', () => {
  it.each([
    ['', ['kinds']],
    ['kinds=', ['kinds']],
    ['kinds=users,', ['kinds']],
    ['kinds=users,rooms', ['kinds']],
    ['kinds=favourites', ['kinds']],
    ['kinds=Users', ['kinds']],
    ['kinds=users,users', ['kinds']],
    ['kinds=users&kinds=groups', ['kinds']],
    ['kinds=users&limit=0', ['limit']],
    ['kinds=users&limit=1001', ['limit']],
    ['kinds=users&limit=-1', ['limit']],
    ['kinds=users&limit=1.5', ['limit']],
    ['kinds=users&limit=', ['limit']],
    ['kinds=users&wait=61', ['wait']],
    ['kinds=users&wait=x', ['wait']],
    ['kinds=users&wait=1&wait=2', ['wait']],
    ['kinds=users&after=', ['after']],
    ['kinds=users&after=x', ['after']],
    ['kinds=users&range=0-10', ['range']],
    [
      'kinds=rooms&after=x&limit=0&wait=61&sorter=id',
      ['sorter', 'kinds', 'after', 'limit', 'wait'],
    ],
  ])('is a 400 that names every problem: %s', async (parameters, names) => {
    const answer = await server.call(`/api/v2/changes?${parameters}`, { token: alice });
    expect([answer.status, fieldNames(answer)]).toEqual([400, names]);
  });

  it('gets a 400 that names the allowed values', async () => {
    const answer = await server.call('/api/v2/changes?kinds=rooms&limit=0&wait=61&range=0-1', {
      token: alice,
    });
    expect(answer.body).toEqual({
      code: 400,
      message: 'Invalid: range, kinds, limit, wait',
      fields: [
        { name: 'range', message: 'unknown parameter; known: kinds, after, limit, wait' },
        {
          name: 'kinds',
          message:
            'unknown kind rooms; known: users, groups, organizations, categories, applications, views, tasks, documents, news, faqs, customers',
        },
        { name: 'limit', message: 'must be a whole number from 1 to 1000' },
        { name: 'wait', message: 'must be a whole number from 0 to 60' },
      ],
    });
  });

  it('is a 401 without a token, and a 406 for an Accept header that excludes both types', async () => {
    expect((await callFeed(server, undefined, { kinds: 'users' })).status).toBe(401);
    const accept = 'application/json;q=0, application/x-ndjson;q=0';
    const excluded = await callFeed(server, alice, { kinds: 'users' }, accept);
    expect([excluded.status, excluded.body]).toEqual([
      406,
      {
        code: 406,
        message:
          'Not acceptable: the Accept header accepts neither application/json nor application/x-ndjson',
      },
    ]);
  });

  const cursor = async (kinds: string): Promise<string> =>
    (await callFeed(server, alice, { kinds, limit: 1 })).body.next as string;

  it('is a 400 for a cursor of another caller, and for one of other kinds', async () => {
    const after = await cursor('groups');
    const foreign = await callFeed(server, bruno, { kinds: 'groups', after });
    expect([foreign.status, foreign.body.fields]).toEqual([
      400,
      [{ name: 'after', message: 'is a cursor of another caller' }],
    ]);
    const others = await callFeed(server, alice, { kinds: 'groups,users', after });
    expect([others.status, others.body.fields]).toEqual([
      400,
      [{ name: 'after', message: 'is a cursor of other kinds: groups' }],
    ]);
  });

  it('is a 400 for a cursor that a client has altered or forged', async () => {
    const [keyId, payload, signature] = (await cursor('groups')).split('.') as [
      string,
      string,
      string,
    ];
    const parts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    parts[7] = 0;
    parts[8] = 0;
    const forged = Buffer.from(JSON.stringify(parts)).toString('base64url');
    const other = createHmac('sha256', 'guessed').update(forged).digest('base64url');
    for (const after of [
      `${keyId}.${forged}.${signature}`,
      `${keyId}.${forged}.${other}`,
      `${keyId}.${payload}.${signature.slice(0, -1)}_`,
      `${keyId}.${payload}`,
      `${keyId}.${payload}.${signature}.`,
    ]) {
      const answer = await callFeed(server, alice, { kinds: 'groups', after });
      expect([answer.status, answer.body.fields]).toEqual([
        400,
        [{ name: 'after', message: 'is not a cursor of this feed' }],
      ]);
    }
  });
});

describe('a cursor that cannot be continued', () => {
  const gone = (reason: string) => ({
    code: 410,
    message: `The cursor cannot be continued: ${reason}. Start again without it`,
  });
  const OTHER_RIGHTS = 'your rights have changed since, and with them what you may see';
  const ANOTHER = 'it belongs to another database, or to a time before a restore or a failover';

  async function expectGone(
    token: string,
    kinds: string,
    reason: string,
    change: () => Promise<unknown>,
  ) {
    const consumer = new FeedConsumer(server, token, kinds);
    await consumer.catchUp();
    await change();
    const answer = await callFeed(server, token, { kinds, after: consumer.cursor });
    expect([answer.status, answer.body]).toEqual([410, gone(reason)]);
    const lines = await callFeed(
      server,
      token,
      { kinds, after: consumer.cursor },
      'application/x-ndjson',
    );
    expect([lines.status, lines.body]).toEqual([410, gone(reason)]);
    // A new listing is the way on.
    await new FeedConsumer(server, token, kinds).catchUp();
  }

  it('is a 410 after the caller has joined or left a group, for kinds whose visibility depends on groups', async () => {
    const group = await create('groups', { label: 'Rights' });
    const me = await idOf(server, 'users', 'bruno.keller');
    await expectGone(bruno, 'tasks,users', OTHER_RIGHTS, () =>
      query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [group, me]),
    );
    await expectGone(bruno, 'documents', OTHER_RIGHTS, () =>
      query('DELETE FROM group_members WHERE group_id = $1 AND user_id = $2', [group, me]),
    );
  });

  it('continues after such a change for kinds that all users see completely', async () => {
    const consumer = new FeedConsumer(server, bruno, 'users,groups');
    await consumer.catchUp();
    const group = await create('groups', { label: 'No matter' });
    const me = await idOf(server, 'users', 'bruno.keller');
    await query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [group, me]);
    expect(states(await consumer.catchUp())).toEqual([
      ['groups', group, 'current'],
      ['users', me, 'current'],
    ]);
  });

  it('is a 410 after the organization of the caller has changed', async () => {
    await expectGone(bruno, 'news', OTHER_RIGHTS, () =>
      query(
        `UPDATE users SET organization_id = (SELECT id FROM organizations WHERE reference = 'IT') WHERE login = 'bruno.keller'`,
      ),
    );
  });

  it('is a 410 after the caller has become an administrator', async () => {
    await expectGone(bruno, 'users', OTHER_RIGHTS, async () => {
      await query(`UPDATE users SET administrator = true WHERE login = 'bruno.keller'`);
      // The change of the account reaches the server with a notification.
      let isKnown = false;
      while (!isKnown) {
        const { status } = await server.call('/api/v2/administration/audit', { token: bruno });
        isKnown = status === 200;
      }
    });
    await query(`UPDATE users SET administrator = false WHERE login = 'bruno.keller'`);
  });

  it('is a 410 in the middle of a listing, too', async () => {
    const { body } = await callFeed(server, engine, { kinds: 'documents', limit: 1 });
    const group = await create('groups', { label: 'Within' });
    const me = await idOf(server, 'users', 'process.engine');
    await query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [group, me]);
    const answer = await callFeed(server, engine, { kinds: 'documents', after: body.next });
    expect([answer.status, answer.body]).toEqual([410, gone(OTHER_RIGHTS)]);
  });

  it('is a 410 after a table was emptied as a whole', async () => {
    await expectGone(alice, 'faqs', 'all faqs were removed at once since', () =>
      query('TRUNCATE faqs CASCADE'),
    );
    const consumer = new FeedConsumer(server, alice, 'groups');
    await consumer.catchUp();
    await query('TRUNCATE customers CASCADE');
    expect(await consumer.catchUp()).toEqual([]);
  });

  it('is a 410 after a part of the journal with changes after it was dropped', async () => {
    const consumer = new FeedConsumer(server, alice, 'groups');
    await consumer.catchUp();
    await create('groups', { label: 'Dropped' });
    // Transactions of other databases count as those in progress: an older one would make the cursor need the change.
    await eventually(async () => {
      const [row] = await query(
        `SELECT pg_snapshot_xmin(pg_current_snapshot()) > max(xid) AS "isOver" FROM changes`,
      );
      expect(row!.isOver).toBe(true);
    });
    const later = new FeedConsumer(server, alice, 'groups');
    await later.catchUp();
    await query(
      `INSERT INTO change_parts (part, dropped_until) SELECT 0, xid FROM changes ORDER BY xid DESC LIMIT 1`,
    );
    const answer = await callFeed(server, alice, { kinds: 'groups', after: consumer.cursor });
    expect([answer.status, answer.body]).toEqual([
      410,
      gone('the changes after it are no longer kept'),
    ]);
    // What a cursor does not need may be dropped.
    expect(await later.catchUp()).toEqual([]);
    await query('DELETE FROM change_parts WHERE part = 0');
  });

  it('is a 410 in another database, which has another secret', async () => {
    const other = await startTestServer();
    try {
      // Every database of the tests is a copy of one, and has its secret too.
      await other.database.query('UPDATE feed_secrets SET secret = $1', [Buffer.from('another')]);
      const token = await other.signIn('alice.martin');
      const { body } = await callFeed(other, token, { kinds: 'groups' });
      const answer = await callFeed(server, alice, { kinds: 'groups', after: body.next });
      expect([answer.status, answer.body]).toEqual([410, gone(ANOTHER)]);
      const wrong = await callFeed(server, alice, { kinds: 'groups', after: body.next, limit: 0 });
      expect([wrong.status, fieldNames(wrong)]).toEqual([400, ['limit']]);
    } finally {
      await other.close();
    }
  });

  it('is a 410 in a copy of the database', async () => {
    const other = await startTestServer();
    try {
      const token = await other.signIn('alice.martin');
      const { body } = await callFeed(other, token, { kinds: 'groups' });
      const answer = await callFeed(server, alice, { kinds: 'groups', after: body.next });
      expect([answer.status, answer.body]).toEqual([410, gone(ANOTHER)]);
    } finally {
      await other.close();
    }
  });

  it('is a 410 after the data folder of an earlier day was put back', async () => {
    const cursors = server.app.get(CursorsService);
    const { body } = await callFeed(server, alice, { kinds: 'groups' });
    const known = (await cursors.read((body as { next: string }).next))!;
    const next = String(BigInt(known.from.next) + 1_000_000n);
    const after = await cursors.sign({ ...known, from: { ...known.from, next } });
    const answer = await callFeed(server, alice, { kinds: 'groups', after });
    expect([answer.status, answer.body]).toEqual([410, gone(ANOTHER)]);
  });

  it('is a 410 after the journal was restored', async () => {
    const other = await startTestServer();
    try {
      const token = await other.signIn('alice.martin');
      const { body } = await callFeed(other, token, { kinds: 'groups' });
      await other.database.query(`
        ALTER TABLE changes RENAME TO former;
        CREATE TABLE changes (LIKE former INCLUDING ALL) PARTITION BY LIST (part);
        CREATE TABLE changes_again PARTITION OF changes DEFAULT`);
      const answer = await callFeed(other, token, { kinds: 'groups', after: body.next });
      expect([answer.status, answer.body]).toEqual([410, gone(ANOTHER)]);
    } finally {
      await other.close();
    }
  });
});

describe('the change feed as NDJSON', () => {
  const NDJSON = 'application/x-ndjson';
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('answers the whole listing, an object a line, and the cursor in the last line', async () => {
    await query(
      `INSERT INTO groups (label) SELECT 'Line ' || n FROM generate_series(1, 1200) AS n`,
    );
    const answer = await callFeed(server, alice, { kinds: 'categories,groups' }, NDJSON);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(NDJSON);
    const lines = linesOf(answer.text);
    const end = lines.pop()!;
    expect(end).toEqual({ next: expect.any(String), upToDate: true });
    const { body } = await callFeed(server, alice, { kinds: 'categories', limit: 1000 });
    expect(lines.filter(({ kind }) => kind === 'categories')).toEqual(body.changes);
    expect(lines.filter(({ kind }) => kind === 'groups').map(({ object }) => object)).toEqual(
      await listAll('groups', alice),
    );
    const after = await callFeed(server, alice, {
      kinds: 'categories,groups',
      after: String(end.next),
    });
    expect(after.body.changes).toEqual([]);
    await query(`DELETE FROM groups WHERE label LIKE 'Line %'`);
    const changes = await callFeed(
      server,
      alice,
      { kinds: 'categories,groups', after: String(end.next) },
      NDJSON,
    );
    const deleted = linesOf(changes.text);
    expect(deleted.pop()).toEqual({ next: expect.any(String), upToDate: true });
    expect(deleted).toHaveLength(1200);
    expect(new Set(deleted.map(({ state }) => state))).toEqual(new Set(['deleted']));
  });

  it('answers one page where the request has a limit', async () => {
    const answer = await callFeed(server, alice, { kinds: 'users', limit: 3 }, NDJSON);
    const lines = linesOf(answer.text);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toEqual({ next: expect.any(String), upToDate: false });
  });

  it.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, application/x-ndjson', 'application/json; charset=utf-8'],
    ['application/x-ndjson;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, application/x-ndjson', NDJSON],
    ['application/x-ndjson, */*;q=0.1', NDJSON],
  ])('is chosen by the Accept header: %s', async (accept, type) => {
    const answer = await callFeed(server, alice, { kinds: 'categories' }, accept);
    expect(answer.headers['content-type']).toBe(type);
  });
});

describe('the change feed beside concurrent writers', () => {
  /** How many objects each writer makes. */
  const OBJECTS = 60;

  it('delivers every committed change, and none that was rolled back, whatever transactions are open', async () => {
    const consumers = [3, 50, 1000].map(
      (limit) => new FeedConsumer(server, alice, 'categories', limit),
    );
    for (const consumer of consumers) await consumer.catchUp();
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client(server.database.connection);
      await client.connect();
      return client;
    };
    const insert = (client: pg.Client, title: string) =>
      client.query(`INSERT INTO categories (title) VALUES ('${title}')`);
    // One transaction writes throughout.
    const long = await connect();
    await long.query('BEGIN');
    await insert(long, 'feed long');
    const writer = async (name: number): Promise<void> => {
      const client = await connect();
      for (let n = 0; n < OBJECTS; n++) {
        await client.query('BEGIN');
        await insert(client, `feed ${name} ${n}`);
        await client.query('SAVEPOINT here');
        await insert(client, `never ${name} ${n}`);
        await client.query('ROLLBACK TO here');
        await client.query('SAVEPOINT there');
        await insert(client, `feed ${name} ${n} nested`);
        if (n % 20 === name) await delay(400);
        await client.query(n % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
      }
      await client.end();
    };
    let isWriting = true;
    const readers = consumers.map(async (consumer) => {
      while (isWriting) await consumer.page();
    });
    await Promise.all([0, 1, 2, 3, 4, 5].map(writer));
    await insert(long, 'feed long at last');
    await long.query('COMMIT');
    await long.end();
    isWriting = false;
    await Promise.all(readers);
    const rows = await query(
      `SELECT id::text FROM categories WHERE title LIKE 'feed %' OR title LIKE 'never %' ORDER BY categories.id`,
    );
    const expected = rows.map(({ id }) => id as string);
    expect(expected).toHaveLength(6 * OBJECTS * 2 * 0.8 + 2);
    for (const consumer of consumers) {
      await consumer.catchUp();
      const titles = [...consumer.copy.values()].filter(({ object }) =>
        /^(feed|never) /.test(object.title as string),
      );
      expect(titles.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(expected);
      expect(titles.every(({ object }) => (object.title as string).startsWith('feed '))).toBe(true);
    }
  });
});
