import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** One action on several tasks. */

const TASKS = '/api/v2/process/tasks';
const OUTCOMES = [{ name: 'approve' }, { name: 'reject', commentRequired: true }];

let writing: WritingServer;
let call: WritingServer['call'];
let bruno: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, bruno } = writing);
  await writing.server.database.query(
    `INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM groups g, users u
     WHERE g.reference = 'HIRING' AND u.login = 'bruno.keller' ON CONFLICT DO NOTHING`,
  );
});
afterAll(() => writing.close());

const newTask = async (more: object = {}) =>
  (
    await writing.create(TASKS, {
      title: 'One of several',
      application: 'LEAVE',
      assignee: 'bruno.keller',
      outcomes: OUTCOMES,
      ...more,
    })
  ).id;
const act = (body: object, token = bruno) => call('POST', `${TASKS}/bulk`, body, { token });
const task = async (id: string) => (await call('GET', `${TASKS}/${id}`)).body;
const refOf = (id: string) => ({
  id,
  uri: `/process/tasks/${id}`,
  reference: expect.any(String) as unknown,
  label: 'One of several',
});
const done = (id: string, name = id) => ({
  task: refOf(id),
  name,
  result: 'done',
  message: null,
  fields: [],
});
const refused = (id: string, message: string, fields: object[] = []) => ({
  task: refOf(id),
  name: id,
  result: 'refused',
  message,
  fields,
});

/** The result for a task that the caller does not see. */
const unseen = (name: string) => ({ ...refused(name, 'Not found'), task: null });

describe('POST /api/v2/process/tasks/bulk', () => {
  it('completes each task on its own, and says of each whether and why not', async () => {
    const fine = await newTask();
    const cancelled = await newTask();
    const closed = await newTask();
    const foreign = await newTask({ assignee: 'chloe.lefevre' });
    const other = await newTask({ outcomes: [{ name: 'sign' }] });
    const change = (id: string, values: object) =>
      call(
        'PATCH',
        `${TASKS}/${id}`,
        Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      );
    await change(cancelled, { status: 'cancelled', comment: 'Withdrawn' });
    await change(closed, { status: 'done', outcome: 'reject', comment: 'No' });
    const tasks = [fine, cancelled, closed, foreign, other, fine];
    const { status, body } = await act({ action: 'complete', outcome: 'approve', tasks });
    const wrong = { name: 'outcome', message: "must be 'sign'" };
    expect([status, body]).toEqual([
      200,
      [
        done(fine),
        refused(cancelled, 'The task has been cancelled: Withdrawn'),
        refused(closed, 'Alice Martin has closed the task'),
        unseen(foreign),
        refused(other, 'Invalid: outcome', [wrong]),
        refused(fine, 'Bruno Keller has closed the task'),
      ],
    ]);
    expect(await task(fine)).toMatchObject({ status: 'done', outcome: 'approve' });
    expect(await task(other)).toMatchObject({ status: 'open' });
  });

  it('continues after a task that another person holds, and reports each result', async () => {
    const [first, held, last] = [await newTask(), await newTask(), await newTask()];
    const { database } = writing.server;
    await database.query(`BEGIN; SELECT 1 FROM tasks WHERE id = ${held} FOR UPDATE`);
    const { status, body } = await act({
      action: 'complete',
      outcome: 'approve',
      tasks: [first, held, last],
    });
    await database.query('ROLLBACK');
    expect([status, body]).toEqual([
      200,
      [
        done(first),
        { ...refused(held, 'The service is temporarily unavailable'), task: null },
        done(last),
      ],
    ]);
    expect((await task(held)).status).toBe('open');
    expect((await task(last)).status).toBe('done');
  });

  it('closes nothing for administrators either that was closed in the meantime', async () => {
    const id = await newTask({ status: 'cancelled' });
    const { body } = await act(
      { action: 'complete', outcome: 'approve', tasks: [id] },
      writing.admin,
    );
    expect(body).toEqual([refused(id, 'The task has been cancelled')]);
    expect((await task(id)).status).toBe('cancelled');
  });

  it('takes tasks and gives them back', async () => {
    const [first, second] = [
      await newTask({ assignee: null, group: 'HIRING' }),
      await newTask({ assignee: 'chloe.lefevre', group: 'HIRING' }),
    ];
    const { label } = (await task(second)).assignee as { label: string };
    const tasks = [first, second];
    expect((await act({ action: 'claim', tasks })).body).toEqual([
      done(first),
      refused(second, `${label} has taken the task`),
    ]);
    expect((await act({ action: 'release', tasks })).body).toEqual([
      done(first),
      refused(second, 'Only the assignee gives a task back'),
    ]);
    expect((await task(first)).assignee).toBe(null);
  });

  it('accepts references, URIs and external ids with their source, and rejects only unknown tasks', async () => {
    await writing.create('/api/v2/process/sources', { label: 'An engine', reference: 'ERP' });
    const [first, second, third, foreign] = [
      await newTask(),
      await newTask({ source: 'ERP', externalId: 'a:b/c d' }),
      await newTask(),
      await newTask({ assignee: 'chloe.lefevre', reference: 'NOT-YOURS' }),
    ];
    const tasks = [
      `TASK-${first}`,
      'no-such',
      'ERP:a:b/c d',
      'ERP:nothing',
      `/process/tasks/${third}`,
      'NOT-YOURS',
      foreign,
      '999999',
    ];
    const { status, body } = await act({ action: 'complete', outcome: 'approve', tasks });
    expect([status, body]).toEqual([
      200,
      [
        done(first, `TASK-${first}`),
        unseen('no-such'),
        done(second, 'ERP:a:b/c d'),
        unseen('ERP:nothing'),
        done(third, `/process/tasks/${third}`),
        unseen('NOT-YOURS'),
        unseen(foreign),
        unseen('999999'),
      ],
    ]);
    expect(await task(foreign)).toMatchObject({ status: 'open' });
  });

  it('assigns tasks to a person, to a group or back, with a line of the trail for each', async () => {
    const [first, second, closed] = [
      await newTask(),
      await newTask({ assignee: null, group: 'HIRING' }),
      await newTask({ status: 'cancelled' }),
    ];
    const assign = (tasks: string[], to: unknown, token = writing.admin) =>
      act({ action: 'assign', tasks, to }, token);
    const { status, body } = await assign([first, second, closed, '999999'], 'chloe.lefevre');
    expect([status, body]).toEqual([
      200,
      [done(first), done(second), refused(closed, 'The task has been cancelled'), unseen('999999')],
    ]);
    const chloe = { assignee: { reference: 'chloe.lefevre' } };
    expect(await task(first)).toMatchObject(chloe);
    expect(await task(second)).toMatchObject({ ...chloe, group: { reference: 'HIRING' } });
    const history = (await call('GET', `${TASKS}/${second}/history`)).body as object[];
    expect(history.at(-1)).toMatchObject({
      ...{ kind: 'reassigned', by: { reference: 'alice.martin' }, to: chloe.assignee },
    });
    await assign([second], 'fallback');
    expect(await task(second)).toMatchObject({ assignee: null });
    await assign([first], { group: 'HIRING' });
    expect(await task(first)).toMatchObject({ assignee: null, group: { reference: 'HIRING' } });
    expect((await assign([first], 'bruno.keller', bruno)).status).toBe(403);
  });

  it('assigns with a role that is confined to an organization only what stays there', async () => {
    const organization = await writing.create('/api/v2/directory/organizations', { label: 'Desk' });
    const person = { lastName: 'Desk', status: 1, organization: organization.uri };
    for (const login of ['desk.one', 'desk.two'])
      await writing.create('/api/v2/directory/users', { ...person, login });
    await writing.create('/api/v2/directory/role-assignments', {
      ...{ user: 'chloe.lefevre', role: 'helpdesk', organization: organization.uri },
    });
    const desk = await writing.server.signInForLong('chloe.lefevre');
    const id = await newTask({ assignee: 'desk.one' });
    const assign = async (to: unknown) =>
      (await act({ action: 'assign', tasks: [id], to }, desk)).body as unknown;
    const out = refused(
      id,
      'You have no access to this endpoint or resource: it needs tasks:change',
    );
    expect(await assign('alice.martin')).toEqual([out]);
    expect(await assign({ group: 'HIRING' })).toEqual([out]);
    expect(await task(id)).toMatchObject({ assignee: { reference: 'desk.one' }, group: null });
    expect(await assign('desk.two')).toEqual([done(id)]);
    const handOver = async (to: string) =>
      (await call('POST', '/api/v2/directory/users/desk.two/handover', { to }, { token: desk }))
        .body as unknown;
    expect(await handOver('alice.martin')).toMatchObject({ tasks: 0, remaining: { tasks: 1 } });
    expect(await task(id)).toMatchObject({ assignee: { reference: 'desk.two' } });
    expect(await handOver('desk.one')).toMatchObject({ tasks: 1, remaining: { tasks: 0 } });
  });

  it('assigns the open tasks that match filters, at most 1,000', async () => {
    await writing.server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, priority)
       SELECT 'Many', a.id, u.id, 77 FROM applications a, users u, generate_series(1, 1002)
       WHERE a.reference = 'LEAVE' AND u.login = 'bruno.keller'`,
    );
    await newTask({ priority: 77, status: 'cancelled' });
    const assign = () =>
      act(
        {
          ...{ action: 'assign', to: 'alice.martin' },
          filters: ['priority:eq:77', 'assignee.login:eq:bruno.keller'],
        },
        writing.admin,
      );
    const first = await assign();
    expect([first.status, first.body.length, first.headers['x-warning']]).toEqual([
      200,
      1000,
      'only the first 1000 tasks',
    ]);
    expect(new Set(first.body.map(({ result }: { result: string }) => result))).toEqual(
      new Set(['done']),
    );
    const second = await assign();
    expect([second.body.length, second.headers['x-warning']]).toEqual([2, undefined]);
    expect((await assign()).body).toEqual([]);
    const bad = await act(
      { action: 'assign', to: 'alice.martin', filters: ['nothing:eq:1'] },
      writing.admin,
    );
    expect([bad.status, bad.body.fields[0].name]).toEqual([400, 'filters']);
  });

  it('leaves a task that no longer matches the filters when its turn comes', async () => {
    const free = { assignee: null, group: 'HIRING', priority: 78 };
    const [taken, left] = [await newTask(free), await newTask(free)];
    const { database } = writing.server;
    await database.query(
      `BEGIN; UPDATE tasks SET assignee_id = (SELECT id FROM users WHERE login = 'bruno.keller') WHERE id = ${taken}`,
    );
    const filters = ['priority:eq:78', 'assignee:isempty:'];
    const assigned = act({ action: 'assign', to: 'chloe.lefevre', filters }, writing.admin);
    await eventually(async () => {
      const waiting = await database.query(
        'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid',
      );
      expect(waiting).toHaveLength(1);
    });
    await database.query('COMMIT');
    expect((await assigned).body).toEqual([done(left)]);
    expect((await task(taken)).assignee).toMatchObject({ reference: 'bruno.keller' });
  });

  it('refuses a call without an action, with an unknown one, or with too many tasks', async () => {
    const { status, body } = await act({ action: 'burn', tasks: [] });
    expect([status, body.fields]).toEqual([
      400,
      [
        { name: 'action', message: "must be 'claim', 'release', 'complete' or 'assign'" },
        { name: 'tasks', message: 'must be an array of 1 to 1000 tasks' },
      ],
    ]);
    const messages = async (call: object) =>
      (await act(call)).body.fields.map(({ name, message }: Record<string, string>) => [
        name,
        message,
      ]);
    expect(await messages({ action: 'claim', to: 'bruno.keller' })).toEqual([
      ['tasks', 'must be an array of 1 to 100 tasks'],
      ['to', 'is for the action assign alone'],
    ]);
    expect(await messages({ action: 'assign' })).toEqual([
      ['to', 'is required'],
      ['tasks', 'must be given, or filters, and not both'],
    ]);
    const many = Array.from({ length: 101 }, (_, at) => String(at + 1));
    expect((await act({ action: 'claim', tasks: many })).status).toBe(400);
    expect((await act({ action: 'claim', tasks: [''] })).status).toBe(400);
    expect((await act({ action: 'claim', tasks: [7] })).status).toBe(400);
  });
});
