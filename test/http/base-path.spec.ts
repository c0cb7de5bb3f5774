import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idOf, uriOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let token: string;
/** The URI of the first category. */
let everyday: string;
const headers = { Host: 'portal.example' };

beforeAll(async () => {
  server = await startTestServer({
    BASE_PATH: '/platform',
    PUBLIC_URL: 'https://portal.example',
    CORS_ORIGINS: 'https://intranet.example',
  });
  const body = { login: 'alice.martin', password: 'Portal-Demo-2026' };
  const signedIn = await server.call('/platform/api/v2/authentication', {
    method: 'POST',
    body,
    headers,
  });
  token = signedIn.body.token as string;
  everyday = await uriOf(server, 'categories', 'EVERYDAY');
});
afterAll(() => server.close());

const get = (path: string, more = {}) =>
  server.call(path, { token, headers: { ...headers, ...more } });

describe('BASE_PATH', () => {
  it('keeps the session cookie from other applications of the host, and from plain HTTP', async () => {
    const path = '/platform/api/v2/authentication';
    const page = { ...headers, Origin: 'https://portal.example', 'Sec-Fetch-Site': 'same-origin' };
    const signedIn = await server.call(path, {
      method: 'POST',
      headers: { ...page, Prefer: 'renewal' },
      body: { login: 'bruno.keller', password: 'Portal-Demo-2026' },
    });
    const cookie = signedIn.headers['set-cookie']?.[0] ?? '';
    expect(cookie).toMatch(
      /^__Secure-session=[\w.-]+; Max-Age=259200; Path=\/platform\/api\/v2\/authentication\/renewal; .*; Secure;/,
    );
    const renewed = await server.call(`${path}/renewal`, {
      method: 'POST',
      headers: { ...page, Cookie: cookie.split(';', 1)[0]! },
    });
    expect(renewed.status).toBe(200);
    const out = await server.call(path, {
      method: 'DELETE',
      headers: page,
      token: renewed.body.token as string,
    });
    expect(out.headers['set-cookie']?.[0]).toMatch(
      /^__Secure-session=; Path=\/platform\/api\/v2\/authentication\/renewal; Expires=Thu, 01 Jan 1970/,
    );
  });

  it('stands before all routes, and in every path of an answer, but not in id and uri', async () => {
    const users = await get('/platform/api/v2/directory/users?range=0-1');
    expect(users.headers.link).toContain(
      '</platform/api/v2/directory/users?range=0-1>; rel="first"',
    );
    const uri = await uriOf(server, 'users', 'sysadmin');
    expect(users.body[0]).toMatchObject({ uri, photo: `/platform/navigation${uri}/photo` });
    const apps = await get(`/platform/navigation/workplace/apps?category=${everyday}`);
    const leave = await idOf(server, 'applications', 'LEAVE');
    expect(apps.body[0]).toMatchObject({
      id: `/navigation/applications/${leave}`,
      link: `/platform/workplace/applications/${leave}`,
      helpLinkJS: '/platform/workplace/help/leave',
      updateCounterUrl: `/platform/navigation/workplace/views/count?applicationUri=%2Fnavigation%2Fapplications%2F${leave}`,
    });
    const found = await get(
      '/platform/navigation/search/workplace?query=bruno&searchName=workplace_searchUsers&searchField=login',
    );
    expect(found.body.data[0].link.href).toBe(found.body.data[0].HYPERLINK);
    expect(found.body.data[0].HYPERLINK).toMatch(/^\/platform\/workplace\/users\/\d+$/);
    const made = await server.call('/platform/api/v2/directory/groups', {
      method: 'POST',
      token,
      headers,
      body: { label: 'G' },
    });
    expect(made.headers.location).toBe(`/platform/api/v2${made.body.uri as string}`);
    expect((await get('/platform/api/v2')).body.interfaces.main).toBe('/platform/api/v2');
  });

  it('stands before the paths of an entry, which are stored without it; addresses stay as they are', async () => {
    const post = (body: object) =>
      server.call('/platform/api/v2/navigation/applications', {
        method: 'POST',
        token,
        headers,
        body: { type: 'LINK', categories: [everyday], ...body },
      });
    // A path that merely begins with the text of the base path is outside it.
    const path = { title: 'By path', link: '/platform/x', helpLinkJS: '/help' };
    const address = { title: 'By address', link: 'https://x.example/a', helpLinkJS: '' };
    expect((await post(path)).body).toMatchObject(path);
    expect((await post(address)).body).toMatchObject(address);
    const expected = [
      { ...path, link: '/platform/platform/x', helpLinkJS: '/platform/help' },
      address,
    ];
    const { body: apps } = await get(`/platform/navigation/workplace/apps?category=${everyday}`);
    const { body: everything } = await get('/platform/navigation/workplace');
    for (const entries of [apps, everything[0].applications] as { title: string }[][])
      expect(entries.filter(({ title }) => title.startsWith('By '))).toMatchObject(
        expect.arrayContaining(expected.map((one) => expect.objectContaining(one))),
      );
  });

  it('stands before the href of tasks and applications, which is the address of their page', async () => {
    const leave = await idOf(server, 'applications', 'LEAVE');
    const write = (path: string, method: string, body: object) =>
      server.call(`/platform/api/v2${path}`, { method, token, headers, body });
    const task = { title: 'Pushed', application: leave, assignee: 'alice.martin' };
    const { body: made } = await write('/process/tasks', 'POST', task);
    const page = `/platform/workplace/tasks/${made.id as string}`;
    expect(made).toMatchObject({ link: null, href: page });
    const listed = await get(`/platform/api/v2/process/tasks?filters=id:eq:${made.id as string}`);
    expect(listed.body).toMatchObject([{ link: null, href: page }]);
    const found = await get(
      `/platform/navigation/search/workplace?query=Pushed&searchName=workplace_searchTasks&searchField=quickSearch`,
    );
    expect(found.body.data[0].HYPERLINK).toBe(page);
    const hrefOf = async (body: object) =>
      (await write('/navigation/applications', 'POST', { title: 'Href', ...body })).body.href;
    expect(await hrefOf({ type: 'LINK', link: '/x' })).toBe('/platform/x');
    expect(await hrefOf({ type: 'PROCESS', link: 'https://x.example/' })).toBe(
      'https://x.example/',
    );
    expect(await hrefOf({ type: 'PROCESS' })).toMatch(/^\/platform\/workplace\/applications\/\d+$/);
    expect(await hrefOf({ type: 'LINK' })).toBe(null);
    const refused = await write(made.uri as string, 'PATCH', [
      { op: 'replace', path: '/href', value: '/x' },
    ]);
    expect([refused.status, refused.body.fields[0].message]).toEqual([
      400,
      "operation 0 (replace): 'href' is read-only",
    ]);
  });

  it.each(['/api/v2', '/platformx/api/v2', '/platform2', '/Platform/api/v2', '/'])(
    'hides %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Not found' }]);
    },
  );

  it('keeps the envelope of the search', async () => {
    const answer = await server.call('/platform/navigation/search/workplace', { headers });
    expect([answer.status, answer.body.type]).toEqual([200, 'error']);
  });
});

describe('the root of the base path', () => {
  it.each(['/platform', '/platform/'])('%s leads a browser to the workplace', async (path) => {
    const answer = await get(path, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/platform/workplace']);
    // A client whose Accept header does not name HTML gets the API's answer.
    expect((await get(path, { Accept: '*/*' })).status).toBe(404);
  });
});

describe('PUBLIC_URL', () => {
  it('refuses other hosts, but not probes', async () => {
    for (const Host of ['evil.example', 'portal.example:81', '127.0.0.1']) {
      const answer = await get('/platform/api/v2', { Host });
      expect([answer.status, answer.body.fields]).toEqual([
        400,
        [{ name: 'Host', message: 'must be portal.example' }],
      ]);
      for (const probe of ['live', 'ready'])
        expect((await get(`/platform/health/${probe}`, { Host })).status).toBe(200);
    }
  });

  it.each([
    '/platform/api/v2/directory/users/health/x',
    '/platform/api/v2/administration/parameters/health/live',
    '/platform/workplace/health/live',
    '/platform/health/',
    '/platform/health/live/x',
  ])('refuses other hosts at %s, which is no probe', async (path) => {
    const { status, body } = await get(path, { Host: 'evil.example' });
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: Host',
        fields: [{ name: 'Host', message: 'must be portal.example' }],
      },
    ]);
  });
});

describe('the host of PUBLIC_URL', () => {
  it.each([
    'portal.example',
    'Portal.EXAMPLE',
    'portal.example:443',
    'portal.example.',
    'portal.example.:443',
  ])('may be written as %s', async (Host) => {
    expect((await get('/platform/api/v2', { Host })).status).toBe(200);
  });

  it.each([
    'portal.example:80',
    'portal.example..',
    'x@portal.example',
    'portal.example/x',
    '',
    'portal.example#',
  ])('is not %s', async (Host) => {
    expect((await get('/platform/api/v2', { Host })).status).toBe(400);
  });
});

describe('pictures', () => {
  it('may be shown by pages of other sites where origins are listed', async () => {
    const path = `/navigation${await uriOf(server, 'users', 'sysadmin')}/photo`;
    const { headers: shown } = await get(`/platform${path}`);
    expect(shown['cross-origin-resource-policy']).toBe('cross-origin');
    const { headers: other } = await get('/platform/api/v2');
    expect(other['cross-origin-resource-policy']).toBe('same-site');
    const closed = await startTestServer();
    const answer = await closed.call(path, { token: await closed.signIn('bruno.keller') });
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-site');
    await closed.close();
  });
});

describe('CORS_ORIGINS', () => {
  it('answers preflights of exactly those origins before a token is asked for', async () => {
    const preflight = (Origin: string) =>
      server.call('/platform/api/v2/directory/users', {
        method: 'OPTIONS',
        headers: {
          ...headers,
          Origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'x-authentication-key',
        },
      });
    const allowed = await preflight('https://intranet.example');
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([
      204,
      'https://intranet.example',
    ]);
    expect(allowed.headers['access-control-allow-methods']).toContain('PATCH');
    for (const origin of [
      'https://evil.example',
      'null',
      'https://intranet.example.evil.example',
      'http://intranet.example',
    ]) {
      const other = await preflight(origin);
      expect(other.headers['access-control-allow-origin']).not.toBe(origin);
    }
    const otherHost = await server.call('/platform/api/v2', {
      method: 'OPTIONS',
      headers: {
        Host: 'other.example',
        Origin: 'https://intranet.example',
        'Access-Control-Request-Method': 'GET',
      },
    });
    expect(otherHost.status).toBe(204);
    const answer = await get('/platform/api/v2', { Origin: 'https://intranet.example' });
    expect(answer.headers['access-control-expose-headers']).toContain('X-Total-Count');
  });
});
