import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames, linksOf, query } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/directory/users';
const TOTAL = 175;

type User = Record<string, unknown> & { id: string; login: string };

let server: TestServer;
let token: string;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  [token, admin] = [await server.signIn('bruno.keller'), await server.signIn('alice.martin')];
});
afterAll(() => server.close());

const list = async (parameters: Record<string, string | string[]> = {}, as = token) => {
  const answer = await server.call(PATH + query(parameters), { token: as });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as User[];
};
const ids = (users: User[]) => users.map(({ id }) => id);
const logins = async (...filters: string[]) =>
  (await list({ filters, range: '0-500' })).map(({ login }) => login);
const userId = async (login: string) => (await list({ filters: `login:eq:${login}` }))[0]!.id;

describe('GET /api/v2/directory/users', () => {
  it('carries every list attribute, with the Ref representation of the organization', async () => {
    const [user] = await list({ filters: 'login:eq:bruno.keller' });
    expect(user).toEqual({
      id: expect.stringMatching(/^\d+$/),
      uri: `/directory/users/${user!.id}`,
      reference: 'bruno.keller',
      label: 'Bruno Keller',
      login: 'bruno.keller',
      firstName: 'Bruno',
      lastName: 'Keller',
      nickName: null,
      title: 'Bruno Keller',
      email: 'bruno.keller@helvion.example',
      phoneNumber: '+41 44 555 01 02',
      mobilePhoneNumber: '+41 79 555 01 02',
      userFunction: 'Key account manager',
      description: null,
      locale: 'en',
      organization: {
        id: expect.stringMatching(/^\d+$/),
        uri: expect.stringMatching(/^\/directory\/organizations\/\d+$/),
        reference: 'SALES-DACH',
        label: 'Vertrieb DACH',
      },
      manager: {
        id: await userId('alice.martin'),
        uri: `/directory/users/${await userId('alice.martin')}`,
        reference: 'alice.martin',
        label: 'Alice Martin',
      },
      status: 1,
      administrator: false,
      processEngine: false,
      externalId: null,
      photo: `/navigation/directory/users/${user!.id}/photo`,
      creationDate: '2023-07-20T09:00:00.000Z',
      modificationDate: '2023-07-20T09:00:00.000Z',
      lastLoginDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('shows lastLoginDate and externalId only to administrators and to the person', async () => {
    await server.database.query(`UPDATE users SET external_id = 'X1' WHERE login = 'alice.martin'`);
    const [seen] = await list({ filters: 'login:eq:alice.martin' });
    expect([seen!.lastLoginDate, seen!.externalId]).toEqual([null, null]);
    const [own] = await list({ filters: 'login:eq:alice.martin' }, admin);
    expect(own!.externalId).toBe('X1');
    const confidential: Record<string, string>[] = [
      { filters: 'externalId:eq:X1' },
      { filters: 'lastLoginDate:isempty' },
      { sorter: 'externalId' },
    ];
    for (const parameters of confidential) {
      const refused = await server.call(PATH + query(parameters), { token });
      expect([refused.status, fieldNames(refused)]).toEqual([400, Object.keys(parameters)]);
      expect((await server.call(PATH + query(parameters), { token: admin })).status).toBe(200);
    }
  });
});

describe('Pager', () => {
  it('Default: the first page holds 50 items', async () => {
    expect(await list()).toHaveLength(50);
  });

  it('Maximum: 500 items per page', async () => {
    expect(await list({ range: '0-500' })).toHaveLength(TOTAL);
    const refused = await server.call(`${PATH}?range=0-501`, { token });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: range',
        fields: [{ name: 'range', message: 'must be <start>-<count> with a count from 1 to 500' }],
      },
    ]);
  });

  it('range=0-25 returns items 1 to 25; 25-25 items 26 to 50; 50-25 items 51 to 75', async () => {
    const all = ids(await list({ range: '0-500' }));
    expect(ids(await list({ range: '0-25' }))).toEqual(all.slice(0, 25));
    expect(ids(await list({ range: '25-25' }))).toEqual(all.slice(25, 50));
    expect(ids(await list({ range: '50-25' }))).toEqual(all.slice(50, 75));
  });

  it('answers an empty array past the end, with the count from the same query', async () => {
    const answer = await server.call(`${PATH}?range=9000-5`, {
      token,
      headers: { Prefer: 'count=exact' },
    });
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(answer.headers['x-total-count']).toBe(String(TOTAL));
    expect(linksOf(answer).next).toBeUndefined();
  });

  it('gives Link: next exactly when there is a next item, with every other parameter kept', async () => {
    const path = `${PATH}?sorter=-lastName&filters=login%3Acontains%3Aa&range=10-10`;
    const answer = await server.call(path, { token, headers: { Prefer: 'count=exact' } });
    const kept = `${PATH}?sorter=-lastName&filters=login%3Acontains%3Aa`;
    const total = Number(answer.headers['x-total-count']);
    expect(linksOf(answer)).toEqual({
      first: `${kept}&range=0-10`,
      prev: `${kept}&range=0-10`,
      next: `${kept}&range=20-10`,
      last: `${kept}&range=${Math.floor((total - 1) / 10) * 10}-10`,
    });
    expect(answer.headers['preference-applied']).toBe('count=exact');
    const last = await server.call(linksOf(answer).last!, { token });
    expect(last.body.length).toBeGreaterThan(0);
    expect(linksOf(last).next).toBeUndefined();
    expect(last.headers['x-total-count']).toBeUndefined();
  });

  it('neither overlaps nor skips, under any sorter, with ties and nulls, shallow and deep', async () => {
    await server.database.query(
      `INSERT INTO users (login, last_name, title, nick_name, status)
       SELECT 'tie.' || n, 'Tie', 'Tie', CASE n % 3 WHEN 0 THEN 'Same' END, n % 2 FROM generate_series(1, 700) n`,
    );
    for (const sorter of [
      '',
      'lastName',
      '-lastName',
      'nickName',
      '-nickName,status',
      'status,-title',
    ]) {
      const seen: string[] = [];
      for (let start = 0; ; start += 200) {
        const page = await list({ range: `${start}-200`, ...(sorter ? { sorter } : {}) });
        seen.push(...ids(page));
        if (page.length < 200) break;
      }
      expect([sorter, seen.length, new Set(seen).size]).toEqual([sorter, TOTAL + 700, TOTAL + 700]);
    }
    await server.database.query(`DELETE FROM users WHERE login LIKE 'tie.%'`);
  });
});

describe('Sorter', () => {
  it('sorter=<attribute> sorts ascending by that attribute, without case and accents', async () => {
    const [row] = await server.database.query<{ ids: string[] }>(
      `SELECT array_agg(id::text ORDER BY fold(last_name) COLLATE "C", id) AS ids FROM users`,
    );
    expect(ids(await list({ sorter: 'lastName', range: '0-500' }))).toEqual(row!.ids);
  });

  it('Prefix the attribute name with - for descending order', async () => {
    const up = ids(await list({ sorter: 'lastName', range: '0-500' }));
    expect(ids(await list({ sorter: '-lastName', range: '0-500' }))).toEqual(up.reverse());
  });

  it('sorts by several attributes, nulls last ascending and first descending, ids as numbers', async () => {
    const byNick = await list({ sorter: 'nickName,-id', range: '0-500' });
    const firstNull = byNick.findIndex(({ nickName }) => nickName === null);
    expect(firstNull).toBeGreaterThan(0);
    expect(byNick.slice(firstNull).every(({ nickName }) => nickName === null)).toBe(true);
    const nulls = byNick.slice(firstNull).map(({ id }) => Number(id));
    expect(nulls).toEqual([...nulls].sort((a, b) => b - a));
    expect((await list({ sorter: '-nickName', range: '0-1' }))[0]!.nickName).toBeNull();
  });
});

describe('Filters', () => {
  it('eq, neq: equals without case and accents; neq includes empty values', async () => {
    expect(await logins('lastName:eq:LEFEVRE')).toContain('chloe.lefevre');
    expect(await logins('firstName:eq:chloe', 'lastName:eq:lefèvre')).toEqual(['chloe.lefevre']);
    const maggies = await logins('nickName:eq:maggie');
    expect(maggies.map((login) => login.split('.')[0])).toEqual([
      'margaret',
      'margaret',
      'margaret',
    ]);
    expect(await logins('nickName:neq:Maggie')).toHaveLength(TOTAL - 3);
  });

  it('gt, gte, lt, lte', async () => {
    const id = await userId('bruno.keller');
    const below = (await logins(`id:lt:${id}`)).length;
    expect((await logins(`id:lte:${id}`)).length).toBe(below + 1);
    expect((await logins(`id:gt:${id}`)).length).toBe(TOTAL - below - 1);
    expect((await logins(`id:gte:${id}`)).length).toBe(TOTAL - below);
    expect(
      await logins(
        'creationDate:gte:2023-07-20T11:00:00.000+02:00',
        'creationDate:lte:2023-07-20T09:00:00.000Z',
      ),
    ).toEqual(['bruno.keller']);
    const early = await logins('lastName:lt:b', 'lastName:gte:a');
    expect(early.length).toBeGreaterThan(0);
  });

  it('starts, ends, contains, notcontains; wildcards are plain characters', async () => {
    expect(await logins('login:starts:CHLOÉ.')).toEqual(['chloe.lefevre']);
    expect(await logins('email:ends:keller@helvion.example')).toContain('bruno.keller');
    expect(await logins('title:contains:OE LEF')).toEqual(['chloe.lefevre']);
    const containing = await logins('lastName:contains:ß');
    expect(containing).toEqual(await logins('lastName:contains:SS'));
    expect(containing.length).toBeGreaterThan(0);
    expect((await logins('lastName:notcontains:ss')).length).toBe(TOTAL - containing.length);
    for (const wild of ['%', '_', '\\', '%%', 'a%', '*'])
      expect(await logins(`login:contains:${wild}`)).toEqual([]);
    await server.database.query(
      `UPDATE users SET nick_name = '50%_\\' WHERE login = 'bruno.keller'`,
    );
    for (const filter of [
      'nickName:contains:%_\\',
      'nickName:ends:\\',
      'nickName:starts:50%',
      'nickName:contains:％',
    ])
      expect([filter, await logins(filter)]).toEqual([filter, ['bruno.keller']]);
  });

  it('isempty and isnotempty take no value and part the list', async () => {
    const empty = await logins('mobilePhoneNumber:isempty');
    const filled = await logins('mobilePhoneNumber:isnotempty');
    expect(empty.length).toBeGreaterThan(0);
    expect(empty.length + filled.length).toBe(TOTAL);
    await server.database.query(`UPDATE users SET nick_name = '' WHERE login = 'bruno.keller'`);
    expect(await logins('nickName:isempty')).toContain('bruno.keller');
    const refused = await server.call(`${PATH}?filters=nickName:isempty:x`, { token });
    expect([refused.status, fieldNames(refused)]).toEqual([400, ['filters']]);
  });

  it('several filters combine with and; filterMode=or takes at least one', async () => {
    const [a, b] = [await logins('lastName:eq:martin'), await logins('firstName:eq:alice')];
    expect(await logins('lastName:eq:martin', 'firstName:eq:alice')).toEqual(['alice.martin']);
    const either = await list({
      filters: ['lastName:eq:martin', 'firstName:eq:alice'],
      filterMode: 'or',
      range: '0-500',
    });
    expect(new Set(either.map(({ login }) => login))).toEqual(new Set([...a, ...b]));
  });

  it('compares a link by id or URI, and reaches its attributes with a dot', async () => {
    const [bruno] = await list({ filters: 'login:eq:bruno.keller' });
    const { id, uri } = bruno!.organization as { id: string; uri: string };
    const members = await logins(`organization:eq:${id}`);
    expect(members).toContain('bruno.keller');
    expect(await logins(`organization:eq:${uri}`)).toEqual(members);
    expect(await logins('organization.label:eq:vertrieb dach')).toEqual(members);
    expect((await logins(`organization:neq:${uri}`)).length).toBe(TOTAL - members.length);
    expect((await logins('organization.label:notcontains:vertrieb')).length).toBe(
      TOTAL - members.length,
    );
    expect(await logins('organization:isempty')).toEqual(['sysadmin']);
    expect(await logins('organization.label:isempty')).toEqual(['sysadmin']);
  });

  it('values may contain colons', async () => {
    await server.database.query(
      `UPDATE users SET nick_name = 'a:b:c' WHERE login = 'bruno.keller'`,
    );
    expect(await logins('nickName:eq:a:b:c')).toEqual(['bruno.keller']);
  });

  it('accepts an offset whose plus sign arrived as a blank', async () => {
    const answer = await server.call(
      `${PATH}?filters=creationDate:eq:2023-07-20T11:00:00.000+02:00`,
      { token },
    );
    expect((answer.body as User[]).map(({ login }) => login)).toEqual(['bruno.keller']);
  });
});

describe('View response mode', () => {
  it('user returns displayable values in the caller’s language', async () => {
    const parameters = { filters: 'login:eq:chloe.lefevre', responseMode: 'user' };
    const [english] = await list(parameters);
    expect(english).toMatchObject({
      organization: 'Recrutement',
      manager: 'Alice Martin',
      status: 'active',
      administrator: 'no',
      locale: 'French',
      creationDate: '23 Aug 2024, 09:00',
    });
    const [french] = await list(parameters, await server.signIn('chloe.lefevre'));
    expect(french).toMatchObject({
      status: 'actif',
      administrator: 'non',
      locale: 'français',
      creationDate: '23 août 2024, 09:00',
    });
    await server.database.query(`UPDATE users SET locale = 'de' WHERE login = 'chloe.lefevre'`);
    const [german] = await list(parameters, await server.signIn('chloe.lefevre'));
    expect(german).toMatchObject({
      status: 'aktiv',
      administrator: 'nein',
      locale: 'Deutsch',
      creationDate: '23.08.2024, 09:00',
    });
  });

  it('applies only to lists', async () => {
    const answer = await server.call(`${PATH}/me?responseMode=user`, { token });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['responseMode']]);
  });
});

describe('GET /api/v2/directory/users/{id}', () => {
  it('is the detailed representation: list item, groups, organizationPath, lockedUntil', async () => {
    const id = await userId('bruno.keller');
    const [item] = await list({ filters: `id:eq:${id}` });
    const { status, body, headers } = await server.call(`${PATH}/${id}`, { token });
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^"\d+"$/);
    expect(Object.keys(body)).toEqual([
      ...Object.keys(item!),
      'groups',
      'organizationPath',
      'managedBy',
      'lockedUntil',
    ]);
    expect(body).toMatchObject(item!);
    expect(body.groups.map(({ label }: { label: string }) => label)).toEqual([
      'Expense approvers',
      'Hiring team',
      'Works council',
    ]);
    expect(body.organizationPath.map(({ label }: { label: string }) => label)).toEqual([
      'Helvion Group',
      'Sales',
      'Vertrieb DACH',
    ]);
  });

  it('GET /me is the caller', async () => {
    const { body } = await server.call(`${PATH}/me`, { token });
    expect(body.login).toBe('bruno.keller');
  });

  it.each([
    '0',
    '01',
    '+1',
    '-1',
    '1.0',
    '1e3',
    '0x1',
    'abc',
    '%201',
    '1%20',
    '%EF%BC%91',
    '9223372036854775808',
    '99999999999999999999',
    '9007199254740993',
    '1;',
    '1,2',
    'null',
    'NaN',
    '%00',
    '%2e%2e',
    '1%2F2',
    'users.css',
    '*',
    '__proto__',
    'constructor',
    'me2',
    'ME',
    "1'--",
    '1%0a',
    '{}',
  ])('answers 404 to the id %s', async (id) => {
    const answer = await server.call(`${PATH}/${id}`, { token });
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Not found' }]);
  });
});

it('derives a title of at most 200 characters from the names, which every later write accepts', async () => {
  const [firstName, lastName] = ['😀'.repeat(100), 'b'.repeat(100)];
  const body = { login: 'long.names', firstName, lastName };
  const created = await server.call(PATH, { method: 'POST', token: admin, body });
  expect([created.status, created.body.title]).toEqual([201, `${firstName} ${'b'.repeat(99)}`]);
  const { id } = created.body as User;
  const put = await server.call(`${PATH}/${id}`, {
    method: 'PUT',
    token: admin,
    body: { ...created.body, nickName: 'N' },
  });
  expect(put.status).toBe(200);
  await server.call(`${PATH}/${id}`, { method: 'DELETE', token: admin });
});

it('answers 400 to a path that is no UTF-8', async () => {
  expect((await server.call(`${PATH}/%ff`, { token })).status).toBe(400);
});

describe('GET /api/v2/directory/users/attributes', () => {
  it('describes the attributes of the list parser', async () => {
    const { body } = await server.call(`${PATH}/attributes`, { token });
    const byName = new Map((body as { name: string }[]).map((line) => [line.name, line]));
    expect(byName.get('lastName')).toEqual({
      name: 'lastName',
      type: 'text',
      sortable: true,
      operators: [
        'eq',
        'neq',
        'in',
        'gt',
        'gte',
        'lt',
        'lte',
        'starts',
        'ends',
        'contains',
        'notcontains',
        'isempty',
        'isnotempty',
      ],
      writable: true,
      required: true,
      maxLength: 100,
      codes: null,
      listed: true,
      translates: null,
    });
    expect(byName.get('groups')).toMatchObject({ listed: false });
    expect(byName.get('lastLoginDate')).toMatchObject({ sortable: false, operators: [] });
    expect(byName.get('status')).toMatchObject({
      operators: ['eq', 'neq', 'in', 'isempty', 'isnotempty'],
      codes: [0, 1, 2, 3],
    });
    expect(byName.get('locale')).toMatchObject({ type: 'coded', codes: ['en', 'fr', 'de'] });
    for (const [name, line] of byName) {
      const { sortable } = line as unknown as { sortable: boolean };
      const answer = await server.call(`${PATH}?range=0-1&sorter=${name}`, { token });
      expect([name, answer.status]).toEqual([name, sortable ? 200 : 400]);
    }
  });
});

describe('the e-mail address of a user', () => {
  it.each([
    ['two addresses', 'a,b@portal.example'],
    ['a list', 'a@portal.example;b'],
    ['a group', 'friends:a@portal.example'],
    ['a comment', 'a(b)@portal.example'],
    ['a format character', '\u202Ea@portal.example'],
    ['a control character', 'a@portal\u0007.example'],
  ])('is a 400 when it is or holds %s', async (_, email) => {
    const body = { login: 'one.address', lastName: 'Address', email };
    const answer = await server.call(PATH, { method: 'POST', token: admin, body });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['email']]);
  });
});
