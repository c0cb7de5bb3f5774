import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Roles, who has them, and what they permit (docs/api-contract.md#roles). */

const API = '/api/v2';
const ROLES = `${API}/directory/roles`;
const ASSIGNMENTS = `${API}/directory/role-assignments`;
const USERS = `${API}/directory/users`;

type Json = Record<string, unknown>;

let server: TestServer;
let alice: string;
let bruno: string;
let chloe: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: unknown, token = alice) =>
  server.call(path, { method, token, body });

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

const missing = (permission: string) => ({
  code: 403,
  message: `You have no access to this endpoint or resource: it needs ${permission}`,
  reason: 'missing-permission',
  parameters: { permission },
});

const ASSIGN =
  'INSERT INTO role_assignments (user_id, role_id) SELECT $1, id FROM roles WHERE reference = $2';

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(server.database.connection);
  await client.connect();
  return client;
}

const waitsForLock = () =>
  eventually(async () =>
    expect(
      await server.database.query(
        `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE NOT l.granted AND a.datname = current_database()`,
      ),
    ).not.toEqual([]),
  );

/** Makes a role and gives it to a person. */
async function give(user: string, permissions: string[], scope: Json = {}): Promise<string> {
  const role = await call('POST', ROLES, { label: 'Test', permissions });
  expect([role.status, role.body]).toMatchObject([201, { permissions, shipped: false }]);
  const assigned = await call('POST', ASSIGNMENTS, { user, role: role.body.uri, ...scope });
  expect(assigned.status).toBe(201);
  return `${API}${assigned.body.uri as string}`;
}

const takeAway = async (path: string): Promise<void> => {
  expect((await call('DELETE', path)).status).toBe(204);
};

describe('the roles of the server', () => {
  it('are listed, and cannot be changed or deleted', async () => {
    const { status, body } = await call('GET', `${ROLES}?sorter=id`);
    expect(status).toBe(200);
    expect((body as unknown as Json[]).map(({ reference }) => reference)).toEqual([
      'administrator',
      'process-engine',
      'people-administrator',
      'helpdesk',
      'editor',
      'process-owner',
      'auditor',
    ]);
    const refused = {
      code: 409,
      message: 'The role comes with the server, which alone changes it; make a role of your own',
      reason: 'shipped-role',
      parameters: {},
    };
    const path = `${ROLES}/helpdesk`;
    const changed = await call('PATCH', path, replace('/permissions', ['*']));
    expect([changed.status, changed.body]).toEqual([409, refused]);
    const deleted = await call('DELETE', path);
    expect([deleted.status, deleted.body]).toEqual([409, refused]);
  });

  it('are those of the attributes administrator and processEngine', async () => {
    const { body } = await call(
      'GET',
      `${ASSIGNMENTS}?sorter=id&filters=role.reference:eq:administrator`,
    );
    const holders = (body as unknown as Json[]).map(({ user }) => (user as Json).reference);
    expect(holders).toEqual(expect.arrayContaining(['sysadmin', 'alice.martin']));
    const id = await idOf(server, 'users', 'chloe.lefevre');
    const promoted = await call('PATCH', `${USERS}/${id}`, replace('/administrator', true));
    expect([promoted.status, promoted.body.administrator]).toEqual([200, true]);
    expect((await call('GET', `${API}/administration/audit`, undefined, chloe)).status).toBe(200);
    const [assignment] = (await call('GET', `${ASSIGNMENTS}?filters=user:eq:${id}`))
      .body as unknown as Json[];
    expect(assignment).toMatchObject({
      user: { reference: 'chloe.lefevre' },
      role: { reference: 'administrator' },
      organization: null,
    });
    await takeAway(`${API}${assignment!.uri as string}`);
    const demoted = await call('GET', `${USERS}/${id}`);
    expect(demoted.body.administrator).toBe(false);
    const refused = await call('GET', `${API}/administration/audit`, undefined, chloe);
    expect([refused.status, refused.body]).toEqual([403, missing('audit:read')]);
  });

  it('leave sysadmin an administrator', async () => {
    const { body } = await call('GET', `${ASSIGNMENTS}?filters=user.login:eq:sysadmin`);
    const [assignment] = body as unknown as Json[];
    const sysadmin = await server.signIn('sysadmin');
    const refused = await call('DELETE', `${API}${assignment!.uri as string}`, undefined, sysadmin);
    expect([refused.status, refused.body.reason]).toEqual([409, 'sysadmin-protected']);
  });
});

describe('a role', () => {
  it('permits at once what it says, and nothing else', async () => {
    const news = { title: 'News', body: 'Text' };
    const before = await call('POST', `${API}/content/news`, news, bruno);
    expect([before.status, before.body]).toEqual([403, missing('news:create')]);
    const path = await give('bruno.keller', ['news:*']);
    const created = await call('POST', `${API}/content/news`, news, bruno);
    expect(created.status).toBe(201);
    const document = await call('POST', `${API}/content/documents`, {}, bruno);
    expect([document.status, document.body]).toEqual([403, missing('documents:create')]);
    await takeAway(path);
    const after = await call('DELETE', `${API}${created.body.uri as string}`, undefined, bruno);
    expect([after.status, after.body]).toEqual([403, missing('news:delete')]);
  });

  it('lets write single attributes', async () => {
    const id = await idOf(server, 'users', 'chloe.lefevre');
    const path = await give('bruno.keller', ['users:change:userFunction', 'users:change:email']);
    const patch = (pointer: string, value: string) =>
      call('PATCH', `${USERS}/${id}`, replace(pointer, value), bruno);
    expect((await patch('/userFunction', 'Buyer')).body.userFunction).toBe('Buyer');
    const refused = await patch('/lastName', 'X');
    expect([refused.status, refused.body.message]).toEqual([403, 'You may not change: lastName']);
    expect((await call('DELETE', `${USERS}/${id}`, undefined, bruno)).status).toBe(403);
    await takeAway(path);
  });

  it('changes with its permissions for all who have it', async () => {
    const path = await give('bruno.keller', ['audit:read']);
    const audit = () => call('GET', `${API}/administration/audit`, undefined, bruno);
    expect((await audit()).status).toBe(200);
    const { role } = (await call('GET', path)).body as { role: Json };
    const at = `${API}${role.uri as string}`;
    expect((await call('PATCH', at, replace('/permissions', ['news:read']))).status).toBe(200);
    expect((await audit()).status).toBe(403);
    const inUse = await call('DELETE', at);
    expect([inUse.status, inUse.body.references]).toEqual([
      409,
      [{ resource: 'roleAssignments', attribute: 'role', count: 1 }],
    ]);
    await takeAway(path);
  });

  it('names only permissions that exist', async () => {
    const { status, body } = await call('POST', ROLES, {
      label: 'Bad',
      permissions: ['news:fly', 'parameters:change', 'news:read'],
    });
    expect([status, (body as { fields: Json[] }).fields]).toMatchObject([
      400,
      [
        { name: 'permissions', message: 'is not a permission: news:fly' },
        { name: 'permissions', message: 'is not a permission: parameters:change' },
      ],
    ]);
  });

  it('is read by those who have it alone, and by who may read all', async () => {
    expect((await call('GET', ROLES, undefined, chloe)).body).toEqual([]);
    const path = await give('chloe.lefevre', ['faqs:create']);
    const own = (await call('GET', ROLES, undefined, chloe)).body as unknown as Json[];
    expect(own.map(({ permissions }) => permissions)).toEqual([['faqs:create']]);
    const refused = await call('POST', ROLES, { label: 'X', permissions: [] }, chloe);
    expect([refused.status, refused.body]).toEqual([403, missing('roles:create')]);
    await takeAway(path);
  });
});

describe('people hand out only what they have', () => {
  const lacking = (permissions: string) => ({
    code: 403,
    message: `You may not give what you do not have: ${permissions}`,
    reason: 'more-than-own',
    parameters: { permissions: permissions.split(', ') },
  });

  it('by a role, an assignment or an attribute', async () => {
    const path = await give('bruno.keller', ['roles:*', 'role-assignments:*', 'users:*', 'news:*']);
    const made = await call('POST', ROLES, { label: 'Mine', permissions: ['news:read'] }, bruno);
    expect(made.status).toBe(201);
    const at = `${API}${made.body.uri as string}`;
    const more = await call('PATCH', at, replace('/permissions', ['audit:read']), bruno);
    expect([more.status, more.body]).toEqual([403, lacking('audit:read')]);
    const auditor = await call(
      'POST',
      ASSIGNMENTS,
      { user: 'bruno.keller', role: 'editor' },
      bruno,
    );
    expect([auditor.status, auditor.body.reason]).toEqual([403, 'more-than-own']);
    const id = await idOf(server, 'users', 'chloe.lefevre');
    for (const role of ['administrator', 'processEngine']) {
      const refused = await call('PATCH', `${USERS}/${id}`, replace(`/${role}`, true), bruno);
      expect([role, refused.status, refused.body.reason]).toEqual([role, 403, 'more-than-own']);
    }
    const created = { login: 'new.admin', lastName: 'Admin', administrator: true };
    expect((await call('POST', USERS, created, bruno)).body.reason).toBe('more-than-own');
    await takeAway(path);
  });

  it('nor by a file or a tile', async () => {
    const path = await give('bruno.keller', [
      'imports:create',
      'groups:*',
      'users:*',
      'applications:*',
    ]);
    const send = (kind: string) =>
      server.call(`${API}/administration/imports/${kind}?dryRun=true`, {
        method: 'POST',
        token: bruno,
        headers: { 'Content-Type': 'text/csv' },
        body: 'reference,label\nG,G\n',
      });
    expect((await send('groups')).status).toBe(200);
    const news = await send('news');
    expect([news.status, news.body]).toEqual([403, missing('news:create')]);
    expect((await send('users')).body.reason).toBe('more-than-own');
    const tile = { application: { title: 'X', type: 'PROCESS' }, view: { label: 'X' } };
    const refused = await call('POST', `${API}/process/tiles`, tile, bruno);
    expect([refused.status, refused.body]).toEqual([403, missing('views:create')]);
    await takeAway(path);
  });

  it('nor by taking over an account that may do more', async () => {
    const path = await give('bruno.keller', ['users:*']);
    const id = await idOf(server, 'users', 'alice.martin');
    for (const [method, suffix, body] of [
      ['PATCH', '', replace('/email', 'x@example.com')],
      ['PATCH', '', replace('/password', 'Battery-Staple-2027')],
      ['PUT', '/password', { password: 'Battery-Staple-2027' }],
      ['POST', '/api-keys', { name: 'k' }],
      ['POST', '/invitation', undefined],
      ['PUT', '/photo', 'x'],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await call(method, `${USERS}/${id}${suffix}`, body, bruno);
      expect([method, suffix, answer.status, answer.body.reason]).toEqual([
        method,
        suffix,
        403,
        'more-rights',
      ]);
    }
    const person = await idOf(server, 'users', 'chloe.lefevre');
    const changed = await call('PATCH', `${USERS}/${person}`, replace('/userFunction', 'Y'), bruno);
    expect(changed.status).toBe(200);
    // A source lets its account push, an endpoint lets it fetch.
    const login = 'feeds.tasks';
    await call('POST', USERS, { login, lastName: 'Feeds', status: 1 });
    const invite = async () => {
      const { status, body } = await call('POST', `${USERS}/${login}/invitation`, undefined, bruno);
      return [status, body.reason];
    };
    expect(await invite()).toEqual([201, undefined]);
    const source = await call('POST', `${API}/process/sources`, {
      ...{ label: 'Feeds', serviceAccount: login },
    });
    expect(await invite()).toEqual([403, 'more-rights']);
    await takeAway(`${API}${source.body.uri as string}`);
    await takeAway(path);
  });
});

describe('concurrent changes', () => {
  it('of the assignments of one person, or of a role, are all in the rights', async () => {
    const id = await idOf(server, 'users', 'chloe.lefevre');
    const role = await call('POST', ROLES, { label: 'Concurrent', permissions: ['faqs:read'] });
    const rights = async () =>
      (
        await server.database.query<{ rights: unknown }>(
          `SELECT rights FROM users WHERE id = ${id}`,
        )
      )[0]!.rights;
    const [first, second] = await Promise.all([connect(), connect()]);
    await first.query('BEGIN');
    await first.query(ASSIGN, [id, 'editor']);
    // Waits for the first one, which has locked the person.
    const assigned = second.query(ASSIGN, [id, role.body.reference]);
    await waitsForLock();
    await first.query('COMMIT');
    await assigned;
    const editor = ['news:*', 'documents:*', 'faqs:*'];
    expect(await rights()).toEqual([{ permissions: editor }, { permissions: ['faqs:read'] }]);
    await server.database.query(`DELETE FROM role_assignments WHERE user_id = ${id}`);

    await first.query('BEGIN');
    await first.query(`UPDATE roles SET permissions = '{faqs:change}' WHERE reference = $1`, [
      role.body.reference,
    ]);
    const late = second.query(ASSIGN, [id, role.body.reference]);
    await waitsForLock();
    await first.query('COMMIT');
    await late;
    expect(await rights()).toEqual([{ permissions: ['faqs:change'] }]);
    await server.database.query(`DELETE FROM role_assignments WHERE user_id = ${id}`);
    expect(await rights()).toEqual([]);
    await Promise.all([first.end(), second.end()]);
  });
});

describe('who reads all tasks', () => {
  it('neither decides them nor says something about them', async () => {
    const application = await idOf(server, 'applications', 'LEAVE');
    const task = { title: 'Of Bruno', application, assignee: 'bruno.keller' };
    const { body } = await call('POST', `${API}/process/tasks`, task);
    const at = `${API}${body.uri as string}`;
    const path = await give('chloe.lefevre', ['tasks:read']);
    expect((await call('GET', at, undefined, chloe)).status).toBe(200);
    for (const [method, suffix, sent] of [
      ['PATCH', '', replace('/status', 'done')],
      ['POST', '/comments', { text: 'Hm' }],
      ['POST', '/files?name=a.txt', undefined],
    ] as const) {
      const refused = await call(method, `${at}${suffix}`, sent, chloe);
      expect([suffix, refused.status, refused.body]).toEqual([
        suffix,
        403,
        missing('tasks:change'),
      ]);
    }
    await takeAway(path);
    expect((await call('PATCH', at, replace('/status', 'done'), bruno)).status).toBe(200);
  });
});

describe('the rights of a user', () => {
  it('are listed with the roles that give them', async () => {
    const id = await idOf(server, 'users', 'chloe.lefevre');
    const path = await give('chloe.lefevre', ['news:change', 'users:change:email'], {
      organization: 'SALES',
    });
    const { body: assignment } = await call('GET', path);
    const { uri, role, organization } = assignment;
    const common = { role, organization, group: null, application: null, assignment: uri };
    const rights = {
      permissions: [
        { permission: 'users:change', attributes: ['email'], ...common },
        { permission: 'news:change', attributes: null, ...common },
      ],
    };
    for (const token of [undefined, chloe]) {
      const { status, body } = await call('GET', `${USERS}/${id}/rights`, undefined, token);
      expect([status, body]).toEqual([200, rights]);
    }
    const refused = await call('GET', `${USERS}/${id}/rights`, undefined, bruno);
    expect([refused.status, refused.body]).toEqual([403, missing('role-assignments:read')]);
    await takeAway(path);
  });
});

describe('a role with a scope', () => {
  it('reaches an organization with all below it, before and after a write', async () => {
    const inside = await idOf(server, 'users', 'bruno.keller');
    const organization = (await call('GET', `${USERS}/${inside}`)).body.organization as Json;
    const elsewhere = (
      (
        await call(
          'GET',
          `${USERS}?filters=organization:neq:${organization.id as string}&range=0-50`,
        )
      ).body as unknown as Json[]
    ).find(
      ({ organization: other, reference, administrator }) =>
        other && !administrator && reference !== 'chloe.lefevre',
    )!;
    const path = await give('chloe.lefevre', ['users:read', 'users:change'], {
      organization: organization.uri,
    });
    const patch = (id: unknown, pointer: string, value: unknown) =>
      call('PATCH', `${USERS}/${String(id)}`, replace(pointer, value), chloe);
    expect((await patch(inside, '/userFunction', 'Z')).status).toBe(200);
    const outside = await patch(elsewhere.id, '/userFunction', 'Z');
    expect([outside.status, outside.body]).toEqual([403, missing('users:change')]);
    const moved = await patch(inside, '/organization', (elsewhere.organization as Json).uri);
    expect([moved.status, moved.body.message]).toEqual([403, 'You may not change: organization']);
    expect((await call('GET', `${USERS}/${inside}`)).body.organization).toEqual(organization);
    await takeAway(path);
  });

  it('reaches the tasks of an application, in lists and counts', async () => {
    const application = await idOf(server, 'applications', 'LEAVE');
    const tasks = `${API}/process/tasks?range=0-500`;
    const all = (await call('GET', `${tasks}&filters=application:eq:${application}`)).body;
    const own = (await call('GET', tasks, undefined, chloe)).body as unknown as Json[];
    const path = await give('chloe.lefevre', ['tasks:read'], { application });
    const seen = (await call('GET', tasks, undefined, chloe)).body as unknown as Json[];
    const ids = (list: unknown) => (list as Json[]).map(({ id }) => id);
    expect(new Set(ids(seen))).toEqual(new Set([...ids(own), ...ids(all)]));
    expect(seen.length).toBeGreaterThan(own.length);
    await takeAway(path);
    expect(ids((await call('GET', tasks, undefined, chloe)).body)).toEqual(ids(own));
  });

  it('is one of three', async () => {
    const { status, body } = await call('POST', ASSIGNMENTS, {
      user: 'bruno.keller',
      role: 'editor',
      organization: 'SALES',
      application: 'LEAVE',
    });
    expect([status, (body as { fields: Json[] }).fields]).toMatchObject([
      400,
      [{ name: 'application', code: 'second-scope', parameters: { other: 'organization' } }],
    ]);
  });
});
