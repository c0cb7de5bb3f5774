import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames, query } from './support/call.js';
import { type Call, startTestServer, type TestServer } from './support/test-server.js';

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';

let server: TestServer;
let admin: string, bruno: string, engine: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  engine = await server.signIn('process.engine');
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: unknown, more: Call = {}) =>
  server.call(path, { method, token: admin, body, ...more });
const create = async (path: string, body: unknown) => {
  const answer = await call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body as Record<string, unknown> & { id: string; uri: string };
};
/** One number that changes with any row of a table. */
const state = async (table: string) =>
  (
    await server.database.query(
      `SELECT md5(string_agg(t::text || xmin, '' ORDER BY id)) AS sum FROM ${table} t`,
    )
  )[0];
const findId = async (path: string, filter: string) =>
  (await server.call(path + query({ filters: filter }), { token: admin })).body[0].id as string;

describe('POST', () => {
  it('creates a user: 201, Location, ETag, the detailed representation', async () => {
    const organization = await findId('/api/v2/directory/organizations', 'reference:eq:DEV');
    const body = {
      login: 'new.user',
      firstName: 'Ñew',
      lastName: 'User',
      password: PASSWORD,
      organization,
    };
    const answer = await call('POST', USERS, body);
    expect(answer.status).toBe(201);
    const { id } = answer.body as { id: string };
    expect(answer.headers.location).toBe(`${USERS}/${id}`);
    expect(answer.headers.etag).toBe('"1"');
    expect(answer.body).toMatchObject({
      title: 'Ñew User',
      status: 1,
      administrator: false,
      locale: 'en',
      groups: [],
      organization: { id: organization, reference: 'DEV', label: 'Software development' },
    });
    expect(answer.text).not.toContain(PASSWORD);
    expect(answer.body).toEqual((await server.call(`${USERS}/${id}`, { token: admin })).body);
    expect(await server.signIn('new.user', PASSWORD)).toBeDefined();
  });

  it('reads an omitted attribute as null, and refuses one that is required', async () => {
    const sent = { lastName: 'Blank', nickName: null, organization: null, locale: null };
    const full = await create(USERS, { login: 'blank.null', ...sent });
    const short = await create(USERS, { login: 'blank.omitted', lastName: 'Blank' });
    const identity = [
      'id',
      'uri',
      'reference',
      'login',
      'photo',
      'creationDate',
      'modificationDate',
    ];
    const rest = (user: object) =>
      Object.entries(user).filter(([name]) => !identity.includes(name));
    expect(rest(short)).toEqual(rest(full));
    expect(full).toMatchObject({ nickName: null, organization: null, locale: 'en' });
    for (const body of [{ lastName: 'Blank' }, { login: null, lastName: 'Blank' }]) {
      const refused = await call('POST', USERS, body);
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          code: 400,
          message: 'Invalid: login',
          fields: [{ name: 'login', message: 'login is required' }],
        },
      ]);
    }
  });

  it('names every bad attribute at once and changes nothing', async () => {
    const before = await state('users');
    const answer = await call('POST', USERS, {
      id: '1',
      login: 'a b',
      email: 'nobody',
      phoneNumber: 7,
      organization: '999999',
      manager: '/directory/groups/1',
      status: 9,
      administrator: 'yes',
      locale: 'de',
      passwordHash: 'x',
      sysadmin: true,
      constructor: {},
    });
    expect(answer.status).toBe(400);
    expect(fieldNames(answer).sort()).toEqual([
      'administrator',
      'constructor',
      'email',
      'id',
      'lastName',
      'locale',
      'login',
      'manager',
      'organization',
      'passwordHash',
      'phoneNumber',
      'status',
      'sysadmin',
    ]);
    expect(await state('users')).toEqual(before);
  });

  it('refuses what looks like an existing login with 409', async () => {
    for (const login of ['bruno.keller', 'BRUNO.KELLER', 'ｂruno.keller']) {
      const answer = await call('POST', USERS, { login, lastName: 'x' });
      expect([answer.status, answer.body]).toEqual([
        409,
        { code: 409, message: 'The login is taken' },
      ]);
    }
    expect((await call('POST', USERS, { login: 'brunö.keller', lastName: 'x' })).status).toBe(201);
  });

  it('lists all failing codes of a password at once; a ValidationError comes first', async () => {
    const weak = await call('POST', USERS, { login: 'weak', lastName: 'x', password: 'é' });
    expect([weak.status, weak.body]).toEqual([
      400,
      {
        code: 400,
        message: 'The password does not meet the rules',
        errors: ['length', 'uppercase', 'number', 'special-char'],
      },
    ]);
    const both = await call('POST', USERS, { login: 'weak', password: 'é' });
    expect([both.status, fieldNames(both)]).toEqual([400, ['lastName']]);
    const upper = await call('POST', USERS, { login: 'weak', lastName: 'x', password: 'É' });
    expect(upper.body.errors).toContain('lowercase');
  });

  it.each([
    ['/api/v2/directory/organizations', { label: 'New' }],
    ['/api/v2/directory/groups', { label: 'New' }],
    ['/api/v2/navigation/categories', { title: 'New' }],
    [
      '/api/v2/navigation/applications',
      {
        title: 'New',
        type: 'LINK',
        link: 'https://x.example/',
        audience: ['/directory/organizations/2'],
      },
    ],
    ['/api/v2/process/tasks', { title: 'New', application: '/navigation/applications/1' }],
    [
      '/api/v2/process/views',
      { label: 'New', application: '1', filters: ['assignee:eq:@me'], sorter: '-dueDate' },
    ],
    ['/api/v2/content/documents', { title: 'New', size: 5_000_000_000 }],
    ['/api/v2/content/news', { title: 'New', publicationDate: '2026-01-01T00:00:00.000+02:00' }],
    ['/api/v2/content/faqs', { question: 'New?' }],
    ['/api/v2/content/customers', { name: 'New' }],
  ])('creates, reads, replaces and deletes at %s', async (path, body) => {
    const created = await create(path, body);
    expect(created.reference).toMatch(new RegExp(`-${created.id}$`));
    const again = await call('PUT', `${path}/${created.id}`, created);
    expect([again.status, again.headers.etag, again.body]).toEqual([200, '"1"', created]);
    const forbidden = await call('POST', path, body, { token: bruno });
    expect(forbidden.status).toBe(403);
    const gone = await call('DELETE', `${path}/${created.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await call('DELETE', `${path}/${created.id}`)).status).toBe(404);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    ' javascript:x',
    '\tjavascript:x',
    'data:text/html,x',
    '//evil.example',
    '/\\evil',
    '\\\\evil',
    'https:evil',
    'http://',
    'https://a@evil.example/',
    'ftp://x',
    'x',
    'vbscript:x',
    '/a b',
  ])('refuses the link %j', async (link) => {
    const answer = await call('POST', '/api/v2/navigation/applications', {
      title: 'x',
      type: 'LINK',
      link,
    });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['link']]);
  });
});

describe('PUT', () => {
  it('keeps administrator, processEngine and password when they are blank; blanks the rest', async () => {
    const user = await create(USERS, {
      login: 'put.one',
      lastName: 'One',
      nickName: 'N',
      administrator: true,
      password: PASSWORD,
    });
    const answer = await call('PUT', `${USERS}/${user.id}`, { login: 'put.one', lastName: 'Two' });
    expect(answer.body).toMatchObject({
      administrator: true,
      status: 1,
      nickName: null,
      title: 'Two',
      lastName: 'Two',
    });
    expect(await server.signIn('put.one', PASSWORD)).toBeDefined();
  });

  it('compares id and uri, and ignores other read-only attributes', async () => {
    const user = await create(USERS, { login: 'put.two', lastName: 'Two' });
    const ignored = await call('PUT', `${USERS}/${user.id}`, {
      ...user,
      label: 'x',
      creationDate: 'x',
      groups: 'x',
    });
    expect([ignored.status, ignored.body]).toEqual([200, user]);
    const wrong = await call('PUT', `${USERS}/${user.id}`, {
      ...user,
      id: '1',
      uri: '/directory/users/1',
    });
    expect([wrong.status, fieldNames(wrong)]).toEqual([400, ['id', 'uri']]);
  });
});

describe('PATCH', () => {
  const patch = (id: string, operations: unknown, more: Call = {}) =>
    call('PATCH', `${USERS}/${id}`, operations, more);
  let user: { id: string; uri: string };
  beforeAll(async () => {
    user = await create(USERS, {
      login: 'patch.me',
      lastName: 'Me',
      nickName: 'N',
      description: 'D',
    });
  });

  it('applies all six operations of RFC 6902', async () => {
    const answer = await patch(
      user.id,
      [
        { op: 'test', path: '/nickName', value: 'N' },
        { op: 'add', path: '/firstName', value: 'F' },
        { op: 'replace', path: '/lastName', value: 'L' },
        { op: 'copy', from: '/firstName', path: '/userFunction' },
        { op: 'move', from: '/description', path: '/nickName' },
        { op: 'remove', path: '/userFunction' },
      ],
      {
        headers: {
          'Content-Type': 'application/json-patch+json',
          Accept: 'application/json-patch+json',
        },
      },
    );
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        firstName: 'F',
        lastName: 'L',
        nickName: 'D',
        description: null,
        userFunction: null,
      }),
    ]);
  });

  it('is all operations or none; a failed test is 409', async () => {
    const before = await state('users');
    const answer = await patch(user.id, [
      { op: 'replace', path: '/nickName', value: 'X' },
      { op: 'test', path: '/lastName', value: 'Other' },
    ]);
    expect([answer.status, answer.body]).toEqual([
      409,
      { code: 409, message: "operation 1 (test): the value at '/lastName' is another" },
    ]);
    expect(await state('users')).toEqual(before);
  });

  it.each([
    [[{ op: 'replace', path: '/unknown', value: 1 }], '/unknown'],
    [[{ op: 'add', path: '/sysadmin', value: true }], '/sysadmin'],
    [[{ op: 'replace', path: '/id', value: '1' }], '/id'],
    [[{ op: 'remove', path: '/creationDate' }], '/creationDate'],
    [[{ op: 'move', from: '/label', path: '/nickName' }], '/nickName'],
    [[{ op: 'replace', path: '/organization/label/x', value: 1 }], '/organization/label/x'],
    [[{ op: 'test', path: '/passwordHash', value: '$argon2' }], '/passwordHash'],
    [[{ op: 'test', path: '/password', value: null }], '/password'],
    [[{ op: 'copy', from: '/password', path: '/description' }], '/description'],
    [[{ op: 'move', from: '/nickName', path: '/password' }], '/password'],
    [[{ op: 'remove', path: '' }], '/0'],
    [[{ op: 'toString', path: '/nickName' }], '/nickName'],
    [[{ op: '_get', path: '/nickName' }], '/nickName'],
    [[{ op: 'ADD', path: '/nickName', value: 'x' }], '/nickName'],
    [[{ op: 'add', path: 'nickName', value: 'x' }], 'nickName'],
    [[{ op: 'add', path: '/nick~2', value: 'x' }], '/nick~2'],
    [[{ op: 'add', path: '/__proto__/x', value: 'x' }], '/__proto__/x'],
    [[{ op: 'add', path: '/constructor/prototype/x', value: 'x' }], '/constructor/prototype/x'],
    [[{ op: 'replace', path: '/nickName' }], '/nickName'],
    [[{ op: 'copy', path: '/nickName' }], '/nickName'],
    [[{ path: '/nickName', value: 'x' }], '/nickName'],
    [[{ op: 'add', value: 'x' }], '/0'],
    [['add'], '/0'],
    [[null], '/0'],
    [{ op: 'add', path: '/nickName', value: 'x' }, 'body'],
    [Array(101).fill({ op: 'test', path: '/lastName', value: 'L' }), 'body'],
    [[{ op: 'replace', path: '/lastName', value: null }], 'lastName'],
    [[{ op: 'replace', path: '', value: {} }], 'login'],
  ])('refuses %j naming %j', async (operations, name) => {
    const before = await state('users');
    const answer = await patch(user.id, operations);
    expect([answer.status, fieldNames(answer)[0]]).toEqual([400, name]);
    expect(await state('users')).toEqual(before);
  });

  it('changes the links of an application', async () => {
    const application = await create('/api/v2/navigation/applications', {
      title: 'Links',
      type: 'LINK',
      categories: ['1'],
    });
    const answer = await call('PATCH', `/api/v2${application.uri}`, [
      { op: 'add', path: '/audience/-', value: user.uri },
      {
        op: 'add',
        path: '/audience/0',
        value: { uri: '/directory/organizations/2', label: 'ignored' },
      },
      { op: 'replace', path: '/categories/0', value: '/navigation/categories/2' },
    ]);
    expect(answer.body.audience.map(({ uri }: { uri: string }) => uri).sort()).toEqual(
      ['/directory/organizations/2', user.uri].sort(),
    );
    expect(answer.body.categories.map(({ label }: { label: string }) => label)).toEqual([
      'People and careers',
    ]);
  });

  it('adds up: 40 parallel patches, half under If-Match with retries', async () => {
    const application = await create('/api/v2/navigation/applications', {
      title: 'Race',
      type: 'LINK',
    });
    const users = await server.database.query<{ id: string }>(
      'SELECT id::text FROM users ORDER BY id LIMIT 40',
    );
    const path = `/api/v2${application.uri}`;
    const add = async ({ id }: { id: string }, careful: boolean): Promise<void> => {
      for (;;) {
        const etag = careful ? String((await call('GET', path)).headers.etag) : undefined;
        const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
        const answer = await call(
          'PATCH',
          path,
          [{ op: 'add', path: '/audience/-', value: `/directory/users/${id}` }],
          { headers },
        );
        if (answer.status === 200) return;
        expect(answer.status).toBe(412);
      }
    };
    await Promise.all(users.map((one, n) => add(one, n % 2 === 0)));
    const { body } = await call('GET', path);
    expect(body.audience).toHaveLength(40);
  });
});

describe('If-Match', () => {
  it('is honoured on PUT, PATCH and DELETE: 412 when stale, and nothing changed', async () => {
    const group = await create('/api/v2/directory/groups', { label: 'Conditional' });
    const path = `/api/v2${group.uri}`;
    const body = { ...group, label: 'Other' };
    const operations = [{ op: 'replace', path: '/label', value: 'Other' }];
    const before = await state('groups');
    for (const tag of ['"0"', '"2"', 'W/"1"', '1', '', '"1', '"x", "y"'])
      for (const [method, sent] of [
        ['PUT', body],
        ['PATCH', operations],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, path, sent, { headers: { 'If-Match': tag } });
        expect([tag, method, answer.status]).toEqual([tag, method, 412]);
      }
    expect(await state('groups')).toEqual(before);
    const one = await call('PUT', path, body, { headers: { 'If-Match': '"7", "1"' } });
    expect([one.status, one.headers.etag]).toEqual([200, '"2"']);
    const any = await call('DELETE', path, undefined, { headers: { 'If-Match': '*' } });
    expect(any.status).toBe(204);
  });

  it('GET and HEAD are 304 to who has it, also for a script of a browser; writing goes on', async () => {
    const { uri } = await create('/api/v2/directory/groups', { label: 'Known' });
    const path = `/api/v2${uri}`;
    // What a browser adds to an If-None-Match of a script (Fetch standard).
    const known = { 'If-None-Match': '"7", W/"1"', 'Cache-Control': 'no-cache' };
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers, text } = await call(method, path, undefined, { headers: known });
      expect([status, headers.etag, headers['content-type'], text]).toEqual([
        304,
        '"1"',
        undefined,
        '',
      ]);
    }
    const operations = [{ op: 'replace', path: '/label', value: 'Other' }];
    const changed = await call('PATCH', path, operations, { headers: { 'If-None-Match': '"2"' } });
    expect([changed.status, changed.body.label]).toEqual([200, 'Other']);
    const read = await call('GET', path, undefined, { headers: known });
    expect([read.status, read.headers.etag]).toEqual([200, '"2"']);
  });
});

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

  it('whoever a task waits for may close it; a process engine may do all with tasks, nothing else', async () => {
    const assignee = await findId(USERS, 'login:eq:bruno.keller');
    const made = await call(
      'POST',
      '/api/v2/process/tasks',
      { title: 'T', application: '1', assignee },
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

  it('nobody can shut out sysadmin, not even itself; others cannot touch it', async () => {
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
  it('says by what and how many a thing is referred to', async () => {
    const id = await findId('/api/v2/directory/organizations', 'reference:eq:LEGAL');
    const [row] = await server.database.query(
      `SELECT count(*)::int AS n FROM users WHERE organization_id = $1`,
      [id],
    );
    const answer = await call('DELETE', `/api/v2/directory/organizations/${id}`);
    expect([answer.status, answer.body]).toEqual([
      409,
      { code: 409, message: `Still referred to by ${String(row!.n)} of users (as organization)` },
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
});

describe('a view', () => {
  it('has, detailed, the count that its indicator has for the caller', async () => {
    const [row] = await server.database.query<{ view: string; uri: string }>(
      `SELECT view_id::text AS view, '/navigation/applications/' || id AS uri FROM applications WHERE reference = 'TRAVEL'`,
    );
    const { view, uri } = row!;
    for (const token of [admin, bruno]) {
      const { body } = await call('GET', `/api/v2/process/views/${view}`, undefined, { token });
      const path = `/navigation/workplace/apps/indicator?applicationUri=${uri}`;
      expect(body.count).toBe((await call('GET', path, undefined, { token })).body.count);
      expect(body.count).toBeGreaterThan(0);
    }
  });
});

describe('GET /api/v2/process/views/{id}/records', () => {
  it('lists exactly what indicator and detailed view count, for every view and person', async () => {
    const views = await server.database.query<{ id: string }>(
      'SELECT id::text FROM views ORDER BY id',
    );
    let rows = 0;
    for (const token of [admin, bruno, await server.signIn('chloe.lefevre')])
      for (const { id } of views) {
        const path = `/api/v2/process/views/${id}`;
        const view = await call('GET', path, undefined, { token });
        if (view.status === 404) continue;
        const listed = await call('GET', `${path}/records?range=0-500`, undefined, {
          token,
          headers: { Prefer: 'count=exact' },
        });
        expect([id, listed.body.length]).toEqual([id, view.body.count]);
        expect(listed.headers['x-total-count']).toBe(String(view.body.count));
        rows += listed.body.length as number;
      }
    expect(rows).toBeGreaterThan(50);
  });

  it('keeps the view’s order and filters; the request may sort and filter further', async () => {
    const path = '/api/v2/process/views/2/records';
    const all = await call('GET', path, undefined, { token: bruno });
    const keys = (all.body as { priority: number; status: string }[]).map(
      ({ priority }) => priority,
    );
    expect(keys).toEqual([...keys].sort((a, b) => b - a));
    const few = await call(
      'GET',
      `${path}?sorter=priority&filters=priority:lt:3&range=0-2`,
      undefined,
      { token: bruno },
    );
    expect(few.body.length).toBe(2);
    expect(few.body[0].priority).toBeLessThan(3);
    const words = await call(
      'GET',
      '/api/v2/process/views/5/records?range=0-1&responseMode=user',
      undefined,
      {
        token: await server.signIn('chloe.lefevre'),
      },
    );
    expect(words.body[0]).toMatchObject({ status: 'ouverte', application: 'Onboarding' });
    // Filters of the request combined with or do not undo those of the view.
    const or = await call(
      'GET',
      `${path}?filterMode=or&filters=status:eq:done&filters=status:eq:cancelled`,
      undefined,
      { token: bruno },
    );
    expect(or.body).toEqual([]);
  });

  it('is 404 for a view that the caller does not see, 409 for one that cannot be read', async () => {
    expect(
      (await call('GET', '/api/v2/process/views/11/records', undefined, { token: bruno })).status,
    ).toBe(404);
    await server.database.query(`UPDATE views SET filters = '{nothing:eq:x}' WHERE id = 3`);
    const broken = await call('GET', '/api/v2/process/views/3/records', undefined, {
      token: bruno,
    });
    expect([broken.status, broken.body.message]).toEqual([
      409,
      expect.stringMatching(/^The view cannot be executed: unknown attribute 'nothing'/),
    ]);
    expect(
      (await call('GET', '/api/v2/process/views/3', undefined, { token: bruno })).body.count,
    ).toBeNull();
  });
});

describe('the audit trail', () => {
  it('tells who changed what, before and after, without secrets', async () => {
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
