import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { query } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/**
 * A day of two people in different groups. The test makes every change over HTTP on one instance. After each
 * change it reads all navigation answers of both people on two instances, and expects exact bodies and ETags
 * that changed exactly when the body did.
 */

const WORKPLACE = '/navigation/workplace';
const PASSWORD = 'Portal-Day-2026!';
const NOT_FOUND = { code: 404, message: 'Not found' };

type Who = 'bruno' | 'chloe';
const PEOPLE: Who[] = ['bruno', 'chloe'];

interface Made {
  id: string;
  uri: string;
}

let server: TestServer;
let second: NestExpressApplication;
let secondBase: string;
const tokens: Record<string, string> = {};
const uris: Record<string, string> = {};

/** The expected workplace of a person: categories with their applications and counters. */
type Seen = Record<string, Record<string, number>>;
const seen: Record<Who, Seen> = { bruno: {}, chloe: {} };
const favourites: Record<Who, string[]> = { bruno: [], chloe: [] };

const send = async (who: string, method: string, path: string, body?: unknown) => {
  const answer = await server.call(path, { method, token: tokens[who], body });
  expect([method, path, answer.status, answer.text]).toEqual([
    method,
    path,
    method === 'POST' ? 201 : /members/.test(path) ? 204 : 200,
    answer.text,
  ]);
  return answer.body as Made;
};
const make = async (name: string, path: string, body: object, who = 'alice') => {
  uris[name] = (await send(who, 'POST', `/api/v2${path}`, body)).uri;
};
const change = (name: string, values: Record<string, unknown>, who = 'alice') =>
  send(
    who,
    'PATCH',
    `/api/v2${uris[name]}`,
    Object.entries(values).map(([attribute, value]) => ({
      op: 'replace',
      path: `/${attribute}`,
      value,
    })),
  );
const member = (method: 'PUT' | 'DELETE', group: string, who: Who) =>
  send(
    'alice',
    method,
    `/api/v2${uris[group]}/members/${encodeURIComponent(uris[who]!.split('/').at(-1)!)}`,
  );

beforeAll(async () => {
  server = await startTestServer();
  second = await createApp(
    loadConfig({ LOG_LEVEL: 'silent' }).withDatabase(server.database.connection),
  );
  await second.listen(0, '127.0.0.1');
  secondBase = `http://127.0.0.1:${(second.getHttpServer().address() as AddressInfo).port}`;
  tokens.alice = await server.signIn('alice.martin');
  tokens.bruno = await server.signIn('bruno.keller');
  tokens.chloe = await server.signIn('chloe.lefevre');
  for (const who of ['alice', ...PEOPLE])
    uris[who] = (
      (await server.call('/api/v2/directory/users/me', { token: tokens[who] })).body as Made
    ).uri;
  await setScene();
});
afterAll(async () => {
  await second.close();
  await server.close();
});

/** Replaces the demonstration data with two groups, two categories and three applications. */
async function setScene(): Promise<void> {
  const categories = await server.call('/api/v2/navigation/categories', { token: tokens.alice });
  for (const { uri } of categories.body as Made[]) {
    uris.old = uri;
    await change('old', { active: false });
  }
  await make('engine', '/directory/users', {
    login: 'engine',
    lastName: 'Engine',
    password: PASSWORD,
    processEngine: true,
  });
  tokens.engine = await server.signIn('engine', PASSWORD);
  await make('department', '/directory/organizations', { label: 'Department' });
  await make('team', '/directory/organizations', { label: 'Team', parent: uris.department });
  await make('Alpha', '/directory/groups', { label: 'Alpha' });
  await make('Beta', '/directory/groups', { label: 'Beta' });
  await member('PUT', 'Alpha', 'bruno');
  await member('PUT', 'Beta', 'chloe');
  await make('Work', '/navigation/categories', { title: 'Work', position: 1 });
  await make('Play', '/navigation/categories', { title: 'Play', position: 2 });
  const process = async (name: string, body: object, filters: string[]) => {
    await make(name, '/navigation/applications', { title: name, type: 'PROCESS', ...body });
    await make(`${name} view`, '/process/views', {
      label: 'Open',
      application: uris[name],
      filters,
    });
    await change(name, { view: uris[`${name} view`] });
  };
  await process(
    'Orders',
    { categories: [uris.Work], audience: [uris.Alpha, uris.Beta], position: 1, tileColor: 'red' },
    ['status:eq:open'],
  );
  await process(
    'Claims',
    { categories: [uris.Work, uris.Play], audience: [uris.Beta], position: 2, icon: 'inbox' },
    ['status:eq:open', 'group:eq:@mygroups'],
  );
  await make('Menu', '/navigation/applications', {
    title: 'Menu',
    type: 'LINK',
    link: 'https://menu.example/',
    categories: [uris.Play],
    targetBlank: true,
    position: 3,
  });
}

const LOOKS: Record<string, object> = {
  Orders: { tileColor: 'red', type: 'PROCESS' },
  Claims: { icon: 'inbox', type: 'PROCESS' },
  Menu: { type: 'LINK', link: 'https://menu.example/', targetBlank: true },
};
const APPLICATIONS = Object.keys(LOOKS);
const CATEGORIES = ['Work', 'Play'];

const counterPath = (name: string) =>
  `${WORKPLACE}/views/count${query({ applicationUri: uris[name]! })}`;
const category = (name: string) => ({ id: uris[name], title: name, comparisonValue: name });
const entry = (name: string) => ({
  id: uris[name],
  title: name,
  reference: `APPLICATION-${uris[name]!.split('/').at(-1)}`,
  tileColor: '',
  link: '',
  icon: '',
  targetBlank: false,
  helpLinkJS: '',
  keywords: '',
  updateCounterUrl: name === 'Menu' ? '' : counterPath(name),
  comparisonValue: name,
  ...LOOKS[name],
});
const indicator = (count: number) => ({ type: 'COUNTER', count });

/** All navigation answers of a person, by a short name: path and expected body. */
function expectedAnswers(who: Who): Record<string, { path: string; body: unknown }> {
  const mine = seen[who];
  const counts = Object.assign({}, ...Object.values(mine)) as Record<string, number>;
  const answers: Record<string, { path: string; body: unknown }> = {
    categories: { path: `${WORKPLACE}/categories`, body: Object.keys(mine).map(category) },
    workplace: {
      path: WORKPLACE,
      body: Object.entries(mine).map(([name, applications]) => ({
        ...category(name),
        applications: Object.entries(applications).map(([application, count]) => ({
          ...entry(application),
          indicator: indicator(count),
          favourite: favourites[who].includes(application),
        })),
      })),
    },
  };
  for (const name of CATEGORIES)
    answers[`apps ${name}`] = {
      path: `${WORKPLACE}/apps${query({ category: uris[name]! })}`,
      body: name in mine ? Object.keys(mine[name]!).map(entry) : NOT_FOUND,
    };
  for (const name of APPLICATIONS) {
    const body = name in counts ? indicator(counts[name]!) : NOT_FOUND;
    const parameters = query({ applicationUri: uris[name]! });
    answers[`indicator ${name}`] = { path: `${WORKPLACE}/apps/indicator${parameters}`, body };
    answers[`count ${name}`] = { path: counterPath(name), body };
  }
  return answers;
}

const etags: Record<Who, Record<string, string>> = { bruno: {}, chloe: {} };

/** Reads everything of both people; `changed` are the answers that differ from the step before. */
async function look(changed: Record<Who, string[]>): Promise<void> {
  for (const who of PEOPLE) {
    const differing: string[] = [];
    for (const [name, { path, body }] of Object.entries(expectedAnswers(who))) {
      const answer = await server.call(path, { token: tokens[who] });
      expect([who, name, answer.body]).toEqual([who, name, body]);
      const isThere = body !== NOT_FOUND;
      expect([name, answer.status]).toEqual([name, isThere ? 200 : 404]);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe(isThere ? 'private, no-cache' : 'no-store');
      const etag = String(answer.headers.etag);
      const before = etags[who][name];
      const conditional = await fetch(secondBase + path, {
        headers: { 'X-AUTHENTICATION-KEY': tokens[who]!, 'If-None-Match': before ?? '"none"' },
      });
      const text = await conditional.text();
      if (etag === before && isThere) {
        expect([name, conditional.status, text]).toEqual([name, 304, '']);
        expect(conditional.headers.get('cache-control')).toBe('private, no-cache');
      } else expect([name, JSON.parse(text)]).toEqual([name, body]);
      if (etag !== before) differing.push(name);
      if (isThere) expect(conditional.headers.get('etag')).toBe(etag);
      etags[who][name] = etag;
    }
    expect([who, differing.sort()]).toEqual([who, changed[who].sort()]);
  }
}

const counters = (name: string) => [`indicator ${name}`, `count ${name}`, 'workplace'];
const UNCHANGED: string[] = [];

describe('a day of two people', () => {
  it('begins with the tiles that their groups give them', async () => {
    seen.bruno = { Work: { Orders: 0 }, Play: { Menu: 0 } };
    seen.chloe = { Work: { Orders: 0, Claims: 0 }, Play: { Claims: 0, Menu: 0 } };
    const all = Object.keys(expectedAnswers('bruno'));
    await look({ bruno: [...all], chloe: [...all] });
    await look({ bruno: UNCHANGED, chloe: UNCHANGED });
  });

  it('a task without an assignee is created: nothing changes', async () => {
    await make('order', '/process/tasks', { title: 'Order', application: uris.Orders }, 'engine');
    await look({ bruno: UNCHANGED, chloe: UNCHANGED });
  });

  it('the task is assigned to one of them', async () => {
    await change('order', { assignee: uris.bruno }, 'engine');
    seen.bruno.Work!.Orders = 1;
    await look({ bruno: counters('Orders'), chloe: UNCHANGED });
  });

  it('the task is reassigned to the second person', async () => {
    await change('order', { assignee: uris.chloe }, 'engine');
    seen.bruno.Work!.Orders = 0;
    seen.chloe.Work!.Orders = 1;
    await look({ bruno: counters('Orders'), chloe: counters('Orders') });
  });

  it('a task is created for a group', async () => {
    const body = { title: 'Claim', application: uris.Claims, group: uris.Beta };
    await make('claim', '/process/tasks', body, 'engine');
    seen.chloe.Work!.Claims = seen.chloe.Play!.Claims = 1;
    await look({ bruno: UNCHANGED, chloe: counters('Claims') });
  });

  it('a colleague joins the group: the application and its counter appear', async () => {
    await member('PUT', 'Beta', 'bruno');
    seen.bruno = { Work: { Orders: 0, Claims: 1 }, Play: { Claims: 1, Menu: 0 } };
    await look({
      bruno: [...counters('Claims'), 'apps Work', 'apps Play'],
      chloe: UNCHANGED,
    });
  });

  it('the new member closes the task of the group, for both', async () => {
    await change('claim', { status: 'done' }, 'bruno');
    for (const who of PEOPLE) seen[who].Work!.Claims = seen[who].Play!.Claims = 0;
    await look({ bruno: counters('Claims'), chloe: counters('Claims') });
  });

  it('a colleague leaves the group: tiles that only the group gave are unknown on every route', async () => {
    await member('DELETE', 'Beta', 'chloe');
    seen.chloe = { Play: { Menu: 0 } };
    await look({
      bruno: UNCHANGED,
      chloe: [
        'categories',
        'apps Work',
        'apps Play',
        ...counters('Claims'),
        'indicator Orders',
        'count Orders',
      ],
    });
    for (const path of [
      `/api/v2${uris.Orders}`,
      `/api/v2${uris['Orders view']}`,
      `/api/v2${uris['Orders view']}/records`,
    ])
      expect((await server.call(path, { token: tokens.chloe })).status).toBe(404);
    const lists = {
      '/api/v2/navigation/applications': uris.Orders!,
      '/api/v2/process/views': uris['Orders view']!,
    };
    for (const [path, uri] of Object.entries(lists))
      expect(
        (await server.call(`${path}?filters=uri:eq:${uri}`, { token: tokens.chloe })).body,
      ).toEqual([]);
  });

  it('an organization is named, and the person works below it', async () => {
    await change('Orders', { audience: [uris.Alpha, uris.department] });
    await look({ bruno: UNCHANGED, chloe: UNCHANGED });
    await change('chloe', { organization: uris.team });
    seen.chloe = { Work: { Orders: 1 }, Play: { Menu: 0 } };
    await look({
      bruno: UNCHANGED,
      chloe: ['categories', 'apps Work', ...counters('Orders')],
    });
  });

  it('a person keeps a favourite: only that person’s workplace changes', async () => {
    await send('bruno', 'PUT', '/api/v2/directory/users/me/favourites', {
      applications: [uris.Claims],
    });
    favourites.bruno = ['Claims'];
    await look({ bruno: ['workplace'], chloe: UNCHANGED });
  });

  it('an application is deactivated', async () => {
    await change('Claims', { active: false });
    seen.bruno = { Work: { Orders: 0 }, Play: { Menu: 0 } };
    await look({
      bruno: [...counters('Claims'), 'apps Work', 'apps Play'],
      chloe: UNCHANGED,
    });
  });

  it('an application that neither of them sees changes: nothing changes for them', async () => {
    await change('Claims', { title: 'Renamed', tileColor: 'blue', position: 0 });
    await change('Beta', { label: 'Renamed' });
    await change('Orders view', { label: 'Renamed', sorter: '-dueDate', columns: ['title'] });
    await make('other', '/process/tasks', {
      title: 'For alice',
      application: uris.Orders,
      assignee: uris.alice,
    });
    await change('order', { title: 'Renamed', priority: 9 }, 'engine');
    await look({ bruno: UNCHANGED, chloe: UNCHANGED });
  });

  it('the administrator puts the categories in another order', async () => {
    await change('Play', { position: 0 });
    seen.bruno = { Play: { Menu: 0 }, Work: { Orders: 0 } };
    seen.chloe = { Play: { Menu: 0 }, Work: { Orders: 1 } };
    await look({ bruno: ['categories', 'workplace'], chloe: ['categories', 'workplace'] });
  });

  it('the assignee closes the task', async () => {
    await change('order', { status: 'done' }, 'chloe');
    seen.chloe.Work!.Orders = 0;
    await look({ bruno: UNCHANGED, chloe: counters('Orders') });
    // The administrator is not in its audience: her own task does not give her the tile.
    const alice = await server.call(counterPath('Orders'), { token: tokens.alice });
    expect([alice.status, alice.body]).toEqual([404, NOT_FOUND]);
  });
});
