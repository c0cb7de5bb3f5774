import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Sources push their tasks by external id: what becomes of each, whom it waits for, and what a snapshot cancels. */

const SOURCES = '/api/v2/process/sources';
const TASKS = '/api/v2/process/tasks';

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let bruno: string;
let engine: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, bruno, engine } = writing);
});
afterAll(() => writing.close());

interface Result {
  externalId: string | null;
  result: string;
  uri: string | null;
  fields: { name: string; message: string }[];
  unknown: string[];
  ignored: string[];
}

interface Pushed {
  stored: boolean;
  results: Result[];
}

let made = 0;
/** A new source whose service account is the process engine. */
const newSource = async (more: object = {}): Promise<string> => {
  const reference = `ENGINE-${++made}`;
  await create(SOURCES, {
    reference,
    label: 'An engine',
    serviceAccount: await uriOf(server, 'users', 'process.engine'),
    applications: [
      await uriOf(server, 'applications', 'LEAVE'),
      await uriOf(server, 'applications', 'EXPENSES'),
    ],
    fallbackGroup: await uriOf(server, 'groups', 'HIRING'),
    ...more,
  });
  return reference;
};

const push = (
  source: string,
  items: unknown,
  parameters: Record<string, string> = {},
  token = engine,
) => call('PUT', TASKS + query({ source, ...parameters }), items, { token });

const counts = (more: object) => ({
  stored: true,
  ...{ created: 0, updated: 0, unchanged: 0, stale: 0, refused: 0, cancelled: 0 },
  unknown: [],
  inactive: [],
  ...more,
});

const task = (externalId: string, more: object = {}) => ({
  externalId,
  title: `Task ${externalId}`,
  application: 'LEAVE',
  assignee: 'bruno.keller',
  ...more,
});

const aUri = expect.stringMatching(/^\/process\/tasks\/\d+$/) as unknown;

const result = (externalId: string | null, what: string, more: object = {}) => ({
  externalId,
  result: what,
  uri: aUri,
  fields: [],
  unknown: [],
  inactive: [],
  ignored: [],
  ...more,
});

/** Everything about the tasks of a source that a write would change. */
const stateOf = (source: string) =>
  server.database.query(
    `SELECT t.*, t.xmin FROM tasks t JOIN sources s ON s.id = t.source_id WHERE s.reference = $1 ORDER BY t.id`,
    [source],
  );

const read = async (uri: string | null) =>
  (await call('GET', `/api/v2${uri}`)).body as Record<string, unknown>;

describe('PUT /api/v2/process/tasks', () => {
  it('creates, changes and leaves tasks, and answers a result for each in the order of the request', async () => {
    const source = await newSource();
    const first = await push(source, [task('b', { sourceVersion: 2 }), task('a'), task('c')]);
    expect([first.status, first.body]).toEqual([
      200,
      counts({
        created: 3,
        results: ['b', 'a', 'c'].map((id) => result(id, 'created')),
      }),
    ]);
    const uris = (first.body as Pushed).results.map(({ uri }) => uri);
    expect(await read(uris[0]!)).toMatchObject({
      title: 'Task b',
      application: { reference: 'LEAVE' },
      assignee: { reference: 'bruno.keller' },
      status: 'open',
      priority: 0,
      source: { reference: source },
      externalId: 'b',
      sourceVersion: 2,
    });
    const second = await push(source, [
      task('c', { title: 'Changed', priority: 4 }),
      task('b', { sourceVersion: 2 }),
      task('d'),
      task('b2', { application: 'TRAVEL' }),
      task('b', { sourceVersion: 3 }),
    ]);
    expect([second.status, second.body]).toEqual([
      200,
      counts({
        ...{ created: 1, updated: 1, unchanged: 1, refused: 2 },
        results: [
          result('c', 'updated', { uri: uris[2] }),
          result('b', 'unchanged', { uri: uris[0] }),
          result('d', 'created'),
          result('b2', 'refused', {
            uri: null,
            fields: [
              { name: 'application', message: 'is not an application of the source: TRAVEL' },
            ],
          }),
          result('b', 'refused', {
            uri: uris[0],
            fields: [{ name: 'externalId', message: 'is given twice in this call' }],
          }),
        ],
      }),
    ]);
    const changed = await call('GET', `/api/v2${uris[2]}`);
    expect([changed.headers.etag, changed.body.title, changed.body.priority]).toEqual([
      '"2"',
      'Changed',
      4,
    ]);
  });

  it('writes nothing where the source says the same again', async () => {
    const source = await newSource();
    const items = Array.from({ length: 20 }, (_, at) => task(`same-${at}`));
    await push(source, items);
    const before = [await stateOf(source), await writing.state('audit')];
    // The order of the attributes says nothing.
    const turned = items.map((item) => Object.fromEntries(Object.entries(item).reverse()));
    const again = await push(source, turned);
    expect(again.body).toEqual(
      counts({
        unchanged: 20,
        results: items.map(({ externalId }) => result(externalId, 'unchanged')),
      }),
    );
    expect([await stateOf(source), await writing.state('audit')]).toEqual(before);
  });

  it('never applies an older version', async () => {
    const source = await newSource();
    await push(source, [task('v', { sourceVersion: 7, title: 'Seven' })]);
    const before = await stateOf(source);
    const older = await push(source, [task('v', { sourceVersion: 6, title: 'Six' })]);
    expect(older.body).toEqual(counts({ stale: 1, results: [result('v', 'stale')] }));
    expect(await stateOf(source)).toEqual(before);
    const newer = await push(source, [task('v', { sourceVersion: 8, title: 'Eight' })]);
    expect(newer.body).toMatchObject({ updated: 1 });
  });

  it('leaves omitted attributes unchanged, such as the assignee who has claimed the task', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('kept', { description: 'Long' })]))
      .body as Pushed;
    const { uri } = results[0]!;
    const chloe = await uriOf(server, 'users', 'chloe.lefevre');
    await call('PATCH', `/api/v2${uri}`, [{ op: 'add', path: '/assignee', value: chloe }]);
    await push(source, [{ externalId: 'kept', title: 'New title', description: null }]);
    expect(await read(uri)).toMatchObject({
      title: 'New title',
      description: null,
      assignee: { reference: 'chloe.lefevre' },
      application: { reference: 'LEAVE' },
    });
  });

  it('finds people by login, external id, e-mail and URI, and groups by reference', async () => {
    const source = await newSource();
    const person = await create('/api/v2/directory/users', {
      login: 'pushed.to',
      lastName: 'Pushed',
      externalId: 'E-77',
      email: 'pushed.to@helvion.example',
      status: 1,
    });
    const names = ['PUSHED.TO', 'E-77', 'Pushed.To@Helvion.example', person.uri];
    const items = [
      ...names.map((assignee, at) => task(`by-${at}`, { assignee })),
      task('by-object', { assignee: { id: person.id } }),
      task('by-group', { assignee: null, group: 'HIRING' }),
    ];
    const { body } = await push(source, items);
    expect(body).toMatchObject({ created: 6, unknown: [] });
    const tasks = await Promise.all((body as Pushed).results.map(({ uri }) => read(uri)));
    expect(tasks.map(({ assignee }) => (assignee as { uri: string } | null)?.uri)).toEqual([
      ...Array.from({ length: 5 }, () => person.uri),
      undefined,
    ]);
    expect(tasks[5]).toMatchObject({ group: { reference: 'HIRING' } });
  });

  it('says that a person is inactive, in results, in refusals and in the report', async () => {
    await create('/api/v2/directory/users', { login: 'has.left', lastName: 'Left', status: 3 });
    const without = await newSource({ fallbackGroup: null });
    const items = [
      task('left', { assignee: 'has.left' }),
      task('asked', { candidates: ['has.left', 'no.body'] }),
    ];
    const { body } = await push(without, items);
    expect((body as { results: unknown[] }).results).toMatchObject([
      { fields: [{ name: 'assignee', message: "the user 'has.left' is inactive" }] },
      {
        fields: [
          { name: 'candidates', message: "the user 'has.left' is inactive" },
          { name: 'candidates', message: "there is no user or group 'no.body'" },
        ],
      },
    ]);
    const source = await newSource();
    const both = [task('left', { assignee: 'has.left' }), task('no', { assignee: 'no.body' })];
    expect((await push(source, both)).body).toMatchObject({
      ...{ created: 2, unknown: ['has.left', 'no.body'], inactive: ['has.left'] },
      results: [
        { unknown: ['has.left'], inactive: ['has.left'] },
        { unknown: ['no.body'], inactive: [] },
      ],
    });
    const report = await call('GET', `/api/v2/process/sources/${source}/unknown`);
    expect(report.body).toMatchObject([
      { name: 'has.left', known: null, inactive: true },
      { name: 'no.body', known: null, inactive: false },
    ]);
  });

  it('reports the unknown people of the applications that the source has', async () => {
    const source = await newSource();
    await push(source, [task('no', { assignee: 'no.body' })]);
    const path = `/api/v2/process/sources/${source}`;
    expect((await call('GET', `${path}/unknown`)).body).toMatchObject([{ name: 'no.body' }]);
    await call('PATCH', path, [{ op: 'replace', path: '/applications', value: ['EXPENSES'] }]);
    expect((await call('GET', `${path}/unknown`)).body).toEqual([]);
  });

  it('goes by the first way in which a name fits anybody', async () => {
    const source = await newSource();
    const person = (login: string, more: object) =>
      create('/api/v2/directory/users', { login, lastName: login, status: 1, ...more });
    await person('anna.b', { status: 3 });
    await person('other.anna', { externalId: 'anna.b' });
    await person('twin.1', { externalId: 'TWIN' });
    await person('twin.2', { externalId: 'TWIN', status: 3 });
    const items = ['anna.b', 'TWIN'].map((assignee) => task(`to-${assignee}`, { assignee }));
    const { body } = await push(source, items);
    expect(body).toMatchObject({ created: 2, unknown: ['TWIN', 'anna.b'] });
    const tasks = await Promise.all((body as Pushed).results.map(({ uri }) => read(uri)));
    expect(tasks.map(({ assignee }) => assignee)).toEqual([null, null]);
    const candidates = Array.from({ length: 101 }, (_, at) => `many-${at}`);
    expect((await push(source, [task('many', { candidates })])).body).toMatchObject({
      results: [
        {
          fields: [
            {
              name: 'candidates',
              message: 'must be an array of at most 100 names of at most 255 characters',
            },
          ],
        },
      ],
    });
  });

  it('gives tasks of unknown people to the fallback group, and to the person once there is one', async () => {
    const source = await newSource();
    const late = task('late', { assignee: 'late.comer' });
    const both = task('both', { assignee: 'late.comer', group: 'EXPENSE-APPROVERS' });
    const { body } = await push(source, [late, both, task('known')]);
    expect(body).toEqual(
      counts({
        created: 3,
        unknown: ['late.comer'],
        results: [
          result('late', 'created', { unknown: ['late.comer'] }),
          result('both', 'created', { unknown: ['late.comer'] }),
          result('known', 'created'),
        ],
      }),
    );
    const [uri, other] = (body as Pushed).results.map((one) => one.uri);
    expect(await read(uri!)).toMatchObject({ assignee: null, group: { reference: 'HIRING' } });
    expect(await read(other!)).toMatchObject({
      assignee: null,
      group: { reference: 'EXPENSE-APPROVERS' },
    });
    expect((await push(source, [late])).body).toMatchObject({
      unchanged: 1,
      unknown: ['late.comer'],
    });
    await server.database.query('UPDATE tasks SET assignee_id = $1 WHERE id = $2', [
      await idOf(server, 'users', 'bruno.keller'),
      uri!.split('/').at(-1),
    ]);
    const renamed = { ...late, title: 'Taken by a person of the group' };
    expect((await push(source, [renamed])).body).toMatchObject({ updated: 1 });
    expect(await read(uri!)).toMatchObject({ assignee: { reference: 'bruno.keller' } });
    const moved = { ...renamed, group: 'EXPENSE-APPROVERS' };
    expect((await push(source, [moved])).body).toMatchObject({ updated: 1 });
    expect(await read(uri!)).toMatchObject({ assignee: null });
    const { uri: person } = await create('/api/v2/directory/users', {
      login: 'late.comer',
      lastName: 'Comer',
      status: 1,
    });
    expect((await push(source, [late])).body).toMatchObject({ updated: 1, unknown: [] });
    expect(await read(uri!)).toMatchObject({ assignee: { uri: person } });
    const without = await newSource({ fallbackGroup: null });
    expect((await push(without, [task('nobody', { assignee: 'no.body' })])).body).toEqual(
      counts({
        refused: 1,
        results: [
          result('nobody', 'refused', {
            uri: null,
            fields: [{ name: 'assignee', message: "there is no user 'no.body'" }],
          }),
        ],
      }),
    );
  });

  it('takes a task from the fallback group once everybody whom it names is known', async () => {
    const source = await newSource();
    const items = [
      task('alone', { assignee: 'soon.there' }),
      task('candidates', { assignee: undefined, candidates: ['soon.there'] }),
      task('others', { assignee: 'soon.there', candidates: ['never.there'] }),
      task('grouped', { assignee: 'soon.there', group: 'HIRING' }),
      task('left-out', { assignee: 'soon.there' }),
    ];
    const { results } = (await push(source, items)).body as Pushed;
    await create('/api/v2/directory/users', { login: 'soon.there', lastName: 'There', status: 1 });
    const again = [...items.slice(0, 4), { externalId: 'left-out', title: 'Unassigned' }];
    expect((await push(source, again)).body).toMatchObject({ updated: 4 + 1 });
    const groups: unknown[] = [];
    for (const { uri } of results) groups.push((await read(uri)).group);
    const fallback = expect.objectContaining({ reference: 'HIRING' });
    expect(groups).toEqual([null, null, fallback, fallback, fallback]);
  });

  it('refuses bad tasks one by one, each with all its fields', async () => {
    const source = await newSource();
    const { status, body } = await push(source, [
      7,
      { title: 'No id' },
      task('x'.repeat(201)),
      task('fine'),
      { externalId: 'bad', title: ' ', priority: 'high', colour: 'red', source: 'OTHER' },
      task('json', { variables: [{ name: 'a' }] }),
    ]);
    expect(status).toBe(200);
    const refused = (externalId: string | null, ...fields: [string, unknown][]) =>
      result(externalId, 'refused', {
        uri: null,
        fields: fields.map(([name, message]) => ({ name, message })),
      });
    expect(body).toEqual(
      counts({
        created: 1,
        refused: 5,
        results: [
          refused(null, ['body', 'must be a JSON object']),
          refused(null, ['externalId', 'is required']),
          refused(null, ['externalId', 'must be a string of at most 200 characters']),
          result('fine', 'created'),
          refused(
            'bad',
            ['source', 'cannot be given in an item of a push'],
            ['colour', expect.stringMatching(/^unknown attribute; known: /)],
            ['title', 'is required'],
            ['application', 'is required'],
            ['priority', 'must be a whole number from -2147483647 to 2147483647'],
          ),
          refused('json', ['variables', '[0] must be an object with name, label and value']),
        ],
      }),
    );
  });

  it('refuses names that are longer than any can be, item by item', async () => {
    const source = await newSource();
    const long = Array.from({ length: 9_000 }, () => Math.trunc(Math.random() * 36).toString(36));
    const { status, body } = await push(source, [
      task('longest', { assignee: 'ä'.repeat(255), candidates: ['𐐀'.repeat(255)] }),
      task('assignee', { assignee: long.join('') }),
      task('candidates', { candidates: ['x'.repeat(256)] }),
      task('group', { group: { reference: 'x'.repeat(256) } }),
    ]);
    const message = 'must be a name of at most 255 characters';
    expect([status, body.results]).toMatchObject([
      200,
      [
        { result: 'created', unknown: [{}, {}].map(() => expect.any(String)) },
        { result: 'refused', fields: [{ name: 'assignee', message }] },
        { result: 'refused', fields: [{ name: 'candidates', message: expect.any(String) }] },
        { result: 'refused', fields: [{ name: 'group', message }] },
      ],
    ]);
  });

  it.each<[alphabet: string, first: number, last: number]>([
    ['letters', 0x61, 0x7a],
    ['characters of four bytes', 0x20000, 0x2a6df],
    ['squares that fold to words', 0x3300, 0x3357],
    ['ligatures that fold to phrases', 0xfdf0, 0xfdfb],
  ])('stores tasks with the longest texts: %s', async (_alphabet, first, last) => {
    const source = await newSource();
    const random = (length: number) =>
      String.fromCodePoint(
        ...Array.from({ length }, () => first + Math.trunc(Math.random() * (last - first + 1))),
      );
    const name = random(50);
    const item = {
      externalId: random(200),
      title: random(200),
      description: random(4_000),
      correlationId: random(200),
      comment: random(2_000),
      application: 'LEAVE',
      assignee: random(255),
      variables: [{ name: random(100), label: random(200), value: random(200) }],
      outcomes: [{ name, label: random(100) }],
      status: 'done',
      outcome: name,
    };
    expect((await push(source, [item])).body).toMatchObject({ created: 1 });
    expect((await push(source, [{ ...item, title: random(200) }])).body).toMatchObject({
      updated: 1,
    });
  });

  it('stores nothing with allOrNone when one task is rejected', async () => {
    const source = await newSource();
    const items = [task('one'), task('two', { title: '' })];
    const none = await push(source, items, { allOrNone: 'true' });
    expect(none.body).toMatchObject({
      ...{ stored: false, created: 1, refused: 1 },
      results: [result('one', 'created', { uri: null }), { result: 'refused' }],
    });
    expect(await stateOf(source)).toEqual([]);
    const all = await push(source, [task('one')], { allOrNone: 'true' });
    expect(all.body).toMatchObject({ stored: true, created: 1 });
  });

  it('says that it stores nothing, even where there is nothing to store', async () => {
    const source = await newSource();
    await push(source, [task('same')]);
    const asked: [unknown[], Record<string, string>, boolean][] = [
      [[task('same')], {}, true],
      [[task('same')], { dryRun: 'true' }, false],
      [[], { dryRun: 'true' }, false],
      [[{}], {}, true],
      [[{}], { dryRun: 'true' }, false],
      [[{}], { allOrNone: 'true' }, false],
    ];
    for (const [items, parameters, stored] of asked)
      expect([parameters, (await push(source, items, parameters)).body.stored]).toEqual([
        parameters,
        stored,
      ]);
  });

  it('names every bad parameter at once', async () => {
    const { status, body } = await call(
      'PUT',
      '/api/v2/process/tasks?dryRun=yes&foo=1&snapshot=2&force=true&force=false',
      [],
    );
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: foo, force, source, dryRun, snapshot',
        fields: [
          {
            name: 'foo',
            message: 'unknown parameter; known: source, allOrNone, dryRun, snapshot, force',
          },
          { name: 'force', message: 'is given more than once' },
          { name: 'source', message: 'is required' },
          { name: 'dryRun', message: 'must be true or false' },
          { name: 'snapshot', message: 'must be true or false' },
        ],
      },
    ]);
  });

  it('answers the task of an item that is given twice', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('twice'), task('twice')])).body as Pushed;
    expect(results.map(({ result, uri }) => [result, uri])).toEqual([
      ['created', expect.stringMatching(/^\/process\/tasks\/\d+$/)],
      ['refused', results[0]!.uri],
    ]);
  });

  it('stores none or all of many tasks, and answers and records each by its own values', async () => {
    const source = await newSource();
    const items = Array.from({ length: 600 }, (_, at) => task(`many-${at}`, { priority: at }));
    const bad = [...items, task('bad', { title: '' })];
    const none = await push(source, bad, { allOrNone: 'true' });
    expect(none.body).toMatchObject({ stored: false, created: 600, refused: 1 });
    expect(await stateOf(source)).toEqual([]);
    const { results } = (await push(source, items)).body as Pushed;
    expect(results.map(({ externalId }) => externalId)).toEqual(
      items.map(({ externalId }) => externalId),
    );
    const lines = await server.database.query<{ line: object }>(
      `SELECT jsonb_build_object('action', action, 'uri', object_uri, 'actor', actor_login, 'after', after) AS line
       FROM audit WHERE object_uri = ANY ($1) ORDER BY array_position($1, object_uri)`,
      [results.map(({ uri }) => uri)],
    );
    expect(lines.map(({ line }) => line)).toEqual(
      items.map((after, at) => ({
        ...{ action: 'create', uri: results[at]!.uri, actor: 'process.engine' },
        after,
      })),
    );
  });

  it('answers the results of the push with dryRun without storing anything', async () => {
    const source = await newSource();
    await push(source, [task('old')]);
    const before = [await stateOf(source), await writing.state('audit')];
    const items = [task('old', { title: 'Changed' }), task('new')];
    const dry = await push(source, items, { dryRun: 'true' });
    expect(dry.body).toMatchObject({
      ...{ stored: false, created: 1, updated: 1 },
      results: [result('old', 'updated'), result('new', 'created', { uri: null })],
    });
    expect([await stateOf(source), await writing.state('audit')]).toEqual(before);
  });

  it('records each task that it writes in the audit trail', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('audited')])).body as Pushed;
    const filters = `object:eq:${results[0]!.uri}`;
    const { body } = await call('GET', `/api/v2/administration/audit${query({ filters })}`);
    expect(body).toEqual([
      expect.objectContaining({
        action: 'create',
        actor: expect.objectContaining({ reference: 'process.engine' }),
      }),
    ]);
  });

  it('creates each task once when many calls push it at the same time', async () => {
    const source = await newSource();
    const items = Array.from({ length: 50 }, (_, at) => task(`race-${at}`));
    const answers = await Promise.all(Array.from({ length: 6 }, () => push(source, items)));
    const numbers = answers.map(({ status, body }) => [status, body.created, body.unchanged]);
    expect(numbers.sort()).toEqual([
      ...Array.from({ length: 5 }, () => [200, 0, 50]),
      [200, 50, 0],
    ]);
    expect(await stateOf(source)).toHaveLength(50);
  });
});

describe('a task that has ended', () => {
  it('stays as the person closed it, whatever the source says about its status', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('decided', { sourceVersion: 1 })]))
      .body as Pushed;
    const { uri } = results[0]!;
    const done = [
      { op: 'add', path: '/status', value: 'done' },
      { op: 'add', path: '/comment', value: 'Fine' },
    ];
    expect((await call('PATCH', `/api/v2${uri}`, done, { token: bruno })).status).toBe(200);
    const late = task('decided', { sourceVersion: 2, status: 'cancelled', title: 'Late' });
    expect((await push(source, [late])).body).toMatchObject({ updated: 1 });
    expect(await read(uri)).toMatchObject({
      title: 'Late',
      status: 'done',
      comment: 'Fine',
      closedBy: { reference: 'bruno.keller' },
    });
  });

  it('is opened again by the source that has closed it', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('again')])).body as Pushed;
    const { uri } = results[0]!;
    await push(source, [task('again', { status: 'cancelled', comment: 'Withdrawn' })]);
    expect(await read(uri)).toMatchObject({
      status: 'cancelled',
      comment: 'Withdrawn',
      closedBy: { reference: 'process.engine' },
    });
    const decide = [{ op: 'add', path: '/status', value: 'done' }];
    const refused = await call('PATCH', `/api/v2${uri}`, decide, { token: bruno });
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 409, message: 'The task has been cancelled: Withdrawn' },
    ]);
    await push(source, [task('again', { status: 'open' })]);
    expect(await read(uri)).toMatchObject({ status: 'open', comment: null, closedBy: null });
  });
});

describe('the end of a task', () => {
  const REJECT = { name: 'reject', commentRequired: true };
  const outcomes = [{ name: 'approve' }, REJECT];
  const patch = (uri: string, changes: object, token?: string) =>
    call(
      'PATCH',
      `/api/v2${uri}`,
      Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      token === undefined ? {} : { token },
    );
  const pushed = async (source: string, item: object, more?: Record<string, string>) =>
    ((await push(source, [item], more)).body as Pushed).results[0]!;

  it('has one of the outcomes of the task, and only when it is done', async () => {
    const source = await newSource();
    const refused = async (more: object, message: string) =>
      expect(await pushed(source, task('wrong', more))).toMatchObject({
        result: 'refused',
        fields: [{ name: 'outcome', message }],
      });
    await refused(
      { outcomes, status: 'done', outcome: 'perhaps' },
      "must be 'approve' or 'reject'",
    );
    await refused({ outcomes, status: 'cancelled', outcome: 'reject' }, 'needs the status done');
    await refused({ outcomes, outcome: 'reject' }, 'needs the status done');
    await refused(
      { status: 'done', outcome: 'reject' },
      'must be left out: the task has no outcomes',
    );
    await pushed(source, task('right', { outcomes }));
    // Without an outcome, or without a comment: those rules are for people.
    const { uri } = await pushed(source, { externalId: 'right', status: 'done' });
    expect(await read(uri)).toMatchObject({ status: 'done', outcome: null });
    await pushed(source, { externalId: 'right', status: 'done', outcome: 'reject' });
    expect(await read(uri)).toMatchObject({ outcome: 'reject', comment: null });
    const other = await pushed(source, { externalId: 'right', status: 'done', outcome: 'no' });
    expect(other).toMatchObject({ result: 'refused', uri });
  });

  it('counts although it was ignored, once the person has reopened the task', async () => {
    const source = await newSource();
    const { uri } = await pushed(source, task('lost'));
    await patch(uri!, { status: 'cancelled' }, bruno);
    const withdrawn = task('lost', { status: 'cancelled', comment: 'Withdrawn' });
    expect(await pushed(source, withdrawn)).toMatchObject({ result: 'updated' });
    expect(await read(uri)).toMatchObject({
      comment: null,
      closedBy: { reference: 'bruno.keller' },
    });
    expect(await pushed(source, withdrawn)).toMatchObject({ result: 'unchanged' });
    await patch(uri!, { status: 'open' }, bruno);
    expect(await pushed(source, withdrawn)).toMatchObject({ result: 'updated' });
    expect(await read(uri)).toMatchObject({
      status: 'cancelled',
      comment: 'Withdrawn',
      closedBy: { reference: 'process.engine' },
    });
  });

  it('is that of the source, also when an administrator pushes for it', async () => {
    const source = await newSource();
    await push(source, [task('by-admin')]);
    const closed = task('by-admin', { status: 'cancelled' });
    const { results } = (await push(source, [closed], {}, writing.admin)).body as Pushed;
    const { uri } = results[0]!;
    expect(await read(uri)).toMatchObject({ closedBy: { reference: 'process.engine' } });
    await pushed(source, task('by-admin', { status: 'open' }));
    expect(await read(uri)).toMatchObject({ status: 'open', closedBy: null });
    const { body } = await call('GET', `/api/v2${uri}/history`);
    expect((body as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'created',
      'cancelled',
      'reopened',
    ]);
  });

  it('is named as ignored where it does not count', async () => {
    const source = await newSource();
    const { uri, ...first } = await pushed(source, task('told', { status: 'open' }));
    expect(first).toMatchObject({ ignored: [] });
    await patch(uri!, { status: 'done' }, bruno);
    const late = task('told', { status: 'cancelled', comment: 'Late' });
    const ignored = ['status', 'comment'];
    expect(await pushed(source, late)).toMatchObject({ result: 'updated', ignored });
    expect(await pushed(source, late)).toMatchObject({ result: 'unchanged', ignored });
  });

  it('is that of the source, whatever account the source has later', async () => {
    const source = await newSource();
    const [pushedOne, patchedOne] = (await push(source, [task('pushed'), task('patched')])).body
      .results as Result[];
    await push(source, [task('pushed', { status: 'cancelled' })]);
    await patch(patchedOne!.uri!, { status: 'cancelled' }, engine);
    const account = await create('/api/v2/directory/users', {
      login: 'next.engine',
      lastName: 'Engine',
      processEngine: true,
    });
    const change = [{ op: 'replace', path: '/serviceAccount', value: account.uri }];
    const renewed = await call('PATCH', `${SOURCES}/${source}`, change);
    expect(renewed.status).toBe(200);
    const items = [task('pushed', { status: 'open' }), task('patched', { status: 'open' })];
    const opened = await push(source, items, {}, writing.admin);
    expect(opened.body).toMatchObject({ updated: 2, results: [{ ignored: [] }, { ignored: [] }] });
    for (const { uri } of [pushedOne!, patchedOne!])
      expect(await read(uri)).toMatchObject({ status: 'open', closedBy: null });
  });

  it('is recorded in the audit trail as it was applied', async () => {
    const source = await newSource();
    const { uri } = await pushed(source, task('told'));
    const recorded = async () => {
      const filters = `object:eq:${uri}`;
      const { body } = await call('GET', `/api/v2/administration/audit${query({ filters })}`);
      const lines = body as { id: string; after: unknown }[];
      return lines.sort((one, other) => Number(other.id) - Number(one.id))[0]!.after;
    };
    await push(source, [], { snapshot: 'true', force: 'true' });
    await push(source, [task('told')], { snapshot: 'true' });
    expect(await recorded()).toEqual(task('told', { status: 'open' }));
    await patch(uri!, { status: 'done' }, bruno);
    await push(source, [task('told', { status: 'cancelled', comment: 'Late' })]);
    expect(await recorded()).toEqual(task('told'));
  });
});

describe('the translations of outcomes', () => {
  it('are compared with the last push, in pushes and snapshots', async () => {
    const source = await newSource();
    const worded = (label: string) =>
      task('worded', { outcomes: [{ name: 'yes', translations: { fr: { label } } }] });
    const first = await push(source, [worded('Oui')]);
    const { uri } = (first.body as Pushed).results[0]!;
    const outcomes = async () => (await read(uri)).outcomes;
    const stored = (label: string) =>
      [...[{ name: 'yes', label: 'yes', commentRequired: false, confirm: false }]].map(
        (outcome) => ({ ...outcome, translations: { fr: { label } } }),
      );
    expect(await outcomes()).toEqual(stored('Oui'));
    const kept = await push(source, [worded('Oui')], { snapshot: 'true' });
    expect(kept.body).toMatchObject({ unchanged: 1 });
    const changed = await push(source, [worded('D’accord')], { snapshot: 'true' });
    expect(changed.body).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await outcomes()).toEqual(stored('D’accord'));
    const bad = [
      { name: 'a', translations: { it: { label: 'Sì' } } },
      { name: 'b', translations: [] },
    ];
    const refused = await push(source, [task('bad', { outcomes: bad })]);
    expect((refused.body as Pushed).results).toMatchObject([
      {
        result: 'refused',
        fields: [
          {
            name: 'outcomes',
            message: '[0] translations has an unknown language; known: de, en, fr',
          },
          {
            name: 'outcomes',
            message:
              '[1] translations must be an object of texts by language, such as {"fr":{"label":"…"}}',
          },
        ],
      },
    ]);
  });
});

describe('a task of a source', () => {
  it('cannot be written in an application that the source has lost', async () => {
    const source = await newSource();
    await push(source, [task('moved', { application: 'EXPENSES' }), task('kept')]);
    const leave = await uriOf(server, 'applications', 'LEAVE');
    const change = [{ op: 'replace', path: '/applications', value: [leave] }];
    const id = (
      (await call('GET', `${SOURCES}${query({ filters: `reference:eq:${source}` })}`)).body as {
        id: string;
      }[]
    )[0]!.id;
    expect((await call('PATCH', `${SOURCES}/${id}`, change)).status).toBe(200);
    const fields = [{ name: 'application', message: 'is not an application of the source' }];
    for (const item of [{ externalId: 'moved', title: 'New' }, task('moved')])
      expect((await push(source, [item])).body).toMatchObject({ results: [{ fields }] });
    const { body } = await push(source, [task('kept')], { snapshot: 'true' });
    expect(body).toMatchObject({ unchanged: 1, cancelled: 0 });
  });

  it('keeps its version and its group where an item leaves them out', async () => {
    const source = await newSource();
    const group = 'EXPENSE-APPROVERS';
    const { results } = (
      await push(source, [task('g', { assignee: null, group, sourceVersion: 5 })])
    ).body as Pushed;
    const unknown = task('g', { assignee: 'nobody.knows', sourceVersion: null });
    expect((await push(source, [unknown])).body).toMatchObject({ unknown: ['nobody.knows'] });
    expect(await read(results[0]!.uri)).toMatchObject({
      assignee: null,
      group: { reference: group },
      sourceVersion: 5,
    });
    expect((await push(source, [unknown])).body).toMatchObject({ unchanged: 1 });
    expect((await push(source, [task('g', { sourceVersion: 4 })])).body).toMatchObject({
      stale: 1,
    });
  });

  it('is pushed and patched at the same time', async () => {
    const source = await newSource();
    const ids = Array.from({ length: 8 }, (_, at) => `busy-${at}`);
    const { results } = (
      await push(
        source,
        ids.map((id) => task(id)),
      )
    ).body as Pushed;
    const conflicts = async () =>
      (
        await server.database.query<{ deadlocks: string }>(
          `SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot(), deadlocks FROM pg_stat_database WHERE datname = current_database()`,
        )
      )[0]!.deadlocks;
    const before = await conflicts();
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all([
        ...[0, 1].map((one) =>
          push(
            source,
            ids.map((id) => task(id, { title: `Round ${round} ${one}` })),
          ),
        ),
        ...results.map(({ uri }) =>
          call('PATCH', `/api/v2${uri}`, [{ op: 'add', path: '/priority', value: round }], {
            token: engine,
          }),
        ),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    expect(await conflicts()).toBe(before);
  });
});

describe('a snapshot', () => {
  const ten = Array.from({ length: 10 }, (_, at) => task(`s-${at}`));

  it('cancels the open tasks of the source that it does not contain', async () => {
    const source = await newSource();
    const other = await newSource();
    await push(source, ten);
    await push(other, ten);
    const { status, body } = await push(source, ten.slice(2), { snapshot: 'true' });
    expect([status, body]).toMatchObject([200, { unchanged: 8, cancelled: 2 }]);
    const states = async (of: string) =>
      (await stateOf(of)).map((row) => (row as { status: string }).status);
    expect(await states(source)).toEqual(ten.map((_, at) => (at < 2 ? 'cancelled' : 'open')));
    expect(await states(other)).toEqual(ten.map(() => 'open'));
    // What comes back is open again.
    const back = await push(source, ten, { snapshot: 'true' });
    expect(back.body).toMatchObject({ updated: 2, unchanged: 8, cancelled: 0 });
    expect(await states(source)).toEqual(ten.map(() => 'open'));
  });

  it('is refused when it would cancel more than the source allows, unless it is forced', async () => {
    const source = await newSource();
    await push(source, ten);
    const items = [...ten.slice(3), task('new')];
    const refused = await push(source, items, { snapshot: 'true' });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        code: 409,
        message:
          'The snapshot would cancel 3 of 10 open tasks, more than 20 %: send force=true to cancel them',
      },
    ]);
    expect(await stateOf(source)).toHaveLength(10);
    const dry = await push(source, items, { snapshot: 'true', dryRun: 'true' });
    expect(dry.body).toMatchObject({ stored: false, created: 1, unchanged: 7, cancelled: 3 });
    expect(await stateOf(source)).toHaveLength(10);
    const forced = await push(source, [], { snapshot: 'true', force: 'true' });
    expect([forced.status, forced.body]).toEqual([200, counts({ cancelled: 10, results: [] })]);
  });

  it('counts the open tasks before it is stored', async () => {
    const source = await newSource();
    await push(source, ten);
    const others = Array.from({ length: 40 }, (_, at) => task(`other-${at}`));
    const diluted = await push(source, others, { snapshot: 'true' });
    expect([diluted.status, diluted.body.message]).toEqual([
      409,
      'The snapshot would cancel 10 of 10 open tasks, more than 20 %: send force=true to cancel them',
    ]);
    expect(await stateOf(source)).toHaveLength(10);
    const closed = ten.slice(2).map((item) => ({ ...item, status: 'done' }));
    const { status, body } = await push(source, closed, { snapshot: 'true' });
    expect([status, body]).toMatchObject([200, { updated: 8, cancelled: 2 }]);
  });

  it('opens a task again that the source has closed in another way', async () => {
    const source = await newSource();
    const { results } = (await push(source, [task('back')])).body as Pushed;
    const { uri } = results[0]!;
    const cancel = [{ op: 'add', path: '/status', value: 'cancelled' }];
    expect((await call('PATCH', `/api/v2${uri}`, cancel, { token: engine })).status).toBe(200);
    expect((await push(source, [task('back')], { snapshot: 'true' })).body).toMatchObject({
      updated: 1,
    });
    expect(await read(uri)).toMatchObject({ status: 'open', closedBy: null });
    expect((await push(source, [task('back')], { snapshot: 'true' })).body).toMatchObject({
      unchanged: 1,
    });
  });

  it('keeps a task that it contains with a fault, and refuses one that it cannot name', async () => {
    const source = await newSource();
    await push(source, ten);
    const items = [...ten.slice(1), task('s-0', { title: '' })];
    const { body } = await push(source, items, { snapshot: 'true' });
    expect(body).toMatchObject({ unchanged: 9, refused: 1, cancelled: 0 });
    const nameless = await push(source, [...ten.slice(1), { title: 'x' }], { snapshot: 'true' });
    expect([nameless.status, nameless.body]).toEqual([
      409,
      {
        code: 409,
        message: 'The snapshot has tasks without a readable externalId, and cancels nothing',
      },
    ]);
  });
});

describe('who may push', () => {
  it('is the service account of the source, and an administrator', async () => {
    const source = await newSource();
    const foreign = await newSource({ serviceAccount: null });
    const unknown = (name: string) => ({
      code: 400,
      message: 'Invalid: source',
      fields: [{ name: 'source', message: `there is no source '${name}'` }],
    });
    expect((await push(source, [], {}, bruno)).body).toEqual(unknown(source));
    expect((await push(foreign, [], {}, engine)).body).toEqual(unknown(foreign));
    expect((await push(source, [task('by-engine')])).status).toBe(200);
    expect((await push(foreign, [task('by-admin')], {}, writing.admin)).status).toBe(200);
  });

  it('names every bad parameter', async () => {
    const { status, body } = await call('PUT', `${TASKS}?dryRun=yes&force=1`, []);
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: source, dryRun, force',
        fields: [
          { name: 'source', message: 'is required' },
          { name: 'dryRun', message: 'must be true or false' },
          { name: 'force', message: 'must be true or false' },
        ],
      },
    ]);
    const source = await newSource();
    const object = await push(source, { tasks: [] });
    expect([object.status, object.body.fields]).toEqual([
      400,
      [{ name: 'body', message: 'must be an array of at most 1000 tasks' }],
    ]);
    const both = await push(source, {}, { dryRun: 'yes' });
    expect(both.body.fields).toEqual([
      { name: 'dryRun', message: 'must be true or false' },
      { name: 'body', message: 'must be an array of at most 1000 tasks' },
    ]);
  });
});

describe('GET /api/v2/process/sources/{id}/unknown', () => {
  it('names whom the directory does not know, with their open tasks, until a push knows them', async () => {
    const source = await newSource();
    const path = `/api/v2/process/sources/${source}/unknown`;
    const report = async (token = engine) => (await call('GET', path, undefined, { token })).body;
    expect(await report()).toEqual([]);
    const late = task('late', { assignee: 'later.known' });
    const items = [
      late,
      task('both', { assignee: 'never.known', candidates: ['later.known', 'bruno.keller'] }),
      task('gone', { assignee: 'gone.by' }),
      task('known'),
    ];
    await push(source, items);
    await push(source, [task('gone', { assignee: 'gone.by', status: 'cancelled' })]);
    const shown = (externalId: string) => ({
      id: expect.any(String) as unknown,
      uri: aUri,
      reference: expect.stringMatching(/^TASK-/) as unknown,
      label: `Task ${externalId}`,
      externalId,
    });
    const aDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
    const expected = (known: object | null) => [
      {
        name: 'later.known',
        known,
        inactive: false,
        count: 2,
        oldestWaitingDate: aDate,
        tasks: [shown('late'), shown('both')],
      },
      {
        name: 'never.known',
        known: null,
        inactive: false,
        count: 1,
        oldestWaitingDate: aDate,
        tasks: [shown('both')],
      },
    ];
    expect(await report()).toEqual(expected(null));
    const { id, uri } = await create('/api/v2/directory/users', {
      login: 'later.known',
      lastName: 'Known',
      status: 1,
    });
    expect(await report(writing.admin)).toEqual(
      expected({ id, uri, reference: 'later.known', label: 'Known' }),
    );
    await push(source, items);
    expect(await report()).toEqual([
      {
        name: 'never.known',
        known: null,
        inactive: false,
        count: 1,
        oldestWaitingDate: aDate,
        tasks: [shown('both')],
      },
    ]);
    expect((await call('GET', path, undefined, { token: bruno })).status).toBe(404);
    const permissions = ['sources:read', 'endpoints:read'];
    const role = await create('/api/v2/directory/roles', { label: 'Reads sources', permissions });
    await create('/api/v2/directory/role-assignments', { user: 'chloe.lefevre', role: role.id });
    // Who reads the source alone sees none of its tasks.
    expect(await report(await writing.server.signInForLong('chloe.lefevre'))).toMatchObject([
      { name: 'never.known', count: 1, tasks: [] },
    ]);
  });
});
