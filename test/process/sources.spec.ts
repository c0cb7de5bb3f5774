import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Sources of tasks: who sees and writes them, and what a task keeps of its source and of how it was closed. */

const SOURCES = '/api/v2/process/sources';
const TASKS = '/api/v2/process/tasks';

const REJECT = { name: 'reject', label: 'Reject', commentRequired: true, confirm: true };
const APPROVE = { name: 'approve', label: 'approve', commentRequired: false, confirm: false };

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let bruno: string;
let engine: string;
let application: string;
let source: string;
let foreign: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, bruno, engine } = writing);
  application = await uriOf(server, 'applications', 'LEAVE');
  const serviceAccount = await uriOf(server, 'users', 'process.engine');
  ({ uri: source } = await create(SOURCES, {
    reference: 'CAMUNDA',
    label: 'Camunda',
    serviceAccount,
    applications: [application],
    fallbackGroup: await uriOf(server, 'groups', 'EXPENSE-APPROVERS'),
  }));
  ({ uri: foreign } = await create(SOURCES, { label: 'Another engine' }));
});
afterAll(() => writing.close());

const anObject = expect.any(Object) as unknown;
const aText = expect.any(String) as unknown;

const refusal = ({ status, body }: { status: number; body: unknown }) => [status, body];

const fault = (name: string, ...messages: string[]) => [
  400,
  {
    code: 400,
    message: `Invalid: ${name}`,
    fields: messages.map((message) => ({ name, message })),
  },
];

let made = 0;
const newTask = async (more: object = {}) =>
  create(TASKS, {
    title: 'Approve the leave',
    application,
    assignee: await uriOf(server, 'users', 'bruno.keller'),
    source,
    externalId: `task-${++made}`,
    ...more,
  });

const patch = (path: string, changes: Record<string, unknown>, token?: string) =>
  call(
    'PATCH',
    `/api/v2${path}`,
    Object.entries(changes).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    token === undefined ? {} : { token },
  );

describe('sources', () => {
  it('are shown with their account, applications and fallback group', async () => {
    const { status, body } = await call('GET', `/api/v2${source}`);
    expect([status, body]).toEqual([
      200,
      {
        id: source.split('/').at(-1),
        uri: source,
        reference: 'CAMUNDA',
        label: 'Camunda',
        serviceAccount: {
          id: aText,
          uri: aText,
          reference: 'process.engine',
          label: aText,
        },
        applications: [{ id: aText, uri: application, reference: 'LEAVE', label: aText }],
        fallbackGroup: { id: aText, uri: aText, reference: 'EXPENSE-APPROVERS', label: aText },
        endpoints: [],
        snapshotBrake: 20,
        creationDate: aText,
        modificationDate: aText,
      },
    ]);
  });

  it('are seen only by administrators and by their own service account', async () => {
    const listed = async (token: string) =>
      ((await call('GET', SOURCES, undefined, { token })).body as { uri: string }[]).map(
        ({ uri }) => uri,
      );
    expect(await listed(writing.admin)).toEqual([source, foreign]);
    expect(await listed(engine)).toEqual([source]);
    expect(await listed(bruno)).toEqual([]);
    expect((await call('GET', `/api/v2${foreign}`, undefined, { token: engine })).status).toBe(404);
  });

  it('list the endpoints that name them only to administrators', async () => {
    const of = async (uri: string, token: string) =>
      (await call('GET', `/api/v2${uri}`, undefined, { token })).body.endpoints;
    const [first, second] = [
      await create('/api/v2/process/endpoints', { label: 'Worker', mode: 'pull', source }),
      // Bodies of endpoints take names too.
      await create('/api/v2/process/endpoints', {
        label: 'Another worker',
        mode: 'pull',
        source: 'CAMUNDA',
        applications: ['LEAVE'],
        account: 'process.engine',
      }),
    ];
    expect(second).toMatchObject({
      source: { uri: source },
      applications: [{ reference: 'LEAVE' }],
      account: { reference: 'process.engine' },
    });
    const ref = ({ id, uri, reference, label }: Record<string, unknown>) => ({
      ...{ id, uri, reference, label },
    });
    expect(await of(source, writing.admin)).toEqual([ref(second), ref(first)]);
    expect(await of(source, engine)).toEqual([]);
    expect(await of(foreign, writing.admin)).toEqual([]);
    expect((await patch(source, { endpoints: [] })).body.fields).toMatchObject([
      { message: "operation 0 (add): 'endpoints' is read-only" },
    ]);
    const named = `/api/v2/process/endpoints/${String(second.reference)}`;
    expect((await call('GET', named)).body).toMatchObject({ uri: second.uri });
    const unknown = [{ op: 'add', path: '/applications/-', value: 'NO-SUCH' }];
    expect(refusal(await call('PATCH', named, unknown))).toEqual(
      fault('applications', "there is no application 'NO-SUCH'"),
    );
    // What a GET answered changes nothing as a PUT, and a source in use stays.
    const { body } = await call('GET', `/api/v2${source}`);
    expect((await call('PUT', `/api/v2${source}`, body)).body).toEqual(body);
    expect((await call('DELETE', `/api/v2${source}`)).status).toBe(409);
    for (const { uri } of [first, second])
      expect((await call('DELETE', `/api/v2${uri}`)).status).toBe(204);
  });

  it('can be written only by administrators', async () => {
    for (const token of [engine, bruno])
      expect((await call('POST', SOURCES, { label: 'Mine' }, { token })).status).toBe(403);
    expect((await patch(source, { label: 'Mine' }, engine)).status).toBe(403);
    expect(refusal(await patch(source, { snapshotBrake: 101 }))).toEqual(
      fault('snapshotBrake', 'must be a whole number from 0 to 100'),
    );
  });

  it.each([
    ['2', 'must not be a number: paths take an id or a reference'],
    ['A:B', 'must not contain a colon: it ends the name of a source in paths'],
  ])('take no reference that paths read otherwise: %s', async (reference, message) => {
    const post = await call('POST', SOURCES, { label: 'Ambiguous', reference });
    expect(refusal(post)).toEqual(fault('reference', message));
    expect(refusal(await patch(source, { reference }))).toEqual(fault('reference', message));
  });

  it('have another person as their account only by who may act for people', async () => {
    await create('/api/v2/directory/role-assignments', {
      ...{ user: 'sophie.bohm', role: 'process-owner' },
    });
    await create('/api/v2/directory/service-accounts', { login: 'feeder', title: 'Feeder' });
    const token = await server.signInForLong('sophie.bohm');
    const make = (reference: string, serviceAccount: string | null) =>
      call('POST', SOURCES, { reference, label: 'Fed', serviceAccount }, { token });
    const refused = await make('BY-ALICE', 'alice.martin');
    expect([refused.status, refused.body]).toMatchObject([
      ...[403, { reason: 'missing-permission', parameters: { permission: 'users:act-for' } }],
    ]);
    for (const [reference, account] of [
      ['BY-FEEDER', 'feeder'],
      ['BY-SOPHIE', 'sophie.bohm'],
      ['BY-NOBODY', null],
    ] as const)
      expect((await make(reference, account)).status).toBe(201);
    const changed = await patch(
      '/process/sources/BY-SOPHIE',
      { serviceAccount: 'alice.martin' },
      token,
    );
    expect(changed.status).toBe(403);
    const path = '/process/sources/BY-ALICE';
    await create(SOURCES, { reference: 'BY-ALICE', label: 'Fed', serviceAccount: 'alice.martin' });
    expect((await patch(path, { label: 'Other' }, token)).status).toBe(200);
  });

  it('keep the application that they name, and the account', async () => {
    const { uri } = await create('/api/v2/navigation/applications', {
      title: 'Only of a source',
      type: 'PROCESS',
    });
    const { uri: owner } = await create(SOURCES, { label: 'Owner', applications: [uri] });
    expect(refusal(await call('DELETE', `/api/v2${uri}`))).toEqual([
      409,
      { code: 409, message: '1 source refers to it (as application)' },
    ]);
    expect((await call('DELETE', `/api/v2${owner}`)).status).toBe(204);
    expect((await call('DELETE', `/api/v2${uri}`)).status).toBe(204);
  });
});

describe('names in the bodies of tasks and sources', () => {
  it('stand for people, groups, applications and sources, in POST, PUT and PATCH', async () => {
    const { uri } = await create(SOURCES, {
      label: 'By names',
      serviceAccount: 'process.engine',
      applications: ['LEAVE', application, { reference: 'EXPENSES' }],
      fallbackGroup: 'HIRING',
    });
    const named = (await call('GET', `/api/v2${uri}`)).body;
    expect(named).toMatchObject({
      serviceAccount: { reference: 'process.engine' },
      applications: [{ reference: 'EXPENSES' }, { reference: 'LEAVE' }],
      fallbackGroup: { reference: 'HIRING' },
    });
    const body = {
      title: 'Named',
      application: 'LEAVE',
      assignee: 'Bruno.Keller',
      source: 'CAMUNDA',
    };
    const task = await create(TASKS, body);
    expect(task).toMatchObject({
      application: { uri: application },
      assignee: { reference: 'bruno.keller' },
      source: { uri: source },
    });
    const patched = await patch(task.uri, { assignee: 'chloe.lefevre' });
    expect(patched.body).toMatchObject({ assignee: { reference: 'chloe.lefevre' } });
    const put = await call('PUT', `/api/v2${task.uri}`, { ...body, group: 'HIRING' });
    expect(put.body).toMatchObject({
      assignee: { reference: 'bruno.keller' },
      group: { reference: 'HIRING' },
    });
    const again = { ...put.body, assignee: 'BRUNO.KELLER', group: { reference: 'HIRING' } };
    const unchanged = await call('PUT', `/api/v2${task.uri}`, again);
    expect([unchanged.status, unchanged.headers.etag]).toEqual([200, put.headers.etag]);
  });

  it('are refused when they fit nothing that the caller sees', async () => {
    const body = { title: 'Named', application: 'NO-SUCH' };
    expect(refusal(await call('POST', TASKS, body))).toEqual(
      fault('application', "there is no application 'NO-SUCH'"),
    );
    const hidden = { title: 'Named', application: 'LEAVE', source: 'CAMUNDA', assignee: '7x' };
    expect(refusal(await call('POST', TASKS, hidden))).toEqual(
      fault('assignee', "there is no user '7x'"),
    );
    // All faults at once; a text that is no name has a message of its own.
    const { body: many } = await call('POST', TASKS, {
      ...body,
      assignee: { id: 'bruno.keller' },
      candidates: ['nobody', 'bruno.keller', { id: 'x' }, { reference: 'NO-GROUP' }],
    });
    expect(many.fields).toEqual([
      { name: 'assignee', message: 'must be an id or a URI such as /directory/users/1' },
      {
        name: 'candidates',
        message: '[2] must be an id or a URI such as /directory/users/1 or /directory/groups/1',
      },
      { name: 'application', message: "there is no application 'NO-SUCH'" },
      { name: 'candidates', message: "there is no user or group 'nobody'" },
      { name: 'candidates', message: "there is no user or group 'NO-GROUP'" },
    ]);
  });
});

describe('a task of a source', () => {
  it('keeps the ids, the version and the variables that the source gave it', async () => {
    const { uri } = await newTask({
      externalId: 'proc-1/approve',
      sourceVersion: 1795400003000,
      correlationId: 'order-17',
      followUpDate: '2031-01-02T03:04:05Z',
      variables: [
        { name: 'days', value: 12 },
        { name: 'by', label: 'Asked for by', value: { z: null, a: ['é', 1.5, false] } },
      ],
      outcomes: [{ name: 'approve' }, REJECT],
    });
    const { body } = await call('GET', `/api/v2${uri}`);
    expect(body).toMatchObject({
      source: { uri: source, reference: 'CAMUNDA', label: 'Camunda' },
      externalId: 'proc-1/approve',
      sourceVersion: 1795400003000,
      correlationId: 'order-17',
      followUpDate: '2031-01-02T03:04:05.000Z',
      outcome: null,
      closedBy: null,
      comment: null,
    });
    expect(body.variables).toEqual([
      { name: 'days', label: 'days', value: 12 },
      { name: 'by', label: 'Asked for by', value: { z: null, a: ['é', 1.5, false] } },
    ]);
    expect(body.outcomes).toEqual([APPROVE, REJECT]);
    // What a GET answered changes nothing as a PUT.
    const { headers, body: replaced } = await call('PUT', `/api/v2${uri}`, body);
    expect([headers.etag, replaced]).toEqual(['"1"', body]);
    // Everybody who sees the task learns where it comes from.
    const seen = await call('GET', `/api/v2${uri}`, undefined, { token: bruno });
    expect(seen.body).toMatchObject({ source: { uri: source }, externalId: 'proc-1/approve' });
    const filters = encodeURIComponent('externalId:eq:proc-1/approve');
    const found = await call('GET', `${TASKS}?filters=${filters}`, undefined, { token: bruno });
    expect(found.body).toEqual([expect.objectContaining({ uri })]);
  });

  it('keeps the translations of its outcomes, in POST, PUT and PATCH', async () => {
    const translations = { de: { label: 'Ja' }, fr: { label: 'Oui' } };
    const given = { fr: { label: 'Oui' }, en: { label: ' ' }, de: { label: 'Ja' } };
    const { uri, outcomes } = await newTask({
      outcomes: [
        { name: 'yes', translations: given },
        { name: 'no', translations: { en: null } },
      ],
    });
    const yes = { name: 'yes', label: 'yes', commentRequired: false, confirm: false };
    const no = { ...yes, name: 'no', label: 'no' };
    expect(outcomes).toEqual([{ ...yes, translations }, no]);
    // The main API answers the label itself, in lists and for people of all languages.
    const listed = await call('GET', `${TASKS}?filters=id:eq:${uri.split('/').at(-1)}`);
    expect(listed.body).toEqual([
      expect.objectContaining({ outcomes: [{ ...yes, translations }, no] }),
    ]);
    const read = await call('GET', `/api/v2${uri}`);
    const put = await call('PUT', `/api/v2${uri}`, read.body);
    expect([put.headers.etag, put.body]).toEqual(['"1"', read.body]);
    const patched = await call('PATCH', `/api/v2${uri}`, [
      { op: 'add', path: '/outcomes/1/translations', value: { fr: { label: 'Non' } } },
      { op: 'remove', path: '/outcomes/0/translations' },
    ]);
    expect(patched.body.outcomes).toEqual([yes, { ...no, translations: { fr: { label: 'Non' } } }]);
    expect(patched.headers.etag).toBe('"2"');
    const replaced = await call('PUT', `/api/v2${uri}`, {
      ...patched.body,
      outcomes: [{ name: 'yes', translations: given }],
    });
    expect(replaced.body.outcomes).toEqual([{ ...yes, translations }]);
  });

  it('is the only one with its external id in its source', async () => {
    const externalId = 'twice';
    await newTask({ externalId });
    const again = { title: 'Again', application, source, externalId };
    expect(refusal(await call('POST', TASKS, again))).toEqual([
      409,
      { code: 409, message: 'The externalId is taken' },
    ]);
    expect((await call('POST', TASKS, { ...again, source: foreign })).status).toBe(201);
    expect(refusal(await call('POST', TASKS, { ...again, source: null }))).toEqual(
      fault('source', 'is required'),
    );
  });

  it.each([
    ['variables', 'x', 'must be an array of at most 100 variables'],
    ['variables', [{ name: 'a' }], '[0] must be an object with name, label and value'],
    [
      'variables',
      [{ name: 'a', value: 1, x: 1 }],
      '[0] must be an object with name, label and value',
    ],
    ['variables', [{ name: '', value: 1 }], '[0] must be an object with a name that is not empty'],
    [
      'variables',
      [{ name: 'a', value: 1, label: 7 }],
      '[0] label must be a string of at most 200 characters',
    ],
    [
      'variables',
      ['a', 'a'].map((name) => ({ name, value: 1 })),
      'must be an array in which no two have the same name',
    ],
    ['variables', [{ name: 'a', value: 'é'.repeat(8_200) }], 'must have at most 16 KiB as JSON'],
    ['outcomes', [...'abcdef'].map((name) => ({ name })), 'must be an array of at most 5 outcomes'],
    [
      'outcomes',
      [{ name: 'a', confirm: 'yes' }],
      '[0] must be an object whose commentRequired and confirm are true or false',
    ],
    [
      'outcomes',
      [
        { name: 'a', translations: { xx: { label: 'A' } } },
        { name: 'b', translations: { fr: { label: 'x'.repeat(101) } } },
        { name: 'c', translations: { fr: { title: 'x' } } },
      ],
      [
        '[0] translations has an unknown language; known: de, en, fr',
        "[1] translations in 'fr': label must be a string of at most 100 characters",
        "[2] translations has an unknown text in 'fr'; known: label",
      ],
    ],
    [
      'outcomes',
      [...'abcde'].map((name) => ({
        name,
        translations: {
          de: { label: 'é'.repeat(100) },
          fr: { label: '字'.repeat(100) },
          en: { label: '字'.repeat(100) },
        },
      })),
      'must have at most 4 KiB as JSON',
    ],
    [
      'variables',
      [{ name: 'order', value: { ids: [1, 2 ** 60] } }],
      '[0] has a number that JSON readers alter; send it as a text: order',
    ],
    ['sourceVersion', 1.5, 'must be a whole number from 0 to 9007199254740991'],
    ['externalId', 'x'.repeat(201), 'must be a string of at most 200 characters'],
  ])('refuses wrong %s (%#)', async (name, value, rules) => {
    const body = { title: 'Bad', application, source, [name]: value };
    expect(refusal(await call('POST', TASKS, body))).toEqual(fault(name, ...[rules].flat()));
  });

  it('can be written by no process engine but the service account of its source', async () => {
    const refused = [
      403,
      { code: 403, message: 'Only the service account of its source may write this task' },
    ];
    const body = { title: 'Of an engine', application, externalId: 'engine-1' };
    const post = (of: string) => call('POST', TASKS, { ...body, source: of }, { token: engine });
    expect(refusal(await post(foreign))).toEqual(refused);
    const { status, body: task } = await post(source);
    expect(status).toBe(201);
    const uri = String(task.uri);
    expect((await patch(uri, { title: 'Changed' }, engine)).status).toBe(200);
    expect(refusal(await patch(uri, { source: foreign }, engine))).toEqual(refused);
    const other = await newTask({ source: foreign });
    expect(refusal(await patch(other.uri, { title: 'Mine' }, engine))).toEqual(refused);
    expect(refusal(await patch(other.uri, { source }, engine))).toEqual(refused);
    expect(refusal(await call('DELETE', `/api/v2${uri}`, undefined, { token: engine }))).toEqual([
      403,
      { code: 403, message: 'Only administrators delete tasks of a source' },
    ]);
    expect((await call('DELETE', `/api/v2${uri}`)).status).toBe(204);
  });
});

describe('the service account of a source', () => {
  it('takes no reference that the server gives to a later task', async () => {
    const body = { title: 'In advance', application, source, externalId: 'in-advance' };
    const post = (reference: string) =>
      call('POST', TASKS, { ...body, reference }, { token: engine });
    for (const reference of ['TASK-987654', 'täsk-987654'])
      expect(refusal(await post(reference))).toEqual(
        fault('reference', 'TASK- and a number is a reference that the server gives'),
      );
    const { status, body: task } = await post('TASK-A1');
    expect(status).toBe(201);
    expect((await patch(String(task.uri), { reference: 'TASK-987654' }, engine)).status).toBe(400);
    const { uri, reference } = await newTask();
    expect((await patch(uri, { reference }, engine)).status).toBe(200);
  });

  const by = (path: string, changes: Record<string, unknown>) =>
    patch(path, changes, engine).then(refusal);

  it('does not change the source of a task that exists, neither its own nor one without', async () => {
    const refused = [
      403,
      { code: 403, message: 'Only administrators change the source of a task' },
    ];
    const { uri } = await newTask();
    expect(await by(uri, { source: null, externalId: null })).toEqual(refused);
    const { uri: free } = await newTask({ source: null, externalId: null });
    expect(await by(free, { source })).toEqual(refused);
    expect((await patch(uri, { source: null, externalId: null })).status).toBe(200);
    expect((await patch(free, { source })).status).toBe(200);
  });

  it('writes only tasks that are and stay in the applications of the source', async () => {
    const other = await uriOf(server, 'applications', 'TRAVEL');
    const wrong = fault('application', 'is not an application of the source');
    const body = { title: 'Elsewhere', application: other, source, externalId: 'elsewhere' };
    expect(refusal(await call('POST', TASKS, body, { token: engine }))).toEqual(wrong);
    const { uri } = await newTask();
    expect(await by(uri, { application: other })).toEqual(wrong);
    const moved = await newTask({ application: other });
    expect(await by(moved.uri, { application })).toEqual([
      403,
      { code: 403, message: 'The application of this task is not one of its source' },
    ]);
  });
});

describe('closing a task', () => {
  it('says who closed it and when, until it is open again', async () => {
    const { uri } = await newTask();
    const done = await patch(uri, { status: 'done', comment: 'Have fun' }, bruno);
    const closedBy = await uriOf(server, 'users', 'bruno.keller');
    expect([done.status, done.headers.etag]).toEqual([200, '"2"']);
    expect(done.body).toMatchObject({
      status: 'done',
      closedBy: { uri: closedBy, reference: 'bruno.keller' },
      completionDate: aText,
      comment: 'Have fun',
      outcome: null,
    });
    const id = closedBy.split('/').at(-1);
    const listed = await call('GET', `${TASKS}?filters=closedBy:eq:${id}`);
    expect(listed.body).toEqual([expect.objectContaining({ uri })]);
    const open = await patch(uri, { status: 'open' }, bruno);
    expect(open.body).toMatchObject({ closedBy: null, completionDate: null, comment: null });
    const cancelled = await patch(uri, { status: 'cancelled' });
    expect(cancelled.body).toMatchObject({ closedBy: { reference: 'alice.martin' } });
    expect(cancelled.body.completionDate).toBeNull();
  });

  it('takes one of its outcomes, with a comment where the outcome wants one', async () => {
    const { uri } = await newTask({ outcomes: [{ name: 'approve' }, REJECT] });
    const decide = (changes: object) => patch(uri, { status: 'done', ...changes }, bruno);
    expect(refusal(await decide({}))).toEqual(fault('outcome', 'is required'));
    expect(refusal(await decide({ outcome: 'maybe' }))).toEqual(
      fault('outcome', "must be 'approve' or 'reject'"),
    );
    for (const comment of [' ', '\u200b', '\u00a0\u2060\n'])
      expect(refusal(await decide({ outcome: 'reject', comment }))).toEqual(
        fault('comment', 'is required'),
      );
    expect(refusal(await patch(uri, { outcome: 'approve' }, bruno))).toEqual(
      fault('outcome', 'needs the status done'),
    );
    const done = await decide({ outcome: 'reject', comment: 'Too many' });
    expect([done.status, done.body]).toEqual([
      200,
      expect.objectContaining({ outcome: 'reject', comment: 'Too many', closedBy: anObject }),
    ]);
    const open = await patch(uri, { status: 'open' }, bruno);
    expect(open.body).toMatchObject({ outcome: null, comment: null, closedBy: null });
    const plain = await newTask();
    expect(refusal(await patch(plain.uri, { status: 'done', outcome: 'approve' }, bruno))).toEqual(
      fault('outcome', 'must be left out: the task has no outcomes'),
    );
  });

  it('is not rewritten by others, and keeps to the rules of its outcomes', async () => {
    const group = await uriOf(server, 'groups', 'HIRING');
    const { uri } = await newTask({ group, outcomes: [{ name: 'approve' }, REJECT] });
    const decision = { status: 'done', outcome: 'reject', comment: 'Too many' };
    expect((await patch(uri, decision, bruno)).status).toBe(200);
    await server.database.query(
      `UPDATE tasks SET assignee_id = (SELECT id FROM users WHERE login = 'chloe.lefevre') WHERE id = $1`,
      [uri.split('/').at(-1)],
    );
    const chloe = await server.signIn('chloe.lefevre');
    const closed = [409, { code: 409, message: 'Bruno Keller has closed the task' }];
    for (const change of [{ outcome: 'approve' }, { comment: 'Mine' }, { comment: null }])
      expect(refusal(await patch(uri, change, chloe))).toEqual(closed);
    await server.database.query(
      `UPDATE tasks SET assignee_id = (SELECT id FROM users WHERE login = 'bruno.keller') WHERE id = $1`,
      [uri.split('/').at(-1)],
    );
    expect(refusal(await patch(uri, { comment: null }, bruno))).toEqual(
      fault('comment', 'is required'),
    );
    expect(refusal(await patch(uri, { outcome: null }, bruno))).toEqual(
      fault('outcome', 'is required'),
    );
    expect((await patch(uri, { comment: 'Far too many' }, bruno)).status).toBe(200);
    await server.database.query('UPDATE tasks SET closed_by_id = NULL WHERE id = $1', [
      uri.split('/').at(-1),
    ]);
    expect(refusal(await patch(uri, { comment: 'Mine' }, bruno))).toEqual([
      409,
      { code: 409, message: 'The task is not open any more' },
    ]);
    const { uri: withdrawn } = await newTask();
    await patch(withdrawn, { status: 'cancelled', comment: 'Order withdrawn' }, engine);
    const overwritten = await patch(withdrawn, { comment: 'Not me' }, bruno);
    expect([overwritten.status, overwritten.body.code]).toEqual([409, 409]);
  });

  it('is a 409 with the reason once the source has cancelled the task', async () => {
    const { uri } = await newTask();
    const cancelled = await patch(uri, { status: 'cancelled', comment: 'Order withdrawn' }, engine);
    expect(cancelled.status).toBe(200);
    expect(refusal(await patch(uri, { status: 'done' }, bruno))).toEqual([
      409,
      { code: 409, message: 'The task has been cancelled: Order withdrawn' },
    ]);
    // What people cancelled themselves they may take back.
    const { uri: own } = await newTask();
    expect((await patch(own, { status: 'cancelled' }, bruno)).status).toBe(200);
    expect((await patch(own, { status: 'open' }, bruno)).status).toBe(200);
  });

  it('does not prevent the deletion of the person who closed it', async () => {
    const { id } = await create('/api/v2/directory/users', {
      login: 'short.stay',
      lastName: 'Stay',
    });
    const { uri } = await newTask();
    await server.database.query('UPDATE tasks SET closed_by_id = $1 WHERE id = $2', [
      id,
      uri.split('/').at(-1),
    ]);
    expect((await call('DELETE', `/api/v2/directory/users/${id}`)).status).toBe(204);
    expect((await call('GET', `/api/v2${uri}`)).body).toMatchObject({ closedBy: null });
  });
});
