import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingConsumers } from '../../src/changes/waiting-consumers.js';
import { Database } from '../../src/database/database.js';
import { LoadShedder } from '../../src/http/load-shedding.js';
import { eventually } from '../support/eventually.js';
import { callFeed, FeedConsumer } from '../support/feed-consumer.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let alice: string;
let bruno: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
});
afterAll(() => server.close());

const query = (text: string, values?: unknown[]) => server.database.query(text, values);

const untilWaiting = (count: number, of = server): Promise<void> =>
  eventually(() => expect(of.app.get(WaitingConsumers).waiting).toBe(count));

async function cursorOf(token: string, kinds: string): Promise<string> {
  const consumer = new FeedConsumer(server, token, kinds);
  await consumer.catchUp();
  return consumer.cursor!;
}

describe('a call of the change feed that waits', () => {
  it('is answered as soon as something has changed', async () => {
    const after = await cursorOf(alice, 'groups');
    const waiting = callFeed(server, alice, { kinds: 'groups', after, wait: 60 });
    await untilWaiting(1);
    await query(`INSERT INTO groups (label) VALUES ('Awaited')`);
    const { status, body } = await waiting;
    expect([status, body.upToDate, body.changes.length]).toEqual([200, true, 1]);
    expect(body.changes[0].object.label).toBe('Awaited');
    await untilWaiting(0);
  });

  it('is answered at once when something had changed before', async () => {
    const after = await cursorOf(alice, 'groups');
    await query(`INSERT INTO groups (label) VALUES ('Before')`);
    const { body } = await callFeed(server, alice, { kinds: 'groups', after, wait: 60 });
    expect(body.changes).toHaveLength(1);
  });

  it('keeps waiting after changes that do not concern it, and ends with a cursor', async () => {
    const after = await cursorOf(bruno, 'tasks');
    const waiting = callFeed(server, bruno, { kinds: 'tasks', after, wait: 2 });
    await untilWaiting(1);
    await query(
      `INSERT INTO tasks (title, application_id) SELECT 'Of nobody', min(id) FROM applications`,
    );
    await query(`INSERT INTO groups (label) VALUES ('Another kind')`);
    const { status, body, duration } = await waiting;
    expect([status, body]).toEqual([
      200,
      { changes: [], next: expect.any(String), upToDate: true },
    ]);
    expect(duration).toBeGreaterThan(1_900);
    await query(
      `INSERT INTO tasks (title, application_id, assignee_id)
        SELECT 'Mine', (SELECT min(id) FROM applications), id FROM users WHERE login = 'bruno.keller'`,
    );
    const next = await callFeed(server, bruno, { kinds: 'tasks', after: body.next });
    expect(next.body.changes).toHaveLength(1);
  });

  it('waits in the same way when it asks for NDJSON', async () => {
    const after = await cursorOf(alice, 'groups');
    const parameters = { kinds: 'groups', after, wait: 60 };
    const waiting = callFeed(server, alice, parameters, 'application/x-ndjson');
    await untilWaiting(1);
    await query(`INSERT INTO groups (label) VALUES ('Line')`);
    expect((await waiting).text.split('\n')).toHaveLength(3);
  });

  it('is a 401 when the caller signs out meanwhile', async () => {
    const token = await server.signIn('chloe.lefevre');
    const after = await cursorOf(token, 'groups');
    const waiting = callFeed(server, token, { kinds: 'groups', after, wait: 60 });
    await untilWaiting(1);
    await server.call('/api/v2/authentication', { method: 'DELETE', token });
    expect((await waiting).status).toBe(401);
  });

  it('is a 401 when the token expires meanwhile', async () => {
    const token = await server.signIn('chloe.lefevre');
    const after = await cursorOf(token, 'groups');
    const waiting = callFeed(server, token, { kinds: 'groups', after, wait: 60 });
    await untilWaiting(1);
    await query(`UPDATE users SET status = 0 WHERE login = 'chloe.lefevre'`);
    expect((await waiting).status).toBe(401);
    await query(`UPDATE users SET status = 1 WHERE login = 'chloe.lefevre'`);
  });

  it('is a 410 when the rights of the caller change meanwhile', async () => {
    const after = await cursorOf(bruno, 'tasks');
    const waiting = callFeed(server, bruno, { kinds: 'tasks', after, wait: 60 });
    await untilWaiting(1);
    // The new group is enough, although none of its tasks changes.
    await query(
      `INSERT INTO group_members (group_id, user_id)
        SELECT (SELECT max(id) FROM groups), id FROM users WHERE login = 'bruno.keller'`,
    );
    expect((await waiting).status).toBe(410);
  });

  it('ends when its client leaves', async () => {
    const after = await cursorOf(alice, 'groups');
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET /api/v2/changes?kinds=groups&wait=60&after=${after} HTTP/1.1\r\nHost: localhost\r\nX-AUTHENTICATION-KEY: ${alice}\r\n\r\n`,
    );
    await untilWaiting(1);
    socket.destroy();
    await untilWaiting(0);
  });

  it('answers the eleventh call of one account with 429', async () => {
    const after = await cursorOf(alice, 'groups');
    const call = () => callFeed(server, alice, { kinds: 'groups', after, wait: 60 });
    const waiting = Array.from({ length: 10 }, call);
    await untilWaiting(10);
    const refused = await call();
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      {
        code: 429,
        message: 'Too many requests: an account may have 10 open calls of the change feed',
      },
      '1',
    ]);
    const other = await callFeed(server, bruno, { kinds: 'groups' });
    expect(other.status).toBe(200);
    await query(`INSERT INTO groups (label) VALUES ('All')`);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await call()).status).toBe(200);
  });

  it('takes no connection to the database and no place of other calls', async () => {
    const rows = await query(
      `SELECT login FROM users WHERE status = 1 AND NOT sysadmin ORDER BY id LIMIT 18`,
    );
    const tokens = await Promise.all(rows.map(({ login }) => server.signIn(String(login))));
    const calls = await Promise.all(
      tokens.map(async (token) => ({ token, after: await cursorOf(token, 'categories') })),
    );
    const waiting = calls.flatMap(({ token, after }) =>
      Array.from({ length: 10 }, () =>
        callFeed(server, token, { kinds: 'categories', after, wait: 60 }),
      ),
    );
    await untilWaiting(180);
    // Other work of the server may hold a connection for a moment.
    await eventually(() =>
      expect(server.app.get(Database).load).toMatchObject({ inUse: 0, waiting: 0 }),
    );
    const answers = await Promise.all(
      tokens.map((token) => server.call('/api/v2/directory/users?range=0-1', { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(tokens.length).fill(200));
    await query(`INSERT INTO categories (title) VALUES ('For all')`);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses).toEqual(Array(180).fill(200));
  });

  it('does not wait for the pages of another account, however many of its calls are slow', async () => {
    const after = await cursorOf(bruno, 'tasks');
    await query('BEGIN');
    try {
      await query('LOCK TABLE news');
      let answered = 0;
      const slow = Array.from({ length: 10 }, async () => {
        await callFeed(server, alice, { kinds: 'news' });
        answered++;
      });
      const openCalls = () => server.app.get(Database).load.inUse;
      await eventually(() => expect(openCalls()).toBeGreaterThan(0));
      const { status } = await callFeed(server, bruno, { kinds: 'tasks', after });
      expect([status, answered]).toEqual([200, 0]);
      await query('ROLLBACK');
      await Promise.all(slow);
    } finally {
      await query('ROLLBACK');
    }
  });

  it('ends with a cursor when the server begins to stop, and closes its connection', async () => {
    const other = await startTestServer();
    try {
      const token = await other.signIn('alice.martin');
      const { body } = await callFeed(other, token, { kinds: 'groups' });
      const waiting = callFeed(other, token, { kinds: 'groups', after: body.next, wait: 60 });
      await untilWaiting(1, other);
      const { signal } = new AbortController();
      const drained = other.app.get(LoadShedder).drain(other.app.getHttpServer(), 100, signal);
      const answer = await waiting;
      expect([answer.status, answer.body.changes, answer.headers.connection]).toEqual([
        200,
        [],
        'close',
      ]);
      await drained;
      // A consumer that knows no other server must not call without a pause.
      const after = answer.body.next;
      const next = await callFeed(other, token, { kinds: 'groups', after, wait: 60 });
      expect([next.status, next.body.changes, next.headers.connection]).toEqual([200, [], 'close']);
      expect(next.duration).toBeGreaterThan(900);
    } finally {
      await other.close();
    }
  });
});
