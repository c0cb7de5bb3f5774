import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeInBrowser, settled } from '../support/browser.js';
import { linksOf, query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { type PathProxy, startPathProxy } from '../support/path-proxy.js';
import {
  type Answer,
  type Call,
  send,
  startTestServer,
  type TestServer,
} from '../support/test-server.js';

/**
 * With a base path, behind a proxy that serves the server only below it: the test follows every path in an
 * answer or a page unchanged.
 */
const BASE_PATH = '/platform';

let server: TestServer;
let proxy: PathProxy;
let token: string;
/** The ids of two applications; the second leads elsewhere. */
let leave: string, travel: string;
beforeAll(async () => {
  server = await startTestServer({ BASE_PATH });
  proxy = await startPathProxy(BASE_PATH, server.port);
  const body = { login: 'alice.martin', password: 'Portal-Demo-2026' };
  const answer = await call(`${BASE_PATH}/api/v2/authentication`, { method: 'POST', body });
  token = answer.body.token as string;
  leave = await idOf(server, 'applications', 'LEAVE');
  travel = await idOf(server, 'applications', 'TRAVEL');
  await call(`${BASE_PATH}/api/v2/navigation/applications/${travel}`, {
    method: 'PATCH',
    body: [
      { op: 'replace', path: '/link', value: 'https://elsewhere.example/' },
      { op: 'replace', path: '/helpLinkJS', value: '/workplace/help/travel' },
    ],
  });
});
afterAll(async () => {
  proxy.close();
  await server.close();
});

const call = (path: string, options: Call = {}): Promise<Answer> =>
  send(Number(new URL(proxy.origin).port), path, { token, ...options });

/** Paths by kind. */
type Paths = Map<string, Set<string>>;

function keep(paths: Paths, kind: string, path: string): void {
  if (path !== '') paths.set(kind, (paths.get(kind) ?? new Set()).add(path));
}

/** The fields of answers that hold a URL. */
const FIELDS = [
  'link',
  'helpLinkJS',
  'updateCounterUrl',
  'HYPERLINK',
  'PHOTO',
  'photo',
  'href',
  'main',
  'navigation',
  'search',
];

/** Collects the fields of a body that hold a path; absolute URLs lead elsewhere. */
function collect(paths: Paths, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body as Record<string, unknown>))
    if (FIELDS.includes(name) && typeof value === 'string') {
      if (!/^https?:/.test(value)) keep(paths, name, value);
    } else collect(paths, value);
}

/** Base URLs of the interfaces, to which clients append paths; they have no answer of their own. */
const PLACES = new Set(['main', 'navigation', 'search']);

/** Follows every path: pages like a browser, navigation calls with the token in the query. */
async function follow(paths: Paths): Promise<void> {
  const failures: string[] = [];
  for (const [kind, all] of paths)
    for (const path of all) {
      if (!path.startsWith(`${BASE_PATH}/`)) failures.push(`${kind} ${path} is outside`);
      if (PLACES.has(kind)) continue;
      // A stream has no end, but a head.
      const method = path.endsWith('/workplace/events') ? 'HEAD' : 'GET';
      const { status } = await call(path, { method });
      if (status !== 200) failures.push(`${kind} ${path} answers ${status}`);
    }
  expect(failures).toEqual([]);
  expect(proxy.strays).toEqual([]);
}

function report(where: string, paths: Paths): void {
  const counts = [...paths].map(([kind, all]) => `${kind} ${all.size}`);
  process.stderr.write(`paths of ${where} that were followed: ${counts.join(', ')}\n`);
}

describe('every path of an answer', () => {
  it('leads somewhere as it stands', async () => {
    const paths: Paths = new Map();
    const read = async (path: string): Promise<Answer> => {
      const answer = await call(BASE_PATH + path);
      expect([path, answer.status]).toEqual([path, 200]);
      collect(paths, answer.body);
      for (const address of Object.values(linksOf(answer))) keep(paths, 'Link', address);
      return answer;
    };
    await read('/api/v2');
    for (const list of ['directory/users', 'directory/organizations', 'directory/groups'])
      await read(`/api/v2/${list}?range=5-5`);
    const { body: categories } = await read('/navigation/workplace/categories');
    for (const { id } of categories as { id: string }[])
      await read(`/navigation/workplace/apps${query({ category: id })}`);
    await read('/navigation/workplace');
    const { body: me } = await read('/api/v2/directory/users/me');
    await read(`/api/v2/navigation/preview${query({ user: me.id })}`);
    for (const name of [
      'searchUsers',
      'documents_search',
      'news_search',
      'faq_search',
      'customers_search',
    ])
      await read(
        `/navigation/search/workplace${query({ searchName: `workplace_${name}`, searchField: 'quickSearch', query: '' })}`,
      );
    for (const [path, body] of [
      ['directory/groups', { label: 'Followed' }],
      ['directory/users', { login: 'followed', lastName: 'Followed' }],
      ['process/tasks', { title: 'Followed', application: leave }],
    ] as const) {
      const made = await call(`${BASE_PATH}/api/v2/${path}`, { method: 'POST', body });
      keep(paths, 'Location', String(made.headers.location));
    }
    await follow(paths);
    report('answers', paths);
    expect([...paths.keys()].sort()).toEqual([...FIELDS, 'Link', 'Location'].sort());
  });
});

describeInBrowser('every address of a rendered page', (visits) => {
  /** The URLs of this server in the rendered page, as written in the document. */
  const ADDRESSES = `[...document.querySelectorAll('[href], [src]')].flatMap((one) => {
    const attribute = one.hasAttribute('href') ? 'href' : 'src';
    const address = new URL(one.getAttribute(attribute), document.baseURI);
    // Pictures are blobs: the test follows the requests of the browser instead.
    return address.origin === location.origin && address.protocol === 'http:'
      ? [[one.localName + ' ' + attribute, address.pathname + address.search]]
      : [];
  })`;

  it('leads somewhere as it stands', async () => {
    const paths: Paths = new Map();
    const { page, problems } = await visits.open(`${proxy.origin}${BASE_PATH}/workplace`, {
      token,
    });
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().startsWith(`${proxy.origin}/`))
        keep(paths, request.resourceType(), request.url().slice(proxy.origin.length));
    });
    const visit = async (path: string) => {
      await page.goto(proxy.origin + BASE_PATH + path);
      await settled(page);
      for (const [kind, address] of await page.evaluate<[string, string][]>(ADDRESSES))
        keep(paths, kind, address);
    };
    for (const path of [
      '/workplace',
      `/workplace/applications/${leave}`,
      `/workplace/applications/${travel}`,
      '/workplace/help/leave',
      `/workplace/users/${await idOf(server, 'users', 'sysadmin')}`,
      '/workplace/profile',
      `/workplace/documents/${await idOf(server, 'documents', 'DEMO-DOCUMENT-1')}`,
      '/console',
    ])
      await visit(path);
    // The results of a search, and the target of a tile.
    await visit('/workplace');
    await page.getByRole('combobox').first().fill('bruno');
    await page.locator('a.hit').first().waitFor();
    for (const [kind, address] of await page.evaluate<[string, string][]>(ADDRESSES))
      keep(paths, kind, address);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/platform\/workplace\/search\?q=bruno$/);
    await settled(page);
    for (const [kind, address] of await page.evaluate<[string, string][]>(ADDRESSES))
      keep(paths, kind, address);
    await page.locator('main a[href*="/users/"]').first().click();
    await page.waitForURL(/\/platform\/workplace\/users\/\d+$/);
    await follow(paths);
    report('pages', paths);
    for (const kind of [
      'a href',
      'script src',
      'link href',
      'base href',
      'document',
      'fetch',
      'font',
    ])
      expect([kind, paths.get(kind)?.size ?? 0]).not.toEqual([kind, 0]);
    expect(problems).toEqual([]);
  });
});
