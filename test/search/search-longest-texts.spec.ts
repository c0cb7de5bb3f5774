import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { query } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** An index entry holds at most 2,704 bytes; a longer one makes the INSERT fail. */

let server: TestServer;
let sysadmin: string;
beforeAll(async () => {
  server = await startTestServer();
  sysadmin = await server.signIn('sysadmin');
});
afterAll(() => server.close());

/** Random texts, so that compression hardly shortens them. */
const ALPHABETS: Record<string, [first: number, last: number]> = {
  letters: [0x61, 0x7a],
  'characters of four bytes': [0x20000, 0x2a6df],
  'squares that fold to words': [0x3300, 0x3357],
  'ligatures that fold to phrases': [0xfdf0, 0xfdfb],
};

/** Each kind with its title, by which all of its searches sort. */
const IMPORTABLE_RESOURCES = [
  { path: '/directory/users', searchName: 'workplace_searchUsers', title: 'title' },
  { path: '/content/documents', searchName: 'workplace_documents_search', title: 'title' },
  { path: '/content/news', searchName: 'workplace_news_search', title: 'title' },
  { path: '/content/faqs', searchName: 'workplace_faq_search', title: 'question' },
  { path: '/content/customers', searchName: 'workplace_customers_search', title: 'name' },
];

/** The columns that do not accept every text: addresses, and a login that folds to blanks. */
const SPECIAL: Record<string, (text: string[]) => string[]> = {
  login: (text) => text.map((letter) => (/\s/.test(letter.normalize('NFKC')) ? 'x' : letter)),
  email: (text) => ['a', '@', ...text.slice(2)],
  downloadUrl: (text) => ['/', ...text.slice(1)],
  webSite: (text) => ['/', ...text.slice(1)],
};

interface Described {
  name: string;
  type: string;
  writable: boolean;
  maxLength: number | null;
}

async function longest(path: string, [first, last]: [number, number]) {
  const { body } = await server.call(`/api/v2${path}/attributes`, { token: sysadmin });
  const texts = (body as Described[]).flatMap(({ name, type, writable, maxLength }) => {
    if (type !== 'text' || !writable || maxLength === null) return [];
    const codes = fc.sample(fc.integer({ min: first, max: last }), maxLength);
    const plain = codes.map((code) => String.fromCodePoint(code));
    return [[name, (SPECIAL[name]?.(plain) ?? plain).join('')] as const];
  });
  return Object.fromEntries(texts);
}

describe('the longest texts', () => {
  it.each(
    IMPORTABLE_RESOURCES.flatMap((kind) =>
      Object.keys(ALPHABETS).map((alphabet) => ({ ...kind, alphabet })),
    ),
  )(
    'can be written and found in $path: $alphabet',
    async ({ path, searchName, title, alphabet }) => {
      const texts = await longest(path, ALPHABETS[alphabet]!);
      expect(Object.keys(texts).length).toBeGreaterThan(4);
      const added = await server.call(`/api/v2${path}`, {
        method: 'POST',
        token: sysadmin,
        body: { ...texts, status: 1 },
      });
      expect([added.status, added.body]).toEqual([201, expect.objectContaining(texts)]);
      const { id } = added.body as { id: string };
      const again = await longest(path, ALPHABETS[alphabet]!);
      const changed = await server.call(`/api/v2${path}/${id}`, {
        method: 'PUT',
        token: sysadmin,
        body: { ...(added.body as object), ...again },
      });
      expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(again)]);
      const letters = [...again[title]!];
      for (const text of [letters.slice(0, 128), letters.slice(-128), letters.slice(50, 58)]) {
        const parameters = { query: text.join(''), searchName, searchField: 'quickSearch' };
        const { body } = await server.call(`/navigation/search/workplace${query(parameters)}`, {
          token: sysadmin,
        });
        expect((body.data as { ID: string }[]).map(({ ID }) => ID)).toEqual([id]);
      }
    },
  );
});
