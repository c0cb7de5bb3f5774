import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createNotes, NotesModule } from '../notes/notes.module.js';
import { query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import {
  type Answer,
  type Call,
  startTestServer,
  type TestServer,
} from '../support/test-server.js';

/** Objects that a person may not see do not exist for them, not even behind a link. */

const APPLICATIONS = '/api/v2/navigation/applications';
const CATEGORIES = '/api/v2/navigation/categories';
const TASKS = '/api/v2/process/tasks';
const NOTES = '/api/v2/content/notes';
const NOWHERE = '99999';

let server: TestServer;
let alice: string;
let bruno: string;
let engine: string;

/** Bruno does not see the application, but one of its tasks waits for him. */
let falcon: Record<string, string>;
let falconTask: Record<string, string>;
/** An inactive category of the application LEAVE, which Bruno sees. */
let layoffs: Record<string, string>;

async function make(path: string, body: object, token = alice): Promise<Record<string, string>> {
  const answer = await server.call(path, { method: 'POST', token, body });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body as Record<string, string>;
}

const refOf = ({ id, uri, reference, label }: Record<string, string>) => ({
  id,
  uri,
  reference,
  label,
});

beforeAll(async () => {
  server = await startTestServer({}, { modules: [NotesModule], prepare: createNotes });
  alice = await server.signIn('alice.martin');
  bruno = await server.signInForLong('bruno.keller');
  await make('/api/v2/directory/users', {
    login: 'engine',
    lastName: 'Engine',
    password: 'Portal-Engine-2026',
    processEngine: true,
  });
  engine = await server.signIn('engine', 'Portal-Engine-2026');
  falcon = await make(APPLICATIONS, {
    title: 'Project Falcon acquisition',
    type: 'PROCESS',
    link: 'https://falcon.internal.example/room?code=S3CRET',
    keywords: 'contoso',
    audience: [await idOf(server, 'users', 'alice.martin')],
  });
  falconTask = await make(TASKS, {
    title: 'Read the data room',
    application: falcon.uri,
    assignee: await idOf(server, 'users', 'bruno.keller'),
  });
  layoffs = await make(CATEGORIES, { title: 'Layoffs', active: false });
  const leave = `${APPLICATIONS}/${await idOf(server, 'applications', 'LEAVE')}`;
  const one = await server.call(leave, { token: alice });
  const { categories } = one.body as { categories: unknown[] };
  const changed = await server.call(leave, {
    method: 'PATCH',
    token: alice,
    body: [{ op: 'replace', path: '/categories', value: [...categories, layoffs.uri] }],
  });
  expect(changed.status).toBe(200);
});
afterAll(() => server.close());

async function listed(
  path: string,
  token: string,
  parameters: Record<string, string | string[]>,
): Promise<[total: unknown, ids: string[]]> {
  const answer = await server.call(path + query({ range: '0-500', ...parameters }), {
    token,
    headers: { Prefer: 'count=exact' },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  const items = answer.body as { id: string }[];
  return [answer.headers['x-total-count'], items.map(({ id }) => id)];
}

/** An answer without the values that differ in every answer. */
const outcomeOf = ({ status, text }: Answer, id: string): [number, string] => [
  status,
  text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '{id}'),
];

/** The answers to one call with the id of a hidden object and with one that does not exist. */
async function sameAnswer(hidden: string, callOf: (id: string) => [string, Call]): Promise<Answer> {
  const [existing, missing] = [
    await server.call(...callOf(hidden)),
    await server.call(...callOf(NOWHERE)),
  ];
  expect(outcomeOf(existing, hidden)).toEqual(outcomeOf(missing, NOWHERE));
  return existing;
}

describe('a link to an object that the caller may not see', () => {
  it('appears as an empty link, only to that caller', async () => {
    const path = `${TASKS}/${falconTask.id}`;
    const hidden = await server.call(path, { token: bruno });
    expect(hidden.body).toEqual({ ...falconTask, application: null });
    expect((await server.call(path, { token: alice })).body).toEqual(falconTask);
    expect(falconTask.application).toEqual(refOf(falcon));
    const filter = { filters: `id:eq:${falconTask.id}`, responseMode: 'user' };
    const [item] = (await server.call(TASKS + query(filter), { token: bruno })).body as object[];
    expect(item).toMatchObject({ id: falconTask.id, application: null });
  });

  it.each([
    'application:eq:{id}',
    'application:eq:/navigation/applications/{id}',
    'application.id:eq:{id}',
    'application.uri:eq:{id}',
    'application.title:eq:Project Falcon acquisition',
    'application.label:starts:project f',
    'application.link:starts:https://falcon.internal.example/room?code=S',
    'application.keywords:contains:contoso',
    'application.active:eq:true',
  ])('is not found by the filter %s', async (filter) => {
    const filters = [`id:eq:${falconTask.id}`, filter.replace('{id}', falcon.id!)];
    expect(await listed(TASKS, alice, { filters })).toEqual(['1', [falconTask.id]]);
    expect(await listed(TASKS, bruno, { filters })).toEqual(['0', []]);
  });

  it.each([
    'application:isempty',
    'application:neq:{id}',
    'application.title:isempty',
    'application.title:neq:Project Falcon acquisition',
    'application.keywords:notcontains:contoso',
  ])('is empty for the filter %s', async (filter) => {
    const filters = [`id:eq:${falconTask.id}`, filter.replace('{id}', falcon.id!)];
    expect(await listed(TASKS, alice, { filters })).toEqual(['0', []]);
    expect(await listed(TASKS, bruno, { filters })).toEqual(['1', [falconTask.id]]);
  });

  it('sorts like a missing link', async () => {
    const leave = await idOf(server, 'applications', 'LEAVE');
    await server.database.query('UPDATE applications SET active = false WHERE id = $1', [leave]);
    const first = await make(TASKS, {
      title: 'A task of the first application',
      application: leave,
      assignee: await idOf(server, 'users', 'bruno.keller'),
    });
    const [, ids] = await listed(TASKS, bruno, { sorter: 'application' });
    expect(ids.slice(-2)).toEqual([falconTask.id, first.id]);
    const [, backwards] = await listed(TASKS, bruno, { sorter: '-application' });
    expect(backwards.slice(0, 2)).toEqual([first.id, falconTask.id]);
    await server.database.query('UPDATE applications SET active = true WHERE id = $1', [leave]);
  });

  it('is left out of lists of links, by id and by title', async () => {
    const filterOf = (filter: string) => ({ filters: ['id:eq:1', filter] });
    for (const filter of [`categories:eq:${layoffs.id}`, 'categories.title:starts:Lay']) {
      expect(await listed(APPLICATIONS, alice, filterOf(filter))).toEqual(['1', ['1']]);
      expect(await listed(APPLICATIONS, bruno, filterOf(filter))).toEqual(['0', []]);
    }
    for (const filter of [`categories:neq:${layoffs.id}`, 'categories.title:neq:Layoffs']) {
      expect(await listed(APPLICATIONS, alice, filterOf(filter))).toEqual(['0', []]);
      expect(await listed(APPLICATIONS, bruno, filterOf(filter))).toEqual(['1', ['1']]);
    }
    const lonely = await make(APPLICATIONS, {
      title: 'Of a hidden category alone',
      type: 'LINK',
      categories: [layoffs.uri],
    });
    const empty = { filters: [`id:eq:${lonely.id}`, 'categories:isempty'] };
    expect(await listed(APPLICATIONS, alice, empty)).toEqual(['0', []]);
    expect(await listed(APPLICATIONS, bruno, empty)).toEqual(['1', [lonely.id]]);
  });
});

describe('writing what links an object that the caller may not see', () => {
  const path = () => `${TASKS}/${falconTask.id}`;
  const applicationOf = async () =>
    (await server.database.query('SELECT application_id FROM tasks WHERE id = $1', [falconTask.id]))
      .map(({ application_id: id }) => id as string)
      .join();

  it('keeps the hidden link on a PUT of what a GET answered', async () => {
    const got = await server.call(path(), { token: bruno });
    const headers = { 'If-Match': String(got.headers.etag) };
    const same = await server.call(path(), {
      method: 'PUT',
      token: bruno,
      body: got.body,
      headers,
    });
    expect([same.status, same.headers.etag, same.body]).toEqual([200, got.headers.etag, got.body]);
    const body = { ...(got.body as object), status: 'done' };
    const done = await server.call(path(), { method: 'PUT', token: bruno, body, headers });
    expect([done.status, done.body]).toEqual([
      200,
      {
        ...body,
        modificationDate: expect.any(String),
        completionDate: expect.any(String),
        closedBy: expect.objectContaining({ reference: 'bruno.keller' }),
      },
    ]);
    expect(await applicationOf()).toBe(falcon.id);
  });

  it('keeps the hidden link on a PATCH', async () => {
    const body = [
      { op: 'test', path: '/application', value: null },
      { op: 'replace', path: '/status', value: 'open' },
    ];
    const patched = await server.call(path(), { method: 'PATCH', token: bruno, body });
    expect([patched.status, patched.body]).toMatchObject([
      200,
      { status: 'open', application: null },
    ]);
    expect(await applicationOf()).toBe(falcon.id);
  });

  it('answers a link to a hidden object exactly like one to a missing object', async () => {
    const method = 'PATCH';
    await sameAnswer(falcon.id!, (id) => [
      path(),
      { method, token: bruno, body: [{ op: 'replace', path: '/application', value: id }] },
    ]);
    await sameAnswer(falcon.id!, (id) => [
      path(),
      { method: 'PUT', token: bruno, body: { title: falconTask.title, application: id } },
    ]);
    const single = await sameAnswer(falcon.id!, (id) => [
      NOTES,
      { method: 'POST', token: bruno, body: { label: 'x', subject: id, related: '1' } },
    ]);
    expect([single.status, single.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: subject',
        fields: [{ name: 'subject', message: `there is no ${falcon.uri}` }],
      },
    ]);
    const several = await sameAnswer(layoffs.id!, (id) => [
      NOTES,
      { method: 'POST', token: bruno, body: { label: 'x', subject: '1', categories: [id] } },
    ]);
    expect([several.status, several.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: categories',
        fields: [
          { name: 'categories', message: `there is no /navigation/categories/${layoffs.id}` },
        ],
      },
    ]);
    await sameAnswer(falcon.id!, (id) => [
      '/api/v2/directory/users/me/favourites',
      { method: 'PUT', token: bruno, body: { applications: [id] } },
    ]);
    for (const method of ['PUT', 'DELETE'])
      await sameAnswer(falcon.id!, (id) => [
        `/navigation/workplace/favourites/${id}`,
        { method, token: bruno },
      ]);
  });

  it('answers the name of a hidden object exactly like one of nothing', async () => {
    const named = async (application: string) => {
      const body = {
        ...{ substitute: 'chloe.lefevre', application },
        ...{ startDate: '2031-01-01T00:00:00Z', endDate: '2031-02-01T00:00:00Z' },
      };
      const call = { method: 'POST', token: bruno, body };
      const { status, text } = await server.call('/api/v2/process/absences', call);
      return [status, text.replaceAll(application, 'NAME')];
    };
    const [hidden, missing] = [await named(falcon.reference!), await named('NO-SUCH')];
    expect(hidden).toEqual(missing);
    expect(hidden).toEqual([400, expect.stringContaining("there is no application 'NAME'")]);
  });

  it('keeps every kind of link that the writer is not shown', async () => {
    const note = await make(NOTES, {
      label: 'Hidden',
      subject: falcon.uri,
      related: falcon.uri,
      categories: [layoffs.uri],
    });
    const got = await server.call(`${NOTES}/${note.id}`, { token: bruno });
    expect(got.body).toEqual({ ...note, subject: null, related: null, categories: [] });
    const body = { ...(got.body as object), label: 'Still hidden' };
    const call = { method: 'PUT', token: bruno, body };
    expect((await server.call(`${NOTES}/${note.id}`, call)).status).toBe(200);
    const after = await server.call(`${NOTES}/${note.id}`, { token: alice });
    expect(after.body).toEqual({
      ...note,
      label: 'Still hidden',
      modificationDate: expect.any(String),
    });
  });
});

describe('a process engine', () => {
  it('creates tasks of applications that it does not see, and is shown their Refs', async () => {
    expect((await server.call(`${APPLICATIONS}/${falcon.id}`, { token: engine })).status).toBe(404);
    const task = await make(TASKS, { title: 'Made', application: falcon.uri }, engine);
    expect(task.application).toEqual(refOf(falcon));
    const call = { method: 'PUT', token: engine, body: { ...task, status: 'done' } };
    expect((await server.call(`${TASKS}/${task.id}`, call)).status).toBe(200);
    for (const filter of [`application:eq:${falcon.id}`, 'application.label:starts:project f'])
      expect(await listed(TASKS, engine, { filters: [`id:eq:${task.id}`, filter] })).toEqual([
        '1',
        [task.id],
      ]);
  });

  it.each(['link:starts:https://falcon', 'keywords:contains:contoso', 'active:eq:true'])(
    'does not find them by what no Ref shows: application.%s',
    async (filter) => {
      const filters = [`application:eq:${falcon.id}`, `application.${filter}`];
      expect(await listed(TASKS, engine, { filters })).toEqual(['0', []]);
    },
  );
});
