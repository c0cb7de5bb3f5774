import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from './support/call.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** Limits of bodies, each at the limit and one above; nothing of a refused body is stored. */

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

/** JSON of exactly so many bytes. */
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

  it('is nested at most 32 deep', async () => {
    expect(fieldNames(await post(nested(32)))).toEqual(['title']);
    for (const depth of [33, 1500, 40_000]) {
      const deep = await post(nested(depth));
      expect([deep.status, deep.body.fields]).toEqual([
        400,
        [{ name: 'body', message: 'nested deeper than 32' }],
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
    ['a lone surrogate', '{"title":"\\ud800"}'],
    ['a lone surrogate in a name', '{"\\udfff":1}'],
    ['NUL', '{"title":"a\\u0000b"}'],
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

  it('keeps every character as it was sent', async () => {
    for (const title of [
      'ﬁ Å Å é é',
      '\u202eevil',
      '😀👩‍👩‍👧',
      ' x ',
      '<script>',
      "'; DROP TABLE users; --",
      '${7*7}',
      '\t\r\n',
      '𝔘'.repeat(100),
    ]) {
      const made = await post({ title });
      expect([made.status, made.body.title]).toEqual([201, title]);
    }
  });

  it('has texts of at most their length', async () => {
    expect((await post({ title: 'x'.repeat(200) })).status).toBe(201);
    expect(fieldNames(await post({ title: 'x'.repeat(201) }))).toEqual(['title']);
  });

  it('takes texts that grow when they are folded, or says no', async () => {
    const answer = await post({ title: '\ufdfa'.repeat(200), keywords: '\ufdfa'.repeat(500) });
    expect([201, 400]).toContain(answer.status);
  });
});
