import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { en as consoleEnglish } from '../../web/console/translations/en.js';
import { de as consoleGerman } from '../../web/console/translations/de.js';
import { fr as consoleFrench } from '../../web/console/translations/fr.js';
import { en as workplaceEnglish } from '../../web/workplace/translations/en.js';
import { de as workplaceGerman } from '../../web/workplace/translations/de.js';
import { fr as workplaceFrench } from '../../web/workplace/translations/fr.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const BUILD = 'dist/pages';
/** Most bytes of compressed script in the first load of the workplace. */
const MOST_SCRIPT = 150_000;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
  "img-src 'self' blob:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    BASE_PATH: '/platform',
    OIDC_ISSUER: 'https://login.example/realms/a',
    OIDC_AUDIENCE: 'a "portal" <$& & co>, another-client',
    OIDC_NAME: 'Ours & <co>',
  });
});
afterAll(() => server.close());

const get = (path: string, headers = {}) => server.call(`/platform${path}`, { headers });

/** The files of the page's first load. */
const filesIn = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, name]) => name!);

describe('GET /workplace', () => {
  it.each(['/workplace', '/workplace/', '/workplace/users/42', '/workplace/a/b/c'])(
    'answers %s with the page, without a token',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': POLICY.replace(
          "connect-src 'self'",
          "connect-src 'self' https://login.example",
        ),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).toContain('<base href="/platform/workplace/"');
    },
  );

  it('escapes the name of the identity provider', async () => {
    const { text } = await get('/workplace');
    expect(text).toContain(
      'content="https://login.example/realms/a" data-client-id="a &#34;portal&#34; &#60;$&#38; &#38; co&#62;"',
    );
    expect(text).toContain('name="identity-provider-name" content="Ours &#38; &#60;co&#62;"');
  });

  it('has no script or style of its own, and nothing of another host', async () => {
    const { text } = await get('/workplace');
    expect(text).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/i);
    for (const name of readdirSync(`${BUILD}/assets`)) {
      if (!/\.(css|js)$/.test(name)) continue;
      const content = readFileSync(`${BUILD}/assets/${name}`, 'utf8');
      expect(content).not.toMatch(/(url\(|import\(|from|fetch\()\s*["']?https?:/);
    }
  });

  it('answers 405 to a POST, and 403 to an address that is not admitted', async () => {
    const refused = await server.call('/platform/workplace', { method: 'POST', body: {} });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    const outside = await server.call('/platform/workplace', { from: '127.0.0.9' });
    expect([outside.status, outside.body.code]).toEqual([403, 403]);
    const asset = `/platform/assets/${readdirSync(`${BUILD}/assets`)[0]}`;
    expect((await server.call(asset, { from: '127.0.0.9' })).status).toBe(403);
  });
});

describe('GET /assets', () => {
  it('serves the files of a page as immutable and compressed', async () => {
    const { text } = await get('/workplace');
    const names = filesIn(text, /(?:src|href)="\.\.(\/assets\/[^"]+)"/g);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const answer = await get(name, { 'Accept-Encoding': 'gzip' });
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.headers['cache-control']).toBe('private, max-age=31536000, immutable');
      expect(answer.headers.vary).toBe('Accept-Encoding');
      if (name.endsWith('.js')) expect(answer.headers['content-encoding']).toBe('gzip');
    }
  });

  it.each([
    '/assets',
    '/assets/',
    '/assets/nothing.js',
    '/assets/../index.html',
    '/assets/..%2F..%2Fpackage.json',
    '/assets/%2e%2e/workplace/index.html',
    '/assets/constructor',
  ])('has no %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Not found' }]);
  });

  it('loads less than 150 kB of compressed script before the workplace is there', async () => {
    const total = sizeOf(await scriptsOf('workplace'));
    process.stderr.write(`script of the workplace, compressed: ${(total / 1000).toFixed(1)} kB\n`);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(MOST_SCRIPT);
  });

  it('keeps the script of the console apart: the workplace loads nothing of it', async () => {
    const workplace = await scriptsOf('workplace');
    const all = await scriptsOf('console');
    process.stderr.write(
      `script of the console, compressed: ${(sizeOf(all) / 1000).toFixed(1)} kB\n`,
    );
    const own = all.filter((name) => !workplace.includes(name));
    expect(own).not.toEqual([]);
    // Not even later: no script of the workplace refers to a script of the console.
    for (const name of workplace) {
      const script = readFileSync(`${BUILD}/assets/${name}`, 'utf8');
      expect(own.filter((one) => script.includes(one))).toEqual([]);
    }
  });

  /** The scripts of a page's first load, and their size in bytes. */
  const scriptsOf = async (page: string) =>
    filesIn((await get(`/${page}`)).text, /(?:src|href)="\.\.\/assets\/([^"]+\.js)"/g);
  const sizeOf = (names: string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(`${BUILD}/assets/${name}`)).length, 0);
});

describe('GET / of the base address', () => {
  it('redirects browsers to the workplace, and answers 404 to other clients', async () => {
    const browser = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.location]).toEqual([303, '/platform/workplace']);
    expect((await get('/')).status).toBe(404);
    expect((await get('/', { Accept: 'application/json' })).status).toBe(404);
  });
});

/** Names of engines, signatures and protocols. */
const NAMES = 'Bonita CIB Camunda Ed Flowable HMAC-SHA LDAP Operaton SCIM seven';

/** Words that are the same in both languages; any other identical text is untranslated. */
const ALIKE = {
  French: `${NAMES} Absence Absences Action Active Application Applications Administration Code Condition Console Contact Date Description Document
  Documents E-mail ID Indigo Mobile Orange Pages Photo Position Question Questions Secrets Sessions Signature Source URI
  Variables Version
  application applications inactive ms page`,
  German: `${NAMES} Administrator Code Filter ID Indigo Link Name Normal Orange Person Position Status System Team Text URI Version
  ms`,
};

type Texts = Record<string, string>;

describe.each([
  ['workplace', 'French', workplaceEnglish, workplaceFrench],
  ['workplace', 'German', workplaceEnglish, workplaceGerman],
  ['console', 'French', consoleEnglish, consoleFrench],
  ['console', 'German', consoleEnglish, consoleGerman],
] as [string, keyof typeof ALIKE, Texts, Texts][])(
  'the texts of the %s in %s',
  (_, language, english, translated) => {
    it('have the same keys and values as in English', () => {
      const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
      expect(Object.keys(translated).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(english))
        expect([key, valuesOf(translated[key]!)]).toEqual([key, valuesOf(text)]);
    });

    it('are all translated', () => {
      const alike = new Set(ALIKE[language].split(/\s+/));
      const wordsOf = (text: string): string[] =>
        text.replace(/%?\{\w+\}/g, '').match(/[\p{L}-]+/gu) ?? [];
      const untranslated = Object.entries(english).filter(
        ([key, text]) =>
          text === translated[key] && !wordsOf(text).every((word) => alike.has(word)),
      );
      expect(untranslated).toEqual([]);
    });
  },
);
