import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** What people read of a task: who did what with it, and who has closed it. */

const TASKS = '/api/v2/process/tasks';
const OUTCOMES = [{ name: 'approve' }, { name: 'reject', commentRequired: true }];

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];
let bruno: string;
let engine: string;
let outsider: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create, bruno, engine } = writing);
  outsider = await writing.server.signIn('chloe.lefevre');
  const members = await uriOf(writing.server, 'groups', 'EXPENSE-APPROVERS');
  await call(
    'PUT',
    `/api/v2${members}/members/${await writing.findId('/api/v2/directory/users', 'login:eq:bruno.keller')}`,
  );
  await create('/api/v2/process/sources', {
    reference: 'ENGINE',
    label: 'An engine',
    serviceAccount: 'process.engine',
    applications: ['LEAVE'],
  });
});
afterAll(() => writing.close());

const newTask = (more: object = {}) =>
  create(TASKS, {
    title: 'Approve the leave',
    application: 'LEAVE',
    group: 'EXPENSE-APPROVERS',
    outcomes: OUTCOMES,
    ...more,
  });

const patch = (id: string, values: object, token: string) =>
  call(
    'PATCH',
    `${TASKS}/${id}`,
    Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    { token },
  );

const history = async (id: string, token = bruno) =>
  (await call('GET', `${TASKS}/${id}/history?range=0-200`, undefined, { token })).body as object[];

const BRUNO = expect.objectContaining({
  uri: expect.stringMatching(/^\/directory\/users\/\d+$/),
  reference: 'bruno.keller',
  label: 'Bruno Keller',
});
const aDate = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
const event = (kind: string, by: string | null, more: object = {}) => ({
  kind,
  creationDate: aDate,
  by: by === null ? null : expect.objectContaining({ reference: by }),
  onBehalfOf: null,
  to: null,
  file: null,
  outcome: null,
  comment: null,
  ...more,
});

describe('GET /api/v2/process/tasks/{id}/history', () => {
  it('names the people who created, claimed, released, reassigned, decided and reopened a task', async () => {
    const { id } = await newTask();
    await call('POST', `${TASKS}/${id}/claim`, undefined, { token: bruno });
    await call('POST', `${TASKS}/${id}/release`, undefined, { token: bruno });
    await patch(id, { assignee: 'bruno.keller' }, writing.admin);
    await patch(id, { status: 'done', outcome: 'reject', comment: 'Too long' }, bruno);
    await patch(id, { status: 'open' }, bruno);
    await patch(id, { title: 'Approve a shorter leave' }, writing.admin);
    expect(await history(id)).toEqual([
      event('created', 'alice.martin'),
      event('claimed', 'bruno.keller', { to: BRUNO }),
      event('released', 'bruno.keller'),
      event('reassigned', 'alice.martin', { to: BRUNO }),
      event('decided', 'bruno.keller', { outcome: 'reject', comment: 'Too long' }),
      event('reopened', 'bruno.keller'),
      event('changed', 'alice.martin'),
    ]);
  });

  it('names the person who changed the assignee, and gives events the former values of the task', async () => {
    await create('/api/v2/process/endpoints', { reference: 'HEARS', label: 'Hears', mode: 'pull' });
    const { id } = await newTask({ source: 'ENGINE', externalId: 'moves' });
    await patch(id, { assignee: 'bruno.keller' }, writing.admin);
    await patch(id, { assignee: 'alice.martin' }, writing.admin);
    await patch(id, { group: 'HIRING' }, writing.admin);
    const item = { externalId: 'moves', assignee: 'bruno.keller' };
    expect((await call('PUT', `${TASKS}?source=ENGINE`, [item])).body).toMatchObject({
      updated: 1,
    });
    const kinds = (await history(id)).map((one) => (one as { kind: string }).kind);
    expect(kinds).toEqual(['created', 'reassigned', 'claimed', 'reassigned', 'changed']);
    await eventually(async () => {
      const path = `/api/v2/process/endpoints/HEARS/deliveries?filters=task:eq:${id}`;
      expect((await call('GET', path)).body).toMatchObject([
        { kind: 'task.created' },
        { kind: 'task.claimed' },
        { kind: 'task.reassigned' },
        { kind: 'task.reassigned' },
        { kind: 'task.reassigned' },
      ]);
    });
    expect((await call('DELETE', '/api/v2/process/endpoints/HEARS')).status).toBe(204);
  });

  it('has no cancellation by a source that came after the decision', async () => {
    const push = (items: object[]) =>
      call('PUT', `${TASKS}?source=ENGINE`, items, { token: engine });
    const task = {
      externalId: 'late',
      title: 'Late',
      application: 'LEAVE',
      assignee: 'bruno.keller',
    };
    await push([task]);
    const id = await writing.findId(TASKS, 'externalId:eq:late');
    await patch(id, { status: 'done' }, bruno);
    await push([{ ...task, status: 'cancelled' }]);
    expect(await history(id)).toEqual([
      event('created', 'process.engine'),
      event('decided', 'bruno.keller'),
      event('changed', 'process.engine'),
    ]);
  });

  it('begins with the creation of a task that plain SQL has created, and is a 404 for users who do not see it', async () => {
    const [row] = await writing.server.database.query<{ id: string }>(
      `INSERT INTO tasks (title, application_id, assignee_id)
       SELECT 'By SQL', a.id, u.id FROM applications a, users u WHERE a.reference = 'LEAVE' AND u.login = 'bruno.keller'
       RETURNING id::text`,
    );
    expect(await history(row!.id)).toEqual([event('created', null)]);
    const path = `${TASKS}/${row!.id}/history`;
    expect((await call('GET', path, undefined, { token: outsider })).status).toBe(404);
  });
});

describe('the history of a task with many changes', () => {
  /** Writes lines of the audit trail, as writes of the task would. */
  const audit = (id: string, lines: number, before: object | null, after: object | null) =>
    writing.server.database.query(
      `INSERT INTO audit (action, object_uri, before, after)
       SELECT 'update', $1, $3::jsonb, $4::jsonb FROM generate_series(1, $2::int)`,
      [
        `/process/tasks/${id}`,
        lines,
        before && JSON.stringify(before),
        after && JSON.stringify(after),
      ],
    );
  const kinds = async (id: string) =>
    (await history(id)).map((one) => (one as { kind: string }).kind);

  it('keeps the decisions, however many files people add and delete', async () => {
    const { id } = await newTask();
    await patch(id, { status: 'done', outcome: 'approve' }, bruno);
    await patch(id, { status: 'open' }, bruno);
    const file = { file: { id: '1', name: 'a.pdf', size: 1 } };
    await audit(id, 110, null, file);
    await audit(id, 110, file, null);
    const all = await kinds(id);
    expect(all).toHaveLength(200);
    expect(all.slice(0, 4)).toEqual(['created', 'decided', 'reopened', 'attached']);
    expect(all.at(-1)).toBe('detached');
  });

  it('keeps the decisions, however often people take the task and give it back', async () => {
    const { id } = await newTask();
    await patch(id, { status: 'done', outcome: 'approve' }, bruno);
    await patch(id, { status: 'open' }, bruno);
    await audit(id, 110, null, { assignee: null });
    await audit(id, 110, null, { assignee: { id: '1', label: 'A' } });
    const all = await kinds(id);
    expect(all).toHaveLength(200);
    expect(all.slice(0, 4)).toEqual(['created', 'decided', 'reopened', 'released']);
    expect(all.at(-1)).toBe('reassigned');
  });

  it('makes room for the creation of a task that plain SQL has created', async () => {
    const { id } = await newTask();
    const [row] = await writing.server.database.query<{ id: string }>(
      `INSERT INTO tasks (title, application_id, group_id)
       SELECT title, application_id, group_id FROM tasks WHERE id = $1 RETURNING id::text`,
      [id],
    );
    await audit(row!.id, 250, null, { file: { id: '1', name: 'a.pdf', size: 1 } });
    const all = await kinds(row!.id);
    expect([all.length, all[0], all[1]]).toEqual([200, 'created', 'attached']);
  });

  it('has the newest 200, and neither a creation nor a status that are older', async () => {
    const { id } = await newTask();
    await patch(id, { status: 'done', outcome: 'approve' }, bruno);
    await audit(id, 220, { title: 'A' }, { title: 'B' });
    await patch(id, { status: 'open' }, bruno);
    const all = await kinds(id);
    expect([all.length, all[0], all.at(-1)]).toEqual([200, 'changed', 'reopened']);
  });
});

describe('a task that a person has closed', () => {
  it('cannot be decided by another person, and the 409 names the person who closed it', async () => {
    const { id } = await newTask();
    await patch(id, { status: 'done', outcome: 'approve' }, writing.admin);
    for (const values of [
      { status: 'done', outcome: 'reject', comment: 'No' },
      { status: 'cancelled', outcome: null },
      { comment: 'No' },
    ]) {
      const late = await patch(id, values, bruno);
      expect([late.status, late.body]).toEqual([
        409,
        { code: 409, message: 'Alice Martin has closed the task' },
      ]);
    }
    expect((await patch(id, { status: 'open' }, bruno)).status).toBe(200);
    expect((await patch(id, { status: 'done', outcome: 'approve' }, bruno)).status).toBe(200);
    expect((await patch(id, { outcome: 'reject', comment: 'No' }, bruno)).status).toBe(200);
  });

  it('lists its outcomes, so that people can decide in lists', async () => {
    const { uri } = await newTask({ title: 'In a list' });
    const path = `${TASKS}/waiting?filters=title:eq:In a list`.replaceAll(' ', '%20');
    const { body } = await call('GET', path, undefined, { token: bruno });
    expect(body).toMatchObject([{ uri, outcomes: OUTCOMES }]);
    expect(body[0]).not.toHaveProperty('variables');
  });
});
