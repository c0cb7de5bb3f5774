import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askRaw } from '../support/raw.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

interface Envelope {
  type: string;
  message?: string;
  data: { ID: string; TITLE: string }[];
  searchIndexBottom: string;
  searchIndexTop: string;
}

const search = async (rest: string, searchName = 'workplace_searchUsers'): Promise<Envelope> => {
  const path = `/navigation/search/workplace?searchName=${searchName}&searchField=quickSearch&_AuthenticationKey=${admin}&${rest}`;
  return (await askRaw(server.port, [`GET ${path} HTTP/1.1`])).body as Envelope;
};
const encode = encodeURIComponent;
const idsOf = ({ data }: Envelope): string[] => data.map(({ ID }) => ID);

describe('blank markers', () => {
  it.each([
    'searchIndexBottom=&searchIndexTop=',
    'searchIndexBottom&searchIndexTop',
    'searchIndexTop=',
    'searchIndexBottom=',
    'searchIndexTop=%20',
    'searchIndexTop=+',
    'searchIndexBottom=%20+&searchIndexTop=%09',
  ])('count as missing: %s', async (markers) => {
    const first = await search('query=e');
    expect(first.data).toHaveLength(20);
    expect(await search(`query=e&${markers}`)).toEqual(first);
  });

  it('are ignored one by one', async () => {
    const { searchIndexBottom: bottom, searchIndexTop: top } = await search('query=e');
    const next = await search(`query=e&searchIndexTop=${encode(top)}`);
    expect(await search(`query=e&searchIndexBottom=&searchIndexTop=${encode(top)}`)).toEqual(next);
    const alone = await search(`query=e&searchIndexBottom=${encode(bottom)}`);
    expect(alone).toEqual({
      type: 'error',
      message: 'searchIndexTop: is required to continue the search',
    });
    expect(await search(`query=e&searchIndexBottom=${encode(bottom)}&searchIndexTop=`)).toEqual(
      alone,
    );
  });

  it.each(['null', 'undefined'])('do not include the text %s', async (marker) => {
    const { type, message } = await search(`query=e&searchIndexTop=${marker}`);
    expect([type, message]).toEqual([
      'error',
      'searchIndexTop: is not a marker of the index Users',
    ]);
  });
});

describe('a marker', () => {
  /** Folds to eighteen characters of 33 bytes. */
  const LONG = 'ﷺ';
  const IMPORTABLE_RESOURCES = [
    ['documents', 'title', 200, 'workplace_documents_search'],
    ['news', 'title', 200, 'workplace_news_search'],
    ['faqs', 'question', 300, 'workplace_faq_search'],
    ['customers', 'name', 200, 'workplace_customers_search'],
  ] as const;
  const make = async (kind: string, attribute: string, title: string): Promise<string> => {
    const body = { [attribute]: title, ...(kind === 'news' && { publicationDate: null }) };
    const path = `/api/v2/content/${kind}`;
    const answer = await server.call(path, { method: 'POST', token: admin, body });
    expect(answer.status).toBe(201);
    return (answer.body as { id: string }).id;
  };

  it.each(IMPORTABLE_RESOURCES)(
    'has at most 1 KiB for %s, whatever the title',
    async (kind, attribute, max, name) => {
      for (const character of [LONG, '😀', 'ö', 'x']) {
        const title = character.repeat(max);
        const id = await make(kind, attribute, title);
        const page = await search(`query=${encode(title.slice(0, 2))}`, name);
        expect(idsOf(page)).toContain(id);
        expect(encode(page.searchIndexTop).length).toBeLessThanOrEqual(1024);
        expect(encode(page.searchIndexBottom).length).toBeLessThanOrEqual(1024);
      }
    },
  );

  it('marks the first record of a page as searchIndexBottom, and the last as searchIndexTop', async () => {
    const first = await search('query=e');
    const after = async (marker: string) =>
      idsOf(await search(`query=e&searchIndexTop=${encode(marker)}`));
    const second = await after(first.searchIndexTop);
    expect(second).toHaveLength(20);
    expect(await after(first.searchIndexBottom)).toEqual([
      ...idsOf(first).slice(1),
      ...second.slice(0, 1),
    ]);
  });

  it('neither skips nor repeats a record with a long title, even when the marked one is deleted', async () => {
    const title = (end: number) => `Kestrel ${LONG.repeat(60)} ${end}`;
    const ids: string[] = [];
    // In the order of the full titles, the later records would come first.
    for (let n = 0; n < 25; n++) ids.push(await make('documents', 'title', title(90 - n)));
    const first = await search('query=kestrel', 'workplace_documents_search');
    expect(idsOf(first)).toEqual(ids.slice(0, 20));
    await server.call(`/api/v2/content/documents/${ids[19]!}`, { method: 'DELETE', token: admin });
    await server.call(`/api/v2/content/documents/${ids[3]!}`, { method: 'DELETE', token: admin });
    const added = await make('documents', 'title', title(10));
    const next = await search(
      `query=kestrel&searchIndexTop=${encode(first.searchIndexTop)}`,
      'workplace_documents_search',
    );
    expect(idsOf(next)).toEqual([...ids.slice(20), added]);
  });

  it('continues at its place if it holds the whole folded title', async () => {
    const folded = 'صلى الله عليه وسلم'.repeat(40);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push(await make('faqs', 'question', `osprey ${LONG.repeat(40)}`));
    const old = Buffer.from(`${ids[0]!}\nosprey ${folded}`).toString('base64url');
    const next = await search(
      `query=osprey&searchIndexTop=${encode(`Faqs¤${old}`)}`,
      'workplace_faq_search',
    );
    expect(idsOf(next)).toEqual(ids.slice(1));
  });
});
