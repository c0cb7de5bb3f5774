import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { startWritingServer, type WritingServer } from './support/writing-server.js';

/** The write permissions of each role, and the audit trail of writes. */

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';

let writing: WritingServer;
let server: WritingServer['server'];
let bruno: WritingServer['bruno'];
let engine: WritingServer['engine'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let findId: WritingServer['findId'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, bruno, engine, call, create, findId } = writing);
});
afterAll(() => writing.close());

describe('who may write', () => {
  it('a person may change some of their own attributes, nothing else', async () => {
    const { id } = (await call('GET', `${USERS}/me`, undefined, { token: bruno })).body as {
      id: string;
    };
    const own = [
      { op: 'replace', path: '/nickName', value: 'Bru' },
      { op: 'replace', path: '/locale', value: 'fr' },
    ];
    expect((await call('PATCH', `${USERS}/${id}`, own, { token: bruno })).status).toBe(200);
    const more = [{ op: 'replace', path: '/administrator', value: true }];
    const refused = await call('PATCH', `${USERS}/${id}`, more, { token: bruno });
    expect([refused.status, refused.body]).toEqual([
      403,
      { code: 403, message: 'You may not change: administrator' },
    ]);
    const password = [{ op: 'replace', path: '/password', value: PASSWORD }];
    expect((await call('PATCH', `${USERS}/${id}`, password, { token: bruno })).status).toBe(403);
    const other = await findId(USERS, 'login:eq:chloe.lefevre');
    expect((await call('PATCH', `${USERS}/${other}`, own, { token: bruno })).status).toBe(403);
  });

  it('a person may change the own account at the path /me, with the same rules and If-Match', async () => {
    const me = (method: string, body?: unknown, headers?: Record<string, string>) =>
      call(method, `${USERS}/me`, body, { token: bruno, headers });
    const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
    const patched = await me('PATCH', replace('/nickName', 'Me'));
    expect([patched.status, patched.body.nickName]).toEqual([200, 'Me']);
    expect(patched.body.login).toBe('bruno.keller');
    const stale = { 'If-Match': '"1"' };
    expect((await me('PATCH', replace('/nickName', 'Late'), stale)).status).toBe(412);
    const current = { 'If-Match': patched.headers.etag as string };
    const replaced = await me('PUT', { ...patched.body, description: 'Sells' }, current);
    expect([replaced.status, replaced.body.description]).toEqual([200, 'Sells']);
    expect((await me('PATCH', replace('/administrator', true))).status).toBe(403);
    expect((await me('PUT', { ...replaced.body, title: 'Boss' })).status).toBe(403);
    expect((await me('PATCH', [{ op: 'fly' }])).status).toBe(400);
    expect((await me('DELETE')).status).toBe(403);
  });

  it('the assignee of a task may close it; a process engine may write tasks and nothing else', async () => {
    const assignee = await findId(USERS, 'login:eq:bruno.keller');
    const application = await findId('/api/v2/navigation/applications', 'reference:eq:LEAVE');
    const made = await call(
      'POST',
      '/api/v2/process/tasks',
      { title: 'T', application, assignee },
      { token: engine },
    );
    expect(made.status).toBe(201);
    const path = `/api/v2${made.body.uri as string}`;
    expect(
      (await call('PATCH', path, [{ op: 'replace', path: '/title', value: 'X' }], { token: bruno }))
        .status,
    ).toBe(403);
    const closed = await call('PATCH', path, [{ op: 'replace', path: '/status', value: 'done' }], {
      token: bruno,
    });
    expect([closed.status, closed.body.status, closed.body.completionDate]).toEqual([
      200,
      'done',
      expect.stringMatching(/Z$/),
    ]);
    expect(
      (await call('GET', path, undefined, { token: await server.signIn('chloe.lefevre') })).status,
    ).toBe(404);
    expect(
      (await call('POST', '/api/v2/directory/groups', { label: 'x' }, { token: engine })).status,
    ).toBe(403);
  });

  it('sysadmin cannot be disabled or deleted, and nobody else can change it', async () => {
    const id = await findId(USERS, 'login:eq:sysadmin');
    const token = await server.signIn('sysadmin');
    for (const [path, value] of [
      ['/status', 0],
      ['/administrator', false],
      ['/login', 'other'],
    ]) {
      const operations = [{ op: 'replace', path, value }];
      expect((await call('PATCH', `${USERS}/${id}`, operations, { token })).status).toBe(409);
      expect((await call('PATCH', `${USERS}/${id}`, operations)).status).toBe(403);
    }
    expect((await call('DELETE', `${USERS}/${id}`)).status).toBe(409);
  });
});

describe('DELETE', () => {
  it('answers 409 naming what refers to the object, with counts', async () => {
    const id = await findId('/api/v2/directory/organizations', 'reference:eq:LEGAL');
    const [row] = await server.database.query(
      `SELECT count(*)::int AS n FROM users WHERE organization_id = $1`,
      [id],
    );
    const answer = await call('DELETE', `/api/v2/directory/organizations/${id}`);
    expect([answer.status, answer.body]).toEqual([
      409,
      { code: 409, message: `${String(row!.n)} users refer to it (as organization)` },
    ]);
  });

  it('ends the tokens of a deleted user at once', async () => {
    const user = await create(USERS, { login: 'leaving', lastName: 'L', password: PASSWORD });
    const token = await server.signIn('leaving', PASSWORD);
    expect((await call('GET', `${USERS}/me`, undefined, { token })).status).toBe(200);
    expect((await call('DELETE', `${USERS}/${user.id}`)).status).toBe(204);
    expect((await call('GET', `${USERS}/me`, undefined, { token })).status).toBe(401);
  });
});

describe('groups and members', () => {
  it('lists, adds and removes members', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Members' });
    const path = `/api/v2${group.uri}/members`;
    const id = await findId(USERS, 'login:eq:bruno.keller');
    for (const _ of [1, 2]) expect((await call('PUT', `${path}/${id}`)).status).toBe(204);
    const listed = await call('GET', `${path}?sorter=login`, undefined, { token: bruno });
    expect(listed.body.map(({ login }: { login: string }) => login)).toEqual(['bruno.keller']);
    expect(listed.headers.link).toContain(`<${path}?sorter=login&range=0-50>; rel="first"`);
    expect((await call('PUT', `${path}/${id}`, undefined, { token: bruno })).status).toBe(403);
    expect((await call('PUT', `${path}/999999`)).status).toBe(404);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await call('GET', path)).body).toEqual([]);
  });

  it('answers 404 to a new member of a group that is deleted at the same time', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Short-lived' });
    const id = await findId(USERS, 'login:eq:bruno.keller');
    await server.database.query(`BEGIN; DELETE FROM groups WHERE id = ${group.id}`);
    const added = call('PUT', `/api/v2${group.uri}/members/${id}`);
    await eventually(async () => {
      const waiting = await server.database.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      expect(waiting.length).toBeGreaterThan(0);
    });
    await server.database.query('COMMIT');
    expect((await added).status).toBe(404);
  });
});

describe('the audit trail', () => {
  it('records who changed what, before and after, without secrets', async () => {
    const user = await create(USERS, { login: 'audited', lastName: 'A', password: PASSWORD });
    const patch = [{ op: 'replace', path: '/nickName', value: 'N' }];
    const { headers } = await call('PATCH', `${USERS}/${user.id}`, patch, {
      headers: { 'X-Request-Id': 'audit-test-1' },
    });
    const rows = await server.database.query(
      'SELECT action, actor_login, address, request_id, caller_request_id, before, after FROM audit WHERE object_uri = $1 ORDER BY id',
      [user.uri],
    );
    expect(rows.map(({ action }) => action)).toEqual(['change-password', 'create', 'update']);
    expect(rows[2]).toMatchObject({
      action: 'update',
      actor_login: 'alice.martin',
      address: '127.0.0.1',
      request_id: headers['x-request-id'],
      caller_request_id: 'audit-test-1',
      before: { nickName: null },
      after: { nickName: 'N' },
    });
    expect(JSON.stringify(await server.database.query('SELECT a::text FROM audit a'))).not.toMatch(
      /Correct-Horse|\$argon2/,
    );
    await expect(server.database.query('UPDATE audit SET action = action')).rejects.toThrow(
      /append-only/,
    );
  });
});
