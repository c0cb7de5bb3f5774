import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames, linksOf } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Odd input to every parser: 400 naming the parameter, never a 5xx, never corrected silently. */

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const users = '/api/v2/directory/users';
const refusedNaming = async (path: string, name: string) => {
  const answer = await server.call(path, { token });
  expect([answer.status, fieldNames(answer)]).toEqual([400, [name]]);
  expect(answer.text).not.toMatch(/SELECT|syntax|at .+\.[jt]s/);
};

describe('range', () => {
  it.each([
    '',
    ' ',
    '-',
    '0',
    '5',
    '0-',
    '-5',
    '0-0',
    '0-501',
    '0-1000',
    '0-00501',
    '-1-5',
    '0--5',
    '1-2-3',
    '0-25,30-5',
    '0_25',
    '0–25',
    'a-b',
    '0-x',
    'x-5',
    '1e3-5',
    '0x0-1',
    '0.0-5',
    '0-5.0',
    '+0-5',
    ' 0-5',
    '0-5 ',
    '0 -5',
    '99999999999-10',
    '９-5',
    'NaN-5',
    'Infinity-1',
    '0-25;drop table users',
    '%00',
    'null',
    '[0-5]',
  ])('%j', async (range) => {
    await refusedNaming(`${users}?range=${encodeURIComponent(range)}`, 'range');
  });

  it('is accepted at its bounds', async () => {
    for (const range of ['0-1', '0-500', '9999999999-500', '0000000000-0001', '007-5'])
      expect((await server.call(`${users}?range=${range}`, { token })).status).toBe(200);
  });

  it.each(['', '&filters=login:contains:martin', '&filters=login:contains:a&sorter=-login'])(
    'is empty far past the end%s',
    async (others) => {
      const { status, body } = await server.call(`${users}?range=9999999999-500${others}`, {
        token,
      });
      expect([status, body]).toEqual([200, []]);
    },
  );

  it('has a previous page that does not overlap', async () => {
    const answer = await server.call(`${users}?range=10-25`, { token });
    expect(linksOf(answer).prev).toBe(`${users}?range=0-10`);
  });
});

describe('sorter', () => {
  it.each([
    '',
    '-',
    '--id',
    '+id',
    'id DESC',
    'id desc',
    'id;',
    'id,',
    ',id',
    'id,,login',
    'id,id',
    'id,-id',
    'ID',
    'Login',
    'last_name',
    'u.id',
    't.id',
    'id;drop table users',
    '(select 1)',
    '1',
    "id'",
    'id"',
    'id--',
    'id/**/',
    'password',
    'passwordHash',
    'hash',
    'groups',
    'organizationPath',
    'lockedUntil',
    'photo',
    'organization.label',
    'organization.',
    '.label',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'quickSearch',
    'revision',
    'sysadmin',
    '[id]',
    'id\n',
    'ïd',
    'id\u0000',
    'id,login,title,email,status,firstName,lastName,nickName,locale',
  ])('%j', async (sorter) => {
    await refusedNaming(`${users}?sorter=${encodeURIComponent(sorter)}`, 'sorter');
  });
});

describe('filters', () => {
  it.each([
    '',
    ':',
    '::',
    ':::',
    'login',
    'login:',
    'login:eq',
    'login:eq:',
    ':eq:x',
    'login::x',
    'login:EQ:x',
    'login:like:x',
    'login:=:x',
    'login eq x',
    'Login:eq:x',
    'unknown:eq:x',
    'password:eq:x',
    'passwordHash:starts:$argon2',
    '__proto__:eq:x',
    'constructor:eq:x',
    'toString:isempty',
    'login:__proto__:x',
    'login:toString:x',
    'login:isempty:x',
    'login:isnotempty:x',
    'status:gt:1',
    'status:contains:1',
    'status:eq:9',
    'status:eq:x',
    'status:eq:01',
    'status:eq:__proto__',
    'administrator:gt:true',
    'administrator:eq:1',
    'administrator:eq:yes',
    'id:eq:x',
    'id:eq:1.0',
    'id:eq:-1',
    'id:eq:9223372036854775808',
    'id:contains:1',
    'id:starts:1',
    'organization:gt:1',
    'organization:eq:/directory/users/1',
    'organization.unknown:eq:x',
    'organization.manager:eq:1',
    'organization.parent.label:eq:x',
    'organization.path:eq:1',
    'login.x:eq:1',
    'groups:eq:1',
    'photo:eq:x',
    'lockedUntil:isempty',
    'quickSearch:contains:x',
    'sysadmin:eq:true',
    `login:eq:${'x'.repeat(257)}`,
    `login:contains:${'x'.repeat(129)}`,
    'login:eq:\u0000',
  ])('%j', async (filter) => {
    const name = 'filters';
    await refusedNaming(`${users}?filters=${encodeURIComponent(filter)}`, name);
  });

  it('is accepted at its bounds', async () => {
    for (const filter of [`login:eq:${'x'.repeat(256)}`, `login:contains:${'😀'.repeat(128)}`])
      expect(
        (await server.call(`${users}?filters=${encodeURIComponent(filter)}`, { token })).status,
      ).toBe(200);
    const twenty = Array(20).fill('filters=id:gt:1').join('&');
    expect((await server.call(`${users}?${twenty}`, { token })).status).toBe(200);
    await refusedNaming(`${users}?${twenty}&filters=id:gt:1`, 'filters');
  });
});

describe('timestamps', () => {
  it.each([
    'now',
    'today',
    'tomorrow',
    'yesterday',
    'epoch',
    'infinity',
    '-infinity',
    '2026',
    '2026-01',
    '2026-01-01',
    '2026-01-01T00:00:00.000',
    '2026-01-01 00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-02-30T00:00:00.000Z',
    '2025-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-01-32T00:00:00.000Z',
    '2026-1-1T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '294277-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000z',
    '2026-01-01t00:00:00.000Z',
    '2026-01-01T00:00:00.000+25:00',
    '2026-01-01T00:00:00.000 UTC',
    '2026-01-01T00:00:00.000Z ',
    '１２３',
    '1767225600',
    "2026-01-01T00:00:00.000Z'",
    '20260101T000000.000Z',
  ])('%j', async (text) => {
    const filter = encodeURIComponent(`creationDate:gt:${text}`);
    await refusedNaming(`${users}?filters=${filter}`, 'filters');
  });

  it('is accepted with Z or a numeric offset', async () => {
    for (const text of [
      '2026-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999+14:00',
      '2026-01-01T00:00:00.000-0330',
    ]) {
      const filter = encodeURIComponent(`creationDate:gt:${text}`);
      expect((await server.call(`${users}?filters=${filter}`, { token })).status).toBe(200);
    }
  });
});

describe('the query string', () => {
  it.each([
    ['filter=login:eq:x', 'filter'],
    ['Range=0-5', 'Range'],
    ['filters[a]=login:eq:x', 'filters[a]'],
    ['filters[0][1]=login:eq:x', 'filters[0][1]'],
    ['filters[', 'filters['],
    ['range[]=0-5', 'range[]'],
    ['range=0-5&range=0-6', 'range'],
    ['sorter=id&sorter=login', 'sorter'],
    ['filterMode=and&filterMode=or', 'filterMode'],
    ['filterMode=xor', 'filterMode'],
    ['filterMode=', 'filterMode'],
    ['responseMode=foo', 'responseMode'],
    ['responseMode=', 'responseMode'],
    ['page=2', 'page'],
    ['limit=5', 'limit'],
    ['=x', ''],
    ['__proto__=x', '__proto__'],
    ['__proto__[x]=1', '__proto__[x]'],
    ['constructor=x', 'constructor'],
    ['range=%ff', 'range'],
    ['range=%', 'range'],
    ['range=%zz', 'range'],
    ['filters=login:eq:%c3%28', 'filters'],
    ['filters=login:eq:%c0%af', 'filters'],
    ['filters=login:eq:%ed%a0%80', 'filters'],
    ['filters=login:eq:%00', 'filters'],
    ['%ff=1', 'query'],
    [`filters=login:eq:${'x'.repeat(2049)}`, 'filters'],
    [Array(65).fill('filters=id:gt:1').join('&'), 'query'],
    [Array(1100).fill('a=1').join('&'), 'query'],
    ['sorter=id;filters=login:eq:x', 'sorter'],
  ])('%j names %j', async (text, name) => {
    await refusedNaming(`${users}?${text}`, name);
  });

  it.each([
    ['PHP', 'filters%5B0%5D=login:neq:sysadmin&filters%5B1%5D=login:starts:a'],
    ['axios', 'filters[]=login:neq:sysadmin&filters[]=login:starts:a'],
    ['both ways at once', 'filters=login:neq:sysadmin&filters[7]=login:starts:a'],
  ])('takes filters as %s writes arrays', async (_, text) => {
    const plain = 'filters=login:neq:sysadmin&filters=login:starts:a';
    const expected = await server.call(`${users}?${plain}`, { token });
    expect((expected.body as unknown[]).length).toBeGreaterThan(0);
    const { status, body } = await server.call(`${users}?${text}`, { token });
    expect([status, body]).toEqual([200, expected.body]);
  });

  it('counts filters in an array like others, and names filters where one is wrong', async () => {
    const many = Array.from({ length: 21 }, (_, n) => `filters[${n}]=id:gt:${n}`).join('&');
    await refusedNaming(`${users}?${many}`, 'filters');
    await refusedNaming(`${users}?filters[0]=nothing:eq:1`, 'filters');
  });

  it('takes a parameter that is given twice with the same value as one', async () => {
    const once = await server.call(`${users}?range=0-1&sorter=-login`, { token });
    const twice = `${users}?range=0-1&sorter=-login&range=0-1&sorter=%2Dlogin`;
    const { status, body } = await server.call(twice, { token });
    expect([status, body]).toEqual([200, once.body]);
    const apps = '/navigation/workplace/apps?category=%2Fnavigation%2Fcategories%2F1';
    const listed = await server.call(apps, { token });
    expect(listed.status).toBe(200);
    const again = await server.call(`${apps}&category=/navigation/categories/1`, { token });
    expect([again.status, again.body]).toEqual([200, listed.body]);
    await refusedNaming(`${apps}&category=/navigation/categories/2`, 'category');
    const kinds = await server.call('/api/v2/changes?kinds=categories&kinds=categories', { token });
    expect(kinds.status).toBe(200);
  });

  it.each(['searchName=workplace_searchUsers&searchField=quickSearch&query=e', 'query=e'])(
    'is read in the same way for a search: %s',
    async (text) => {
      const path = `/navigation/search/workplace${text === 'query=e' ? '/all' : ''}`;
      const once = await server.call(`${path}?${text}`, { token });
      expect(once.body.type).toBe('success');
      expect((await server.call(`${path}?${text}&${text}`, { token })).body).toEqual(once.body);
      expect((await server.call(`${path}?${text}&query=f`, { token })).body).toEqual({
        type: 'error',
        message: 'query: is given more than once',
      });
    },
  );

  it('names all bad parameters of one request together', async () => {
    const answer = await server.call(
      `${users}?range=x&sorter=x&filters=x&filters=login:eq:&filterMode=x&responseMode=x&x=1`,
      { token },
    );
    expect(fieldNames(answer)).toEqual([
      'x',
      'range',
      'sorter',
      'filters',
      'filters',
      'filterMode',
      'responseMode',
    ]);
  });
});
