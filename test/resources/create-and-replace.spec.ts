import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Creating and replacing objects: stored values, answers and errors. */

const USERS = '/api/v2/directory/users';
const CONTENT = '/api/v2/content';
const PASSWORD = 'Correct-Horse-2026';

let writing: WritingServer;
let server: WritingServer['server'];
let admin: WritingServer['admin'];
let bruno: WritingServer['bruno'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let state: WritingServer['state'];
let findId: WritingServer['findId'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, admin, bruno, call, create, state, findId } = writing);
});
afterAll(() => writing.close());

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
          fields: [{ name: 'login', message: 'is required' }],
        },
      ]);
    }
  });

  it('names every bad attribute at once and changes nothing', async () => {
    const before = await state('users');
    const answer = await call('POST', USERS, {
      id: await idOf(server, 'users', 'bruno.keller'),
      login: 'a b',
      email: 'nobody',
      phoneNumber: 7,
      organization: '999999',
      manager: await uriOf(server, 'groups', 'HIRING'),
      status: 9,
      administrator: 'yes',
      locale: 'es',
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

  it('answers 409 to an existing login in any case and compatibility form', async () => {
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
        message: 'The password does not meet the password rules',
        errors: ['length', 'uppercase', 'number', 'special-char'],
      },
    ]);
    const both = await call('POST', USERS, { login: 'weak', password: 'é' });
    expect([both.status, fieldNames(both)]).toEqual([400, ['lastName']]);
    const upper = await call('POST', USERS, { login: 'weak', lastName: 'x', password: 'É' });
    expect(upper.body.errors).toContain('lowercase');
  });

  it.each<[path: string, body: object | (() => Promise<object>)]>([
    ['/api/v2/directory/organizations', { label: 'New' }],
    ['/api/v2/directory/groups', { label: 'New' }],
    ['/api/v2/navigation/categories', { title: 'New' }],
    [
      '/api/v2/navigation/applications',
      async () => ({
        title: 'New',
        type: 'LINK',
        link: 'https://x.example/',
        audience: [await uriOf(server, 'organizations', 'SALES')],
      }),
    ],
    [
      '/api/v2/process/tasks',
      async () => ({ title: 'New', application: await uriOf(server, 'applications', 'LEAVE') }),
    ],
    [
      '/api/v2/process/views',
      async () => ({
        label: 'New',
        application: await idOf(server, 'applications', 'LEAVE'),
        filters: ['assignee:eq:@me'],
        sorter: '-dueDate',
      }),
    ],
    ['/api/v2/content/documents', { title: 'New', size: 5_000_000_000 }],
    ['/api/v2/content/news', { title: 'New', publicationDate: '2026-01-01T00:00:00.000+02:00' }],
    ['/api/v2/content/faqs', { question: 'New?' }],
    ['/api/v2/content/customers', { name: 'New' }],
  ])('creates, reads, replaces and deletes at %s', async (path, given) => {
    const body = typeof given === 'function' ? await given() : given;
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

  it.each([
    ['a title', '/api/v2/navigation/categories', { title: 'Shown' }],
    ['a name', `${CONTENT}/customers`, { name: 'Shown' }],
    ['a question', `${CONTENT}/faqs`, { question: 'Shown' }],
  ])('shows %s as the label, and makes a reference', async (_, path, body) => {
    const made = await create(path, body);
    expect(made).toMatchObject({ label: 'Shown', reference: expect.stringMatching(/./) });
  });

  it('makes a user without a password invited, whose status a PUT may leave out', async () => {
    const invited = await create(USERS, { login: 'status.invited', lastName: 'S' });
    const body = { login: 'status.active', lastName: 'S', password: PASSWORD };
    const active = await create(USERS, body);
    expect([invited.status, active.status]).toEqual([2, 1]);
    const left = await call('PUT', `${USERS}/${active.id}`, { ...active, status: null });
    expect([left.status, left.body.status]).toEqual([200, 1]);
    for (const status of [0, 3]) {
      const put = await call('PUT', `${USERS}/${active.id}`, { ...active, status });
      expect([put.status, put.body.status]).toEqual([200, status]);
      await expect(server.signIn('status.active', PASSWORD)).rejects.toThrow();
    }
  });

  it('keeps only an argon2id hash of a password', async () => {
    const { id } = await create(USERS, { login: 'hashed', lastName: 'H', password: PASSWORD });
    const rows = await server.database.query<{ hash: string }>(
      'SELECT hash FROM passwords WHERE user_id = $1',
      [id],
    );
    expect(rows).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$/) }]);
  });

  it('changes nothing of an object to which a link is written', async () => {
    const path = `/api/v2${await uriOf(server, 'organizations', 'HQ')}`;
    const { body: before } = await call('GET', path);
    const organization = { ...before, label: 'Other', description: 'Other' };
    const user = await create(USERS, { login: 'links.whole', lastName: 'L', organization });
    expect(user.organization).toMatchObject({ uri: before.uri, label: before.label });
    const { body: after } = await call('GET', path);
    expect({ ...after, userCount: null }).toEqual({ ...before, userCount: null });
  });

  it('refuses an address of a document that is neither a path nor http', async () => {
    const body = { title: 'x', downloadUrl: 'javascript:alert(1)' };
    const answer = await call('POST', `${CONTENT}/documents`, body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['downloadUrl']]);
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
      id: await idOf(server, 'users', 'bruno.keller'),
      uri: await uriOf(server, 'users', 'bruno.keller'),
    });
    expect([wrong.status, fieldNames(wrong)]).toEqual([400, ['id', 'uri']]);
  });

  const MISSING = 'must be given: with its default, more people could see the object';

  it.each([
    [
      '/api/v2/navigation/applications',
      { title: 'Kept', type: 'LINK', active: false },
      ['active', 'audience'],
    ],
    ['/api/v2/navigation/categories', { title: 'Kept', active: false }, ['active']],
    ['/api/v2/directory/organizations', { label: 'Kept', active: false }, ['active']],
    [`${CONTENT}/news`, { title: 'Kept', status: 0 }, ['status', 'audience']],
    [`${CONTENT}/documents`, { title: 'Kept', status: 0 }, ['status', 'audience']],
    [`${CONTENT}/faqs`, { question: 'Kept', status: 0 }, ['status', 'audience']],
    [`${CONTENT}/customers`, { name: 'Kept', status: 0 }, ['status', 'audience']],
  ])('gets 400 for %s unless it states who sees the object', async (path, body, names) => {
    const audience = names.includes('audience') && {
      audience: [await uriOf(server, 'users', 'bruno.keller')],
    };
    const made = await create(path, { ...body, ...audience });
    const one = `${path}/${made.id}`;
    const without = Object.fromEntries(
      Object.entries(made).filter(([name]) => !names.includes(name)),
    );
    const blank = Object.fromEntries(names.map((name) => [name, null]));
    const refused = {
      code: 400,
      message: `Invalid: ${names.join(', ')}`,
      fields: names.map((name) => ({ name, message: MISSING })),
    };
    const patch = [{ op: 'replace', path: '', value: without }];
    expect((await call('PUT', one, without)).body).toEqual(refused);
    expect((await call('PUT', one, { ...without, ...blank })).body).toEqual(refused);
    expect((await call('PATCH', one, patch)).body).toEqual(refused);
    for (const name of names) {
      const { body } = await call('PUT', one, { ...made, [name]: undefined });
      expect(body.fields).toMatchObject([{ name, message: MISSING }]);
    }
    expect((await call('GET', one)).body).toEqual(made);
    const shown = { active: true, status: 1, audience: [] };
    const given = Object.fromEntries(
      Object.entries(shown).filter(([name]) => names.includes(name)),
    );
    const replaced = await call('PUT', one, { ...without, ...given });
    expect([replaced.status, replaced.body]).toEqual([200, expect.objectContaining(given)]);
  });

  it('accepts the default audience in a POST and in a patch of the attribute alone', async () => {
    const made = await create(`${CONTENT}/news`, { title: 'Shown' });
    expect(made).toMatchObject({ status: 1, audience: [] });
    const value = [await uriOf(server, 'users', 'bruno.keller')];
    const path = `${CONTENT}/news/${made.id}`;
    await call('PATCH', path, [{ op: 'replace', path: '/audience', value }]);
    const patched = await call('PATCH', path, [{ op: 'replace', path: '/audience', value: null }]);
    expect([patched.status, patched.body.audience]).toEqual([200, []]);
  });
});
