import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Rights } from '../../src/base/rights/rights.js';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { ChangeReader } from '../../src/journal/change-reader.js';
import { ReadBarrier } from '../../src/journal/read-barrier.js';
import type { Caller } from '../../src/security/caller.js';
import { NavigationMemory } from '../../src/navigation/memory/navigation-memory.js';
import { query } from '../support/call.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send, startTestServer, type TestServer } from '../support/test-server.js';

const WORKPLACE = '/navigation/workplace';

let server: TestServer;
let second: NestExpressApplication;
let secondPort: number;
let alice: string;
let bruno: string;
let brunoId: string;
let groupId: string;
let otherGroupId: string;
let tile: string;
let categoryId: string;

const sql = (text: string) => server.database.query<{ id: string }>(text);
const idOf = async (text: string): Promise<string> => (await sql(text))[0]!.id;
const memory = () => server.app.get(NavigationMemory);
const count = (token = bruno, port = server.port) =>
  send(port, `${WORKPLACE}/apps/indicator${query({ applicationUri: tile })}`, { token });
const countOf = async (...args: Parameters<typeof count>): Promise<number> =>
  ((await count(...args)).body as { count: number }).count;

/** Every route that answers from memory, for bruno. */
const paths = (): Record<string, string> => ({
  categories: `${WORKPLACE}/categories`,
  apps: `${WORKPLACE}/apps${query({ category: `/navigation/categories/${categoryId}` })}`,
  indicator: `${WORKPLACE}/apps/indicator${query({ applicationUri: tile })}`,
  count: `${WORKPLACE}/views/count${query({ applicationUri: tile })}`,
  workplace: WORKPLACE,
});
/** `count` answers like `indicator`, from the same memory. */
const COUNTERS = ['indicator', 'workplace'];
const ALL = ['categories', 'apps', ...COUNTERS];

/** Reads every route, and returns those that were read from the database. */
async function readAgain(): Promise<string[]> {
  const fromDatabase: string[] = [];
  for (const [name, path] of Object.entries(paths())) {
    const { misses } = memory().lookups;
    const { status } = await server.call(path, { token: bruno });
    expect([name, status]).toEqual([name, 200]);
    if (memory().lookups.misses > misses) fromDatabase.push(name);
  }
  return fromDatabase;
}

beforeAll(async () => {
  server = await startTestServer();
  second = await createApp(
    loadConfig({ LOG_LEVEL: 'silent' }).withDatabase(server.database.connection),
  );
  await second.listen(0, '127.0.0.1');
  secondPort = (second.getHttpServer().address() as AddressInfo).port;
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  brunoId = await idOf(`SELECT id FROM users WHERE login = 'bruno.keller'`);
  groupId = await idOf(`SELECT group_id AS id FROM group_members WHERE user_id = ${brunoId}`);
  otherGroupId = await idOf(
    `SELECT id FROM groups WHERE id NOT IN (SELECT group_id FROM group_members WHERE user_id = ${brunoId})`,
  );
  categoryId = await idOf(
    `INSERT INTO categories (title, translations) VALUES ('Memory', '{"fr": {"title": "Mémoire"}}') RETURNING id`,
  );
  const applicationId = await idOf(
    `INSERT INTO applications (title, type) VALUES ('Remembered', 'PROCESS') RETURNING id`,
  );
  tile = `/navigation/applications/${applicationId}`;
  await sql(`INSERT INTO application_categories VALUES (${applicationId}, ${categoryId})`);
  await sql(`WITH v AS (INSERT INTO views (label, application_id, filters) VALUES ('Open', ${applicationId}, '{status:eq:open}') RETURNING id)
    UPDATE applications SET view_id = (SELECT id FROM v) WHERE id = ${applicationId}`);
});
afterAll(async () => {
  await second.close();
  await server.close();
});

const insertTask = (owner: string, value: string | null) =>
  sql(
    `INSERT INTO tasks (title, application_id, ${owner}) VALUES ('Task', ${tile.split('/').at(-1)}, ${value}) RETURNING id`,
  );

describe('an answer from memory', () => {
  it('has the bytes, the headers and the ETag of the one from the database', async () => {
    await insertTask('assignee_id', brunoId);
    await readAgain();
    for (const path of Object.values(paths())) {
      const remembered = await server.call(path, { token: bruno });
      const { misses } = memory().lookups;
      await sql(`UPDATE categories SET position = position WHERE id = ${categoryId}`);
      const read = await server.call(path, { token: bruno });
      expect(memory().lookups.misses).toBe(misses + 1);
      expect(remembered.text).toBe(read.text);
      for (const header of ['etag', 'content-type', 'cache-control', 'vary'])
        expect([header, remembered.headers[header]]).toEqual([header, read.headers[header]]);
      const etag = String(read.headers.etag);
      const known = await server.call(path, { token: bruno, headers: { 'If-None-Match': etag } });
      expect([known.status, known.text]).toEqual([304, '']);
      const head = await server.call(path, { token: bruno, method: 'HEAD' });
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(read.text)));
    }
  });

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['nothing', () => Promise.resolve(), []],
    ['a task of the person', () => insertTask('assignee_id', brunoId), COUNTERS],
    ['a task of a group of the person', () => insertTask('group_id', groupId), COUNTERS],
    ['a task of another group', () => insertTask('group_id', otherGroupId), []],
    ['a task without an assignee', () => insertTask('group_id', 'NULL'), []],
    [
      'a task that is taken away from the person',
      () => sql(`UPDATE tasks SET assignee_id = NULL WHERE assignee_id = ${brunoId}`),
      COUNTERS,
    ],
    [
      'the name of another person',
      () => sql(`UPDATE users SET nick_name = 'N' WHERE login = 'chloe.lefevre'`),
      [],
    ],
    ['the person', () => sql(`UPDATE users SET nick_name = 'N' WHERE id = ${brunoId}`), ALL],
    [
      'the groups of the person',
      () => sql(`INSERT INTO group_members VALUES (${otherGroupId}, ${brunoId})`),
      ALL,
    ],
    ['a task of the new group', () => insertTask('group_id', otherGroupId), COUNTERS],
    [
      'an organization above the person',
      () =>
        sql(
          `UPDATE organizations SET description = 'D' WHERE id = (SELECT path[1] FROM organizations o JOIN users u ON u.organization_id = o.id WHERE u.id = ${brunoId})`,
        ),
      ALL,
    ],
    [
      'an organization elsewhere',
      () =>
        sql(
          `UPDATE organizations SET description = 'D' WHERE NOT (id = ANY ((SELECT path FROM organizations o JOIN users u ON u.organization_id = o.id WHERE u.id = ${brunoId})::bigint[]))`,
        ),
      [],
    ],
    [
      'the favourites of the person',
      () => sql(`INSERT INTO favourites VALUES (${brunoId}, ${tile.split('/').at(-1)}, 9)`),
      ALL,
    ],
    ['a category', () => sql(`UPDATE categories SET position = position`), ALL],
    ['an application', () => sql(`UPDATE applications SET keywords = 'k' WHERE id = 1`), ALL],
    ['a view', () => sql(`UPDATE views SET label = label`), ALL],
    ['content', () => sql(`UPDATE documents SET description = 'D'`), []],
  ])('is read again only where it depends on the change: %s', async (_, change, expected) => {
    await readAgain();
    await change();
    expect(await readAgain()).toEqual(expected);
    expect(await readAgain()).toEqual([]);
  });

  it('is read again after a change of any person where a view filters by people', async () => {
    const view = `(SELECT view_id FROM applications WHERE id = ${tile.split('/').at(-1)})`;
    await sql(
      `UPDATE views SET filters = '{status:eq:open,assignee.lastName:eq:Renamed}' WHERE id = ${view}`,
    );
    const chloe = await idOf(`SELECT id FROM users WHERE login = 'chloe.lefevre'`);
    await sql(
      `INSERT INTO tasks (title, application_id, assignee_id, group_id) VALUES ('Shared', ${tile.split('/').at(-1)}, ${chloe}, ${groupId})`,
    );
    expect(await countOf()).toBe(0);
    await sql(`UPDATE users SET last_name = 'Renamed' WHERE id = ${chloe}`);
    expect(await countOf()).toBe(1);
    // The text is none of the caller's own here.
    await sql(
      `UPDATE views SET filters = '{status:eq:open,assignee.email:ends:@me}' WHERE id = ${view}`,
    );
    expect(await countOf()).toBe(0);
    await sql(`UPDATE users SET email = 'chloe@me' WHERE id = ${chloe}`);
    expect(await countOf()).toBe(1);
    // Who closed a task need not see it.
    await sql(`UPDATE tasks SET closed_by_id = ${chloe} WHERE title = 'Shared'`);
    await sql(`UPDATE views SET filters = '{closedBy.userFunction:eq:Chair}' WHERE id = ${view}`);
    expect(await countOf()).toBe(0);
    await sql(`UPDATE users SET user_function = 'Chair' WHERE id = ${chloe}`);
    expect(await countOf()).toBe(1);
    await sql(`UPDATE views SET filters = '{status:eq:open}' WHERE id = ${view}`);
  });

  it('is read again after a change of a source where a view filters by sources', async () => {
    const view = `(SELECT view_id FROM applications WHERE id = ${tile.split('/').at(-1)})`;
    const source = await idOf(`INSERT INTO sources (label) VALUES ('Former') RETURNING id`);
    await sql(
      `INSERT INTO tasks (title, application_id, group_id, source_id) VALUES ('Pushed', ${tile.split('/').at(-1)}, ${groupId}, ${source})`,
    );
    await sql(`UPDATE views SET filters = '{source.label:eq:Present}' WHERE id = ${view}`);
    expect(await countOf()).toBe(0);
    await sql(`UPDATE sources SET label = 'Present' WHERE id = ${source}`);
    expect(await countOf()).toBe(1);
    await sql(`UPDATE views SET filters = '{status:eq:open}' WHERE id = ${view}`);
  });

  it('is another one in another language', async () => {
    const titles = async () =>
      (
        (await server.call(`${WORKPLACE}/categories`, { token: bruno })).body as { title: string }[]
      ).map(({ title }) => title);
    expect(await titles()).toContain('Memory');
    const patch = [{ op: 'replace', path: '/locale', value: 'fr' }];
    await server.call('/api/v2/directory/users/me', { method: 'PATCH', token: bruno, body: patch });
    expect(await titles()).toContain('Mémoire');
  });

  it('is in the present language of its person, however that was changed', async () => {
    const titles = async () =>
      (
        (await send(server.port, `${WORKPLACE}/categories`, { token: bruno })).body as {
          title: string;
        }[]
      ).map(({ title }) => title);
    const byApi = (value: string) =>
      send(secondPort, '/api/v2/directory/users/me', {
        ...{ method: 'PATCH', token: bruno },
        body: [{ op: 'replace', path: '/locale', value }],
      });
    const bySql = (value: string) =>
      sql(`UPDATE users SET locale = '${value}' WHERE id = ${brunoId}`);
    // A notification usually arrives in time too: the journal alone has to do.
    await sql('ALTER TABLE users DISABLE TRIGGER users_end_sessions');
    for (const set of [byApi, bySql, byApi, bySql])
      for (const [locale, title] of Object.entries({ en: 'Memory', fr: 'Mémoire' })) {
        await set(locale);
        // Afterwards the caller is in memory too.
        for (let call = 1; call <= 3; call++)
          expect([call, await titles()]).toEqual([call, expect.arrayContaining([title])]);
      }
    await sql('ALTER TABLE users ENABLE TRIGGER users_end_sessions');
  });

  it('is never older than a change that was acknowledged before, on any instance, however it was written', async () => {
    const token = await server.signIn('bruno.keller');
    let acknowledged = await countOf(token);
    let writing = true;
    const wrong: string[] = [];
    let reads = 0;
    const read = async (port: number) => {
      while (writing) {
        const before = acknowledged;
        const found = await countOf(token, port);
        if (found < before) wrong.push(`${found} after ${before}`);
        reads++;
      }
    };
    const write = async (writer: number) => {
      for (let turn = 0; turn < 30; turn++) {
        if (writer === 0) await insertTask('assignee_id', brunoId);
        else
          await send(writer === 1 ? server.port : secondPort, '/api/v2/process/tasks', {
            method: 'POST',
            token: alice,
            body: { title: 'Task', application: tile, assignee: `/directory/users/${brunoId}` },
          });
        acknowledged++;
      }
    };
    const readers = [server.port, secondPort, server.port, secondPort].map(read);
    await Promise.all([0, 1, 2].map(write));
    writing = false;
    await Promise.all(readers);
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(20);
    expect(await countOf(token)).toBe(acknowledged);
    expect(await countOf(token, secondPort)).toBe(acknowledged);
  });

  it('waits for a read of the journal that starts after the request has arrived', async () => {
    const before = await countOf();
    await countOf();
    let hasRead: () => void = () => undefined;
    let letGo: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    const held = new Promise<void>((resolve) => (letGo = resolve));
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its reader
    const original = ChangeReader.prototype.read;
    const spy = jest.spyOn(ChangeReader.prototype, 'read').mockImplementationOnce(async function (
      this: ChangeReader,
    ) {
      const result = await original.call(this);
      hasRead();
      await held;
      return result;
    });
    const first = countOf();
    await read;
    await insertTask('assignee_id', brunoId);
    const second = countOf();
    // Until the second request waits for the barrier too.
    await new Promise((resolve) => setTimeout(resolve, 200));
    letGo();
    expect([await first, await second]).toEqual([before, before + 1]);
    spy.mockRestore();
  });

  it('is not kept where something changed while it was read', async () => {
    const { id, locale } = (await server.call('/api/v2/directory/users/me', { token: bruno }))
      .body as { id: string; locale: 'fr' };
    const caller = { id, locale, rights: Rights.none } as Caller;
    let body = 'old';
    const load = async () => {
      const read = body;
      body = 'new';
      await sql(`UPDATE tasks SET title = title WHERE assignee_id = ${brunoId}`);
      // Another request sees the change before this one has ended.
      await server.app.get(ReadBarrier).pass();
      return read;
    };
    const request = { caller, hasPassedBarrier: true };
    const answer = () => memory().answer(request, 'raced', { hasCounters: true, load });
    expect((await answer()).text).toBe('"old"');
    expect((await answer()).text).toBe('"new"');
  });
});

describe('the memory', () => {
  it('is bounded, and drops the oldest answers', async () => {
    const small = await createApp(
      loadConfig({ LOG_LEVEL: 'silent', NAVIGATION_MEMORY: '1' }).withDatabase(
        server.database.connection,
      ),
    );
    await small.listen(0, '127.0.0.1');
    const kept = small.get(NavigationMemory);
    await eventually(async () => expect(await small.get(ReadBarrier).pass()).toBe(true));
    const personOf = (id: number) =>
      ({ id: String(id), locale: 'en', rights: Rights.none }) as Caller;
    const answer = (person: number, body: unknown, key = 'large') =>
      kept.answer({ caller: personOf(person), hasPassedBarrier: true }, key, {
        load: () => Promise.resolve(body),
      });
    // Counters and favourites are a person's own, the rest is kept once.
    const tile = (count: number) => ({ title: 'x'.repeat(10_000), count, favourite: count > 50 });
    for (let person = 1; person <= 100; person++) await answer(person, tile(person));
    expect(kept.size).toBeLessThan(200_000);
    const { hits } = kept.lookups;
    for (let person = 1; person <= 100; person++)
      expect((await answer(person, 'read again')).text).toBe(JSON.stringify(tile(person)));
    expect(kept.lookups.hits).toBe(hits + 100);
    // All that one person asks for is measured.
    const { size } = kept;
    for (let category = 1; category <= 100; category++)
      await answer(1, tile(category), `apps ${category} ${'?'.repeat(1_000)}`);
    expect(kept.size).toBeGreaterThan(size + 200_000);
    for (let person = 1; person <= 1_500; person++) {
      await answer(person + 1000, String(person).repeat(3_000));
      expect(kept.size).toBeLessThanOrEqual(2 ** 20);
    }
    expect(kept.size).toBeGreaterThan(2 ** 19);
    await small.close();
  });

  it('keeps nothing where it is switched off', async () => {
    const without = await createApp(
      loadConfig({ LOG_LEVEL: 'silent', NAVIGATION_MEMORY: '0' }).withDatabase(
        server.database.connection,
      ),
    );
    await without.listen(0, '127.0.0.1');
    const { port } = without.getHttpServer().address() as AddressInfo;
    for (let turn = 1; turn <= 3; turn++) {
      expect((await count(bruno, port)).status).toBe(200);
      expect(without.get(NavigationMemory).lookups).toEqual({ hits: 0, misses: turn });
    }
    await without.close();
  });

  it('is used again after its connection was lost', async () => {
    await readAgain();
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'process-platform listener' AND datname = current_database()`,
    );
    await insertTask('assignee_id', brunoId);
    await eventually(async () => {
      await readAgain();
      expect(await readAgain()).toEqual([]);
    });
    expect(await countOf()).toBe(
      Number(
        await idOf(`SELECT count(*) AS id FROM tasks WHERE application_id = ${tile.split('/').at(-1)}
        AND status = 'open' AND (assignee_id = ${brunoId} OR group_id IN (SELECT group_id FROM group_members WHERE user_id = ${brunoId}))`),
      ),
    );
  });

  it('is used again after connections ended while they were made', async () => {
    const proxy = await startDatabaseProxy(server.database.connection.host);
    const app = await createApp(
      loadConfig({ LOG_LEVEL: 'silent' }).withDatabase({
        ...server.database.connection,
        host: proxy.host,
      }),
    );
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const isUsed = async () => {
      expect((await count(bruno, port)).status).toBe(200);
      expect(app.get(NavigationMemory).lookups.hits).toBeGreaterThan(hits);
    };
    let hits = 0;
    await eventually(isUsed);
    ({ hits } = app.get(NavigationMemory).lookups);
    await proxy.refuse(10);
    proxy.release();
    await eventually(isUsed);
    await app.close();
    await proxy.close();
  });

  it('does not remember the caller either while the journal cannot be read', async () => {
    const titles = async () =>
      (
        (await server.call(`${WORKPLACE}/categories`, { token: bruno })).body as { title: string }[]
      ).map(({ title }) => title);
    // Nor does a notification tell.
    await sql('ALTER TABLE users DISABLE TRIGGER users_end_sessions');
    await sql(`UPDATE users SET locale = 'en' WHERE id = ${brunoId}`);
    for (let call = 1; call <= 3; call++) expect(await titles()).toContain('Memory');
    const spy = jest.spyOn(server.app.get(ReadBarrier), 'pass').mockResolvedValue(false);
    await sql(`UPDATE users SET locale = 'fr' WHERE id = ${brunoId}`);
    expect(await titles()).toContain('Mémoire');
    spy.mockRestore();
    await sql('ALTER TABLE users ENABLE TRIGGER users_end_sessions');
  });

  it('answers nothing while the database does not answer', async () => {
    const database = await createTestDatabase();
    const proxy = await startDatabaseProxy(database.connection.host);
    const app = await createApp(
      loadConfig({ LOG_LEVEL: 'silent' }).withDatabase({
        ...database.connection,
        host: proxy.host,
      }),
    );
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const signedIn = await send(port, '/api/v2/authentication', { method: 'POST', body });
    const { token } = signedIn.body as { token: string };
    const look = () => send(port, `${WORKPLACE}/categories`, { token });
    await eventually(async () => {
      await look();
      expect(app.get(NavigationMemory).lookups.hits).toBeGreaterThan(0);
    });
    const { hits } = app.get(NavigationMemory).lookups;
    proxy.freezeListener();
    const held = proxy.holdAnswers();
    const answer = look();
    await held;
    expect((await answer).status).toBe(503);
    expect(app.get(NavigationMemory).lookups.hits).toBe(hits);
    proxy.release();
    await eventually(async () => expect((await look()).status).toBe(200));
    await app.close();
    await proxy.close();
    await database.drop();
  });
});
