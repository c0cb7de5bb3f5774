import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TILE_COLORS, TILE_ICONS } from '../../src/process/applications/tile-appearance.js';
import { fieldNames } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/navigation/applications';

let server: TestServer;
let admin: string, bruno: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
});
afterAll(() => server.close());

const post = (body: object) =>
  server.call(PATH, {
    method: 'POST',
    token: admin,
    body: { title: 'Tile', type: 'LINK', ...body },
  });

describe('tileColor and icon', () => {
  it('are the names that the contract lists, all of them accepted', async () => {
    const contract = readFileSync('docs/api-contract.md', 'utf8');
    const listed = (from: string, to: string) =>
      [
        ...contract
          .split(from)[1]!
          .split(to)[0]!
          .matchAll(/`([\w-]+)`/g),
      ].map(([, name]) => name);
    expect(listed('Colours:', 'Icons')).toEqual(Object.keys(TILE_COLORS));
    expect(listed('in Lucide:', '\n\n')).toEqual(Object.keys(TILE_ICONS));
    for (const tileColor of Object.keys(TILE_COLORS))
      expect((await post({ tileColor })).body.tileColor).toBe(tileColor);
    for (const icon of Object.keys(TILE_ICONS)) expect((await post({ icon })).body.icon).toBe(icon);
  });

  it('have the values that the demonstration uses', async () => {
    const rows = await server.database.query(
      `SELECT tile_color, icon FROM applications WHERE tile_color IS NOT NULL OR icon IS NOT NULL`,
    );
    for (const { tile_color: color, icon } of rows) {
      if (color !== null) expect(Object.keys(TILE_COLORS)).toContain(color);
      if (icon !== null) expect(Object.keys(TILE_ICONS)).toContain(icon);
    }
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(['mauve', 'red ', '#ff0000', 'url(x)', '', 7, 'toString', '__proto__'])(
    'refuse %j',
    async (name) => {
      const answer = await post({ tileColor: name, icon: name });
      expect([answer.status, fieldNames(answer).sort()]).toEqual([400, ['icon', 'tileColor']]);
    },
  );

  it('may be blank, which an entry shows as an empty text', async () => {
    const { body } = await post({ tileColor: null, categories: ['1'] });
    expect([body.tileColor, body.icon]).toEqual([null, null]);
    const apps = await server.call('/navigation/workplace/apps?category=1', { token: bruno });
    const entry = (apps.body as { id: string }[]).find(({ id }) => id === body.uri);
    expect(entry).toMatchObject({ tileColor: '', icon: '', link: '' });
  });
});

describe('link and helpLinkJS', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    '\ufeffjavascript:alert(1)',
    'javascript\u200b:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    'ｊavascript:alert(1)',
    'javascript%3Aalert(1)',
    'view-source:javascript:alert(1)',
    'vbscript:x',
    'data:text/html;base64,PHNjcmlwdD4=',
    'blob:https://x/1',
    'file:///etc/passwd',
    'about:blank',
    '//evil.example/x',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:\\\\evil.example',
    'https:///evil.example',
    'https://portal.example@evil.example/',
    'https://portal.example:pass@evil.example/',
    'http://',
    'https://?x',
    '../x',
    'x/y',
    '#x',
    '?x',
  ])('reject the value %j', async (address) => {
    const answer = await post({ link: address, helpLinkJS: address });
    expect([answer.status, fieldNames(answer).sort()]).toEqual([400, ['helpLinkJS', 'link']]);
  });

  it.each(['/', '/a?b=c#d', 'https://x.example', 'http://x.example:8080/y?z=javascript:1'])(
    'take %j',
    async (address) => {
      const { status, body } = await post({ link: address, helpLinkJS: address });
      expect([status, body.link, body.helpLinkJS]).toEqual([201, address, address]);
    },
  );
});

describe('the view that a tile opens', () => {
  it('is one of the application’s own, and cannot leave it', async () => {
    const patch = (path: string, name: string, value: unknown) =>
      server.call(`/api/v2${path}`, {
        method: 'PATCH',
        token: admin,
        body: [{ op: 'replace', path: `/${name}`, value }],
      });
    const application = (await post({ type: 'PROCESS' })).body as { uri: string };
    const created = await server.call('/api/v2/process/views', {
      method: 'POST',
      token: admin,
      body: { label: 'Mine', application: application.uri, filters: ['assignee:eq:@me'] },
    });
    const view = created.body as { uri: string };
    const leave = `/navigation/applications/${await idOf(server, 'applications', 'LEAVE')}`;
    expect(fieldNames(await patch(leave, 'view', view.uri))).toEqual(['view']);
    expect((await patch(application.uri, 'view', view.uri)).status).toBe(200);
    const moved = await patch(view.uri, 'application', leave);
    expect([moved.status, fieldNames(moved)]).toEqual([400, ['application']]);
    expect((await patch(view.uri, 'sorter', 'dueDate')).status).toBe(200);
    expect((await patch(application.uri, 'view', null)).status).toBe(200);
    expect((await patch(view.uri, 'application', leave)).status).toBe(200);
  });
});

describe('what others may not see', () => {
  it('is left out of counts and links', async () => {
    const detailed = async (path: string, token: string) =>
      (await server.call(`/api/v2/navigation/${path}`, { token })).body as Record<string, unknown>;
    const itServices = `categories/${await idOf(server, 'categories', 'IT')}`;
    const id = await idOf(server, 'applications', 'LEAVE');
    const leave = `applications/${id}`;
    // Neither application of the category is for Bruno.
    expect((await detailed(itServices, admin)).applicationCount).toBe(2);
    expect((await detailed(itServices, bruno)).applicationCount).toBe(0);
    const [all] = await server.database.query(
      'SELECT count(*)::int AS n FROM tasks WHERE application_id = $1',
      [id],
    );
    const [own] = await server.database.query(
      `SELECT count(*)::int AS n FROM tasks WHERE application_id = $1 AND (assignee_id = $2 OR group_id IN (SELECT group_id FROM group_members WHERE user_id = $2))`,
      [id, await idOf(server, 'users', 'bruno.keller')],
    );
    expect((await detailed(leave, admin)).taskCount).toBe(all!.n);
    expect((await detailed(leave, bruno)).taskCount).toBe(own!.n);
    expect(own!.n).toBeLessThan(all!.n as number);
    const titles = (of: Record<string, unknown>) =>
      (of.categories as { label: string }[]).map(({ label }) => label);
    await server.database.query(`UPDATE categories SET active = false WHERE reference = 'PEOPLE'`);
    expect(titles(await detailed(leave, bruno))).toEqual(['Everyday']);
    expect(titles(await detailed(leave, admin))).toEqual(['Everyday', 'People and careers']);
  });
});
