import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** The write permissions of each role, and the audit trail of writes. */

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';
const PERSON = { login: 'a.person', lastName: 'Person' };
const TILE = { title: 'X', type: 'LINK' };
const OTHERS = ['chloe.lefevre'];

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

  it('a member of the group of a task may change only its status', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Closers' });
    const made = await create('/api/v2/process/tasks', {
      title: 'T',
      application: 'LEAVE',
      group: group.id,
    });
    const path = `/api/v2${made.uri}`;
    const replace = (name: string, value: string) =>
      call('PATCH', path, [{ op: 'replace', path: `/${name}`, value }], { token: bruno });
    expect((await replace('status', 'done')).status).toBe(404);
    const id = await findId(USERS, 'login:eq:bruno.keller');
    await call('PUT', `/api/v2${group.uri}/members/${id}`);
    expect((await replace('title', 'X')).status).toBe(403);
    const closed = await replace('status', 'done');
    expect([closed.status, closed.body.status]).toEqual([200, 'done']);
  });

  it('sysadmin cannot be disabled or deleted, or changed by another account', async () => {
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

describe('what a caller may read', () => {
  it.each([
    ['an inactive category', 'navigation/categories', { title: 'X', active: false }],
    ['an inactive application', 'navigation/applications', { ...TILE, active: false }],
    ['an application for others', 'navigation/applications', { ...TILE, audience: OTHERS }],
    ['a draft', 'content/news', { title: 'X', status: 0 }],
    ['a document for others', 'content/documents', { title: 'X', audience: OTHERS }],
    ['a task of others', 'process/tasks', { title: 'X', application: 'LEAVE' }],
    ['a view of an application for others', 'process/views', { label: 'X', application: null }],
  ])('leaves out %s, which administrators read', async (_, path, body) => {
    const application =
      path === 'process/views' &&
      (await create('/api/v2/navigation/applications', { ...TILE, audience: OTHERS })).id;
    const made = await create(`/api/v2/${path}`, { ...body, ...(application && { application }) });
    const one = `/api/v2${made.uri}`;
    const list = `/api/v2/${path}?filters=id:eq:${made.id}`;
    const headers = { Prefer: 'count=exact' };
    expect((await call('GET', one)).body).toEqual(made);
    const hidden = await call('GET', one, undefined, { token: bruno });
    expect([hidden.status, hidden.body]).toEqual([404, { code: 404, message: 'Not found' }]);
    const listed = await call('GET', list, undefined, { token: bruno, headers });
    expect([listed.body, listed.headers['x-total-count']]).toEqual([[], '0']);
    expect((await call('GET', list, undefined, { headers })).headers['x-total-count']).toBe('1');
  });
});

describe('DELETE', () => {
  it('answers 409 naming the referring objects with counts', async () => {
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

  it.each([
    ['a parent', 'directory/organizations', { label: 'X' }, 'directory/organizations', 'parent'],
    ['a manager', 'directory/users', PERSON, 'directory/organizations', 'manager'],
    ['an assignee', 'directory/users', PERSON, 'process/tasks', 'assignee'],
    ['a group in an audience', 'directory/groups', { label: 'X' }, 'content/news', 'audience'],
    ['an author', 'directory/users', PERSON, 'content/documents', 'author'],
    [
      'an application with tasks',
      'navigation/applications',
      { title: 'X', type: 'PROCESS' },
      'process/tasks',
      'application',
    ],
  ])('answers 409 to the deletion of %s', async (_, path, body, from, attribute) => {
    const made = await create(`/api/v2/${path}`, body);
    const link = attribute === 'audience' ? [made.uri] : made.uri;
    const holder = await create(`/api/v2/${from}`, {
      ...(from === 'directory/organizations' ? { label: 'Y' } : { title: 'Y' }),
      ...(from === 'process/tasks' && { application: 'LEAVE' }),
      [attribute]: link,
    });
    const refused = await call('DELETE', `/api/v2${made.uri}`);
    expect([refused.status, refused.body.references]).toEqual([
      409,
      [{ resource: from.split('/')[1], attribute, count: 1 }],
    ]);
    expect((await call('DELETE', `/api/v2${holder.uri}`)).status).toBe(204);
    expect((await call('DELETE', `/api/v2${made.uri}`)).status).toBe(204);
  });

  it('deletes the dependent rows of a user, and leaves the audit trail', async () => {
    const user = await create(USERS, { ...PERSON, login: 'whole.person', password: PASSWORD });
    const group = await create('/api/v2/directory/groups', { label: 'Left' });
    const members = `/api/v2${group.uri}/members`;
    await call('PUT', `${members}/${user.id}`);
    const token = await server.signIn('whole.person', PASSWORD);
    const tile = await create('/api/v2/navigation/applications', TILE);
    await call('PUT', `${USERS}/me/favourites`, [tile.uri], { token });
    await call('POST', `${USERS}/me/api-keys`, { name: 'K' }, { token });
    expect((await call('DELETE', `${USERS}/${user.id}`)).status).toBe(204);
    expect((await call('GET', members)).body).toEqual([]);
    const rows = await server.database.query<{ n: number }>(
      `SELECT ${['api_keys', 'favourites', 'password_history', 'tokens'].map((table) => `(SELECT count(*)::int FROM ${table} WHERE user_id = $1)`).join(' + ')} AS n`,
      [user.id],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const filter = encodeURIComponent('login:eq:whole.person');
    const trail = await call('GET', `/api/v2/administration/audit?filters=${filter}&sorter=id`);
    expect(trail.body).not.toEqual([]);
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
  it('records the author and the values before and after a change, without secrets', async () => {
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
