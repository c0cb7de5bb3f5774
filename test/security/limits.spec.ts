import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { valueOfCell } from '../../src/base/csv/cells.js';
import { fieldNames } from '../support/call.js';
import { sendRaw } from '../support/raw.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** The limits of requests, each at the limit and one above; a rejected request stores nothing. */

const DOCUMENTS = '/api/v2/content/documents';
let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const post = (body: unknown, path = DOCUMENTS) =>
  server.call(path, { method: 'POST', token, body });
const state = async () =>
  (
    await server.database.query(
      `SELECT md5(string_agg(t::text || xmin, '' ORDER BY id)) AS sum FROM documents t`,
    )
  )[0];

/** JSON of exactly this many bytes. */
const sized = (bytes: number): string => {
  const empty = '{"title":"Size","pad":""}';
  return empty.replace('""}', `"${'x'.repeat(bytes - empty.length)}"}`);
};
const nested = (depth: number): string =>
  `{"title":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('a body', () => {
  it('has at most 100 KiB', async () => {
    const before = await state();
    const fits = await post(sized(100 * 1024));
    expect([fits.status, fieldNames(fits)]).toEqual([400, ['pad']]);
    const large = await post(sized(100 * 1024 + 1));
    expect([large.status, large.body]).toEqual([
      413,
      { code: 413, message: 'The body is too large; at most 100 KiB' },
    ]);
    expect(await state()).toEqual(before);
  });

  it.each([
    '/api/v2/authentication/password-reset',
    '/api/v2/directory/invitations',
    '/api/v2/directory/invitations/check',
  ])('may have at most 4 KiB if a guest sends it to %s', async (path) => {
    const send = (bytes: number) => server.call(path, { method: 'POST', body: sized(bytes) });
    expect((await send(4096)).status).not.toBe(413);
    expect((await send(4097)).body).toEqual({
      code: 413,
      message: 'The body is too large; at most 4 KiB',
    });
  });

  it.each(['/api/v2/authentication', '/api/v2/authentication/'])(
    'may have at most 4 KiB in a sign-in: %s',
    async (path) => {
      const body = (bytes: number) => ({ login: 'x'.repeat(bytes - 27), password: 'y' });
      expect(JSON.stringify(body(4096))).toHaveLength(4096);
      const login = (bytes: number) =>
        server.call(path, { method: 'POST', body: JSON.stringify(body(bytes)) });
      expect((await login(4096)).status).not.toBe(413);
      expect((await login(4097)).body).toEqual({
        code: 413,
        message: 'The body is too large; at most 4 KiB',
      });
    },
  );

  it('may have at most 64 KiB in a PATCH', async () => {
    const patch = (bytes: number) => {
      const empty = JSON.stringify([{ op: 'test', path: '/title', value: '' }]);
      const value = 'x'.repeat(bytes - empty.length);
      const body = JSON.stringify([{ op: 'test', path: '/title', value }]);
      return server.call(`${DOCUMENTS}/1`, { method: 'PATCH', token, body });
    };
    expect((await patch(64 * 1024)).status).toBe(409);
    expect((await patch(64 * 1024 + 1)).status).toBe(413);
  });

  it('may have at most 2 MiB if it is a picture', async () => {
    const picture = await sharp({
      create: { width: 8, height: 8, channels: 3, background: 'red' },
    })
      .jpeg()
      .toBuffer();
    const { uri } = (await server.call('/api/v2/directory/users/me', { token })).body;
    const put = (bytes: number) =>
      server.call(`/api/v2${uri}/photo`, {
        method: 'PUT',
        token,
        headers: { 'Content-Type': 'image/jpeg' },
        body: Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]),
      });
    expect((await put(2 * 1024 * 1024)).status).toBe(204);
    expect((await put(2 * 1024 * 1024 + 1)).status).toBe(413);
  });

  it('is measured by its unpacked size', async () => {
    const packed = gzipSync(JSON.stringify({ title: 'x'.repeat(50_000_000) }));
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await server.call(DOCUMENTS, { method: 'POST', token, body: packed, headers });
    expect(answer.status).toBe(413);
  });

  it.each([
    ['{"title":"x","title":"y"}', 'title'],
    ['{"title":"x","\\u0074itle":"y"}', 'title'],
    ['{"title":"x","audience":[{"id":"1","id":"2"}]}', 'id'],
  ])('gives nothing twice: %s', async (body, name) => {
    const before = await state();
    const answer = await post(body);
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [{ name, message: 'is given more than once' }],
    ]);
    expect(await state()).toEqual(before);
  });

  it('is nested at most 32 deep', async () => {
    expect(fieldNames(await post(nested(32)))).toEqual(['title']);
    for (const depth of [33, 1500, 40_000]) {
      const deep = await post(nested(depth));
      expect([deep.status, deep.body.fields]).toEqual([
        400,
        [{ name: 'body', message: 'is nested more than 32 levels deep' }],
      ]);
    }
  });

  it('has at most 200 attributes an object and 1,000 items an array', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 1]));
    expect(fieldNames(await post(many(200)))).toContain('a0');
    expect(fieldNames(await post(many(201)))).toEqual(['body']);
    const items = (count: number) => ({ title: 'x', audience: Array(count).fill('1') });
    expect((await post(items(1000))).status).toBe(201);
    expect(fieldNames(await post(items(1001)))).toEqual(['body']);
  });

  it.each([
    ['a lone surrogate in a name', '{"\\udfff":1}'],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"title":"x"}', 'utf16le')],
    ['a trailing comma', '{"title":"x",}'],
    ['a comment', '{"title":"x"/**/}'],
    ['single quotes', "{'title':'x'}"],
    ['NaN', '{"size":NaN}'],
    ['a bare word', '{title:"x"}'],
    ['two values', '{"title":"x"}{"title":"y"}'],
    ['nothing but blanks', '   '],
    ['an unfinished text', '{"title":"x'],
  ])('is refused with %s', async (_, body) => {
    const before = await state();
    const answer = await post(body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['body']]);
    expect(await state()).toEqual(before);
  });

  it.each([
    ['a lone surrogate', '{"title":"\\ud800"}', 'title'],
    ['a lone surrogate in a list', '{"title":"x","audience":["\\udfff"]}', 'audience'],
    ['NUL', '{"title":"a\\u0000b"}', 'title'],
    ['NUL in a strange attribute', '{"a b":"a\\u0000b"}', 'body'],
  ])('is refused with %s, which the error locates', async (_, body, name) => {
    const before = await state();
    const answer = await post(body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, [name]]);
    expect(await state()).toEqual(before);
  });

  it.each(['1e400', '-1', '1.5', '"5"', 'true', '[]', '{}', '9007199254740993'])(
    'has no size %s',
    async (size) => {
      const body = `{"title":"x","size":${size}}`;
      const answer = await post(body);
      expect([answer.status, fieldNames(answer)]).toEqual([400, ['size']]);
    },
  );

  it.each([
    'administrator',
    'sysadmin',
    'passwordHash',
    '__proto__',
    'constructor',
    'revision',
    'quickSearch',
    'audienceIds',
    'toString',
  ])('cannot give %s to a document', async (name) => {
    const before = await state();
    const answer = await post(`{"title":"x","${name}":{"a":1}}`);
    expect([answer.status, fieldNames(answer)]).toEqual([400, [name]]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('has a size of at most 9007199254740991, by which it is filtered and imported too', async () => {
    const size = Number.MAX_SAFE_INTEGER;
    const made = await post({ title: 'The largest', size });
    expect([made.status, made.body.size]).toEqual([201, size]);
    const path = '/api/v2/content/documents?filters=size:';
    const found = await server.call(`${path}eq:${size}`, { token });
    expect(found.body).toMatchObject([{ title: 'The largest' }]);
    const beyond = await server.call(`${path}lt:9007199254740993`, { token });
    expect([beyond.status, fieldNames(beyond)]).toEqual([400, ['filters']]);
    expect(valueOfCell('number', String(size))).toBe(size);
    expect(valueOfCell('number', '9007199254740993')).toBe('9007199254740993');
  });

  it('keeps every character as it was sent', async () => {
    for (const title of [
      'ﬁ Å Å é é',
      '\u202eevil',
      '😀👩‍👩‍👧',
      ' x ',
      '<script>',
      "'; DROP TABLE users; --",
      '${7*7}',
      'a\t\r\nb',
      '𝔘'.repeat(100),
    ]) {
      const made = await post({ title });
      expect([made.status, made.body.title]).toEqual([201, title]);
    }
  });

  it('has texts of at most their length', async () => {
    expect((await post({ title: 'x'.repeat(200) })).status).toBe(201);
    expect(fieldNames(await post({ title: 'x'.repeat(201) }))).toEqual(['title']);
    // Every code point counts, a variation selector too.
    expect((await post({ title: '☎\ufe0f'.repeat(100) })).status).toBe(201);
    expect(fieldNames(await post({ title: '☎\ufe0f'.repeat(101) }))).toEqual(['title']);
  });

  it('stores texts that grow by case folding, or answers 400', async () => {
    const answer = await post({ title: '\ufdfa'.repeat(200), keywords: '\ufdfa'.repeat(500) });
    expect([201, 400]).toContain(answer.status);
  });
});

describe('a password', () => {
  it('has at most 128 characters, all of which count', async () => {
    const login = 'limit.password';
    const password = (length: number) => `Aa1!${'😀'.repeat(length - 4)}`;
    const create = (length: number) =>
      post({ login, lastName: 'x', password: password(length) }, '/api/v2/directory/users');
    expect(fieldNames(await create(129))).toEqual(['password']);
    expect((await create(128)).status).toBe(201);
    const signIn = (text: string) =>
      server.call('/api/v2/authentication', { method: 'POST', body: { login, password: text } });
    expect((await signIn(password(128))).status).toBe(200);
    expect((await signIn(password(127))).status).toBe(401);
    expect((await signIn(`${password(127)}!`)).status).toBe(401);
    expect((await signIn(password(129))).status).toBe(400);
  });
});

describe('a request', () => {
  const users = '/api/v2/directory/users';
  const statusOf = async (path: string) => (await server.call(path, { token })).status;

  it('has at most 64 parameters, each of at most 2,048 characters', async () => {
    const many = (count: number) => `${users}?${'&range=0-1'.repeat(count)}`;
    expect(await statusOf(many(64))).toBe(200);
    const { status, body } = await server.call(many(65), { token });
    expect([status, body.fields]).toEqual([
      400,
      [{ name: 'query', message: 'at most 64 parameters' }],
    ]);
    const apps = (length: number) => `/navigation/workplace/apps?category=${'x'.repeat(length)}`;
    expect(await statusOf(apps(2048))).toBe(404);
    expect(await statusOf(apps(2049))).toBe(400);
  });

  it('has at most 8 keys in its sorter', async () => {
    const keys = [
      'login',
      'title',
      'email',
      'status',
      'firstName',
      'lastName',
      'nickName',
      'locale',
    ];
    expect(await statusOf(`${users}?sorter=${keys.join(',')}`)).toBe(200);
    expect(await statusOf(`${users}?sorter=${keys.join(',')},id`)).toBe(400);
  });

  it('has at most 128 characters of search text', async () => {
    const search = async (length: number) =>
      (
        await server.call(
          `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=${'x'.repeat(length)}`,
          { token },
        )
      ).body.type;
    expect(await search(128)).toBe('success');
    expect(await search(129)).toBe('error');
  });

  it('has a head of at most 16 KiB', async () => {
    const head = (bytes: number) => {
      const empty = 'GET /api/v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: \r\n\r\n';
      return empty.replace('X: ', `X: ${'x'.repeat(bytes - empty.length)}`);
    };
    expect(await sendRaw(server.port, head(16_000))).toMatch(/^HTTP\/1.1 200 /);
    expect(await sendRaw(server.port, head(16_500))).toMatch(/^HTTP\/1.1 431 /);
  });

  it('may be one of any number of pipelined requests, and starts after those before it', async () => {
    const get = (path: string, close = '') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Authentication-Key: ${token}\r\n${close}\r\n`;
    const close = 'Connection: close\r\n';
    const sent = get('/api/v2').repeat(600) + get(users).repeat(200) + get('/nothing', close);
    const answers = (await sendRaw(server.port, sent, 20_000)).match(/HTTP\/1\.1 \d+/g)!;
    expect(answers).toEqual([...Array.from({ length: 800 }, () => 'HTTP/1.1 200'), 'HTTP/1.1 404']);
  });
});
