import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** What a person who leaves has, and who gets it. */

const USERS = '/api/v2/directory/users';
const TASKS = '/api/v2/process/tasks';
const NOTHING = { tasks: 0, candidatures: 0, substitutions: 0 };
const DAY = 86_400_000;

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];
let helpdesk: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create } = writing);
  await create('/api/v2/directory/role-assignments', {
    user: 'chloe.lefevre',
    role: 'helpdesk',
  });
  helpdesk = await writing.server.signInForLong('chloe.lefevre');
});
afterAll(() => writing.close());

let last = 0;
const newPerson = async () => {
  const login = `leaver.${++last}`;
  const { id } = await create(USERS, {
    login,
    firstName: 'Lea',
    lastName: `Leaver ${last}`,
    status: 1,
  });
  return { id, login, uri: `/directory/users/${id}`, label: `Lea Leaver ${last}` };
};
const newTask = async (values: object) =>
  (await create(TASKS, { title: 'Left behind', application: 'LEAVE', ...values })).id;
const task = async (id: string) => (await call('GET', `${TASKS}/${id}`)).body;
const handOver = (login: string, body: object, token = writing.admin) =>
  call('POST', `${USERS}/${login}/handover`, body, { token });
const in30Days = () => new Date(Date.now() + 30 * DAY).toISOString();

describe('GET /api/v2/directory/users/{id}/responsibilities', () => {
  it('counts what waits for a person or is in the name of the person', async () => {
    const { login } = await newPerson();
    await newTask({ assignee: login });
    await newTask({ assignee: login });
    await newTask({ assignee: login, status: 'done' });
    await newTask({ candidates: [login] });
    await create('/api/v2/process/absences', {
      ...{ user: 'bruno.keller', substitute: login },
      ...{ startDate: new Date().toISOString(), endDate: in30Days() },
    });
    const group = await create('/api/v2/directory/groups', { label: 'Alone' });
    await call('PUT', `/api/v2/directory/groups/${group.id}/members/${login}`);
    await create('/api/v2/directory/organizations', { label: 'Led', manager: login });
    await create(USERS, { login: `${login}.report`, lastName: 'Report', manager: login });
    await create('/api/v2/process/sources', { label: 'Fed', serviceAccount: login });
    const answer = await call('GET', `${USERS}/${login}/responsibilities`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...{ openTasks: 2, candidatures: 1, substitutions: 1, groups: 1 },
        ...{ people: 1, organizations: 1, sources: 1, providers: 0, endpoints: 0 },
      },
    ]);
  });

  it('is for the person and for those who may read users completely', async () => {
    const { login } = await newPerson();
    const path = (name: string) => `${USERS}/${name}/responsibilities`;
    const get = async (name: string, token: string) =>
      (await call('GET', path(name), undefined, { token })).status;
    expect(await get(login, helpdesk)).toBe(200);
    expect(await get('me', writing.bruno)).toBe(200);
    expect(await get(login, writing.bruno)).toBe(403);
    expect(await get('nobody', writing.bruno)).toBe(404);
  });
});

describe('A user who leaves', () => {
  it('is named in X-Warning with what stays behind, once', async () => {
    const { id, login, uri } = await newPerson();
    await newTask({ assignee: login });
    const set = (status: number) =>
      call('PATCH', `${USERS}/${id}`, [{ op: 'replace', path: '/status', value: status }]);
    expect((await set(0)).headers['x-warning']).toBe(`${uri} still has openTasks 1`);
    expect((await set(3)).headers['x-warning']).toBe(undefined);
    await set(1);
    expect((await set(3)).headers['x-warning']).toBe(`${uri} still has openTasks 1`);
  });

  it('is named in X-Warning by a deletion, which rows that refer to the person refuse', async () => {
    const { id, login, uri } = await newPerson();
    const group = await create('/api/v2/directory/groups', { label: 'Alone too' });
    await call('PUT', `/api/v2/directory/groups/${group.id}/members/${login}`);
    const kept = await newTask({ assignee: login });
    expect((await call('DELETE', `${USERS}/${id}`)).status).toBe(409);
    await call('DELETE', `${TASKS}/${kept}`);
    const answer = await call('DELETE', `${USERS}/${id}`);
    expect([answer.status, answer.headers['x-warning']]).toEqual([
      204,
      `${uri} still has groups 1`,
    ]);
  });
});

describe('POST /api/v2/directory/users/{id}/handover', () => {
  it('gives tasks, candidatures and substitutions to a person, with a line of the trail for each', async () => {
    const [leaver, heir] = [await newPerson(), await newPerson()];
    const assigned = await newTask({ assignee: leaver.login, candidates: [leaver.login] });
    const offered = await newTask({ candidates: [leaver.login, heir.login] });
    const closed = await newTask({ assignee: leaver.login, status: 'done' });
    const absence = await create('/api/v2/process/absences', {
      ...{ user: 'alice.martin', substitute: leaver.login },
      ...{ startDate: new Date().toISOString(), endDate: in30Days() },
    });
    const { revision } = (
      await writing.server.database.query(`SELECT revision FROM tasks WHERE id = ${offered}`)
    )[0] as { revision: number };
    const { status, body } = await handOver(leaver.login, { to: heir.login });
    expect([status, body]).toEqual([
      200,
      { dryRun: false, tasks: 1, candidatures: 2, substitutions: 1, remaining: NOTHING },
    ]);
    const to = { id: heir.id, uri: heir.uri, reference: heir.login, label: heir.label };
    expect(await task(assigned)).toMatchObject({ assignee: to, candidates: [to] });
    expect(await task(offered)).toMatchObject({ assignee: null, candidates: [to] });
    expect(await task(closed)).toMatchObject({ assignee: { id: leaver.id } });
    const { substitute } = (await call('GET', `/api/v2/process/absences/${absence.id}`)).body;
    expect(substitute).toEqual(to);
    const states = await writing.server.database.query(
      `SELECT object_uri, before, after FROM audit WHERE action = 'update'
        AND object_uri = ANY (ARRAY['/process/tasks/${assigned}', '/process/tasks/${offered}'])
        ORDER BY id`,
    );
    const from = { id: leaver.id, uri: leaver.uri, reference: leaver.login, label: leaver.label };
    expect(states).toEqual([
      {
        object_uri: `/process/tasks/${assigned}`,
        before: { assignee: from, candidates: [from] },
        after: { assignee: to, candidates: [to] },
      },
      {
        object_uri: `/process/tasks/${offered}`,
        before: { candidates: [from, to] },
        after: { candidates: [to] },
      },
    ]);
    expect(
      await writing.server.database.query(`SELECT revision FROM tasks WHERE id = ${offered}`),
    ).toEqual([{ revision: revision + 1 }]);
    const history = (await call('GET', `${TASKS}/${assigned}/history`)).body as object[];
    expect(history.at(-1)).toMatchObject({ kind: 'reassigned', to });
  });

  it('changes nothing in a dry run', async () => {
    const leaver = await newPerson();
    const id = await newTask({ assignee: leaver.login });
    const before = await writing.state('tasks');
    const { body } = await handOver(leaver.login, { to: 'bruno.keller', dryRun: true });
    expect(body).toEqual({ ...NOTHING, dryRun: true, tasks: 1, remaining: NOTHING });
    expect(await writing.state('tasks')).toEqual(before);
    expect((await task(id)).assignee).toMatchObject({ id: leaver.id });
  });

  it('gives tasks to a group, and leaves substitutions', async () => {
    const leaver = await newPerson();
    const id = await newTask({ assignee: leaver.login });
    const offered = await newTask({ candidates: [leaver.login] });
    const { body } = await handOver(leaver.login, { to: { group: 'HIRING' } });
    expect(body).toEqual({
      ...NOTHING,
      dryRun: false,
      tasks: 1,
      candidatures: 1,
      remaining: NOTHING,
    });
    expect(await task(id)).toMatchObject({ assignee: null, group: { reference: 'HIRING' } });
    expect(await task(offered)).toMatchObject({ candidates: [{ reference: 'HIRING' }] });
  });

  it('gives tasks back to their group, their candidates, or the fallback group of their source', async () => {
    const leaver = await newPerson();
    await create('/api/v2/process/sources', {
      ...{ reference: 'HANDOVER', label: 'Handover', applications: ['LEAVE'] },
      fallbackGroup: 'HIRING',
    });
    const source = 'HANDOVER';
    const ofGroup = await newTask({ assignee: leaver.login, group: 'HIRING' });
    const offered = await newTask({ assignee: leaver.login, candidates: ['bruno.keller'] });
    const pushed = await newTask({ assignee: leaver.login, source, externalId: 'a' });
    const onlyOffered = await newTask({ candidates: [leaver.login], source, externalId: 'b' });
    const alone = await newTask({ assignee: leaver.login });
    const onlyCandidate = await newTask({ candidates: [leaver.login] });
    const { body } = await handOver(leaver.login, { to: 'fallback' });
    expect(body).toEqual({
      ...{ dryRun: false, tasks: 3, candidatures: 1, substitutions: 0 },
      remaining: { tasks: 1, candidatures: 1, substitutions: 0 },
    });
    const hiring = { reference: 'HIRING' };
    expect(await task(ofGroup)).toMatchObject({ assignee: null, group: hiring });
    expect(await task(offered)).toMatchObject({ assignee: null, group: null });
    expect(await task(pushed)).toMatchObject({ assignee: null, group: hiring });
    expect(await task(onlyOffered)).toMatchObject({ group: hiring, candidates: [] });
    expect(await task(alone)).toMatchObject({ assignee: { id: leaver.id } });
    expect(await task(onlyCandidate)).toMatchObject({ candidates: [{ id: leaver.id }] });
  });

  it('belongs to those who may change assignee and group', async () => {
    const leaver = await newPerson();
    await newTask({ assignee: leaver.login });
    expect((await handOver(leaver.login, { to: 'fallback' }, writing.bruno)).status).toBe(403);
    const { status, body } = await handOver(leaver.login, { to: 'alice.martin' }, helpdesk);
    expect([status, body.tasks]).toEqual([200, 1]);
  });

  it('moves only the tasks within the scope of a role', async () => {
    const leaver = await newPerson();
    await create('/api/v2/directory/role-assignments', {
      ...{ user: 'bruno.keller', role: 'process-owner', application: 'LEAVE' },
    });
    const within = await newTask({ assignee: leaver.login });
    await newTask({ assignee: leaver.login, application: 'EXPENSES' });
    const { body } = await handOver(leaver.login, { to: 'alice.martin' }, writing.bruno);
    // The other one is hidden from the caller, and so is its number.
    expect(body).toMatchObject({ tasks: 1, remaining: { tasks: 0 } });
    expect(await task(within)).toMatchObject({ assignee: { reference: 'alice.martin' } });
  });

  it('is refused with a role that lets change other attributes', async () => {
    const leaver = await newPerson();
    const permissions = ['tasks:change:priority'];
    const role = await create('/api/v2/directory/roles', { label: 'Prioritizes', permissions });
    const login = 'sophie.bohm';
    await create('/api/v2/directory/role-assignments', {
      ...{ user: login, role: role.id, application: 'LEAVE' },
    });
    const { status, body } = await handOver(
      leaver.login,
      { to: 'alice.martin', dryRun: true },
      await writing.server.signInForLong(login),
    );
    expect([status, body.reason]).toEqual([403, 'missing-permission']);
  });

  it('leaves a task to the person who has taken it meanwhile', async () => {
    const leaver = await newPerson();
    const [taken, left] = [
      await newTask({ assignee: leaver.login, candidates: [leaver.login] }),
      await newTask({ assignee: leaver.login }),
    ];
    const { database } = writing.server;
    await database.query(
      `BEGIN; DELETE FROM task_candidates WHERE task_id = ${taken};
       UPDATE tasks SET assignee_id = (SELECT id FROM users WHERE login = 'bruno.keller') WHERE id = ${taken}`,
    );
    const handedOver = handOver(leaver.login, { to: 'chloe.lefevre' });
    await eventually(async () => {
      const waiting = await database.query(
        'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid',
      );
      expect(waiting).toHaveLength(1);
    });
    await database.query('COMMIT');
    expect((await handedOver).body).toEqual({
      ...{ dryRun: false, tasks: 1, candidatures: 0, substitutions: 0 },
      remaining: NOTHING,
    });
    expect(await task(taken)).toMatchObject({
      ...{ assignee: { reference: 'bruno.keller' }, candidates: [] },
    });
    expect(await task(left)).toMatchObject({ assignee: { reference: 'chloe.lefevre' } });
  });

  it('leaves the substitution that the caller does not see', async () => {
    const [leaver, absent] = [await newPerson(), await newPerson()];
    const id = await newTask({ assignee: leaver.login });
    await create('/api/v2/process/absences', {
      ...{ user: absent.login, substitute: leaver.login },
      ...{ startDate: new Date().toISOString(), endDate: in30Days() },
    });
    const permissions = ['users:read', 'tasks:read', 'tasks:change', 'absences:change'];
    const role = await create('/api/v2/directory/roles', { label: 'Hands over', permissions });
    const login = 'sophie.bohm';
    await create('/api/v2/directory/role-assignments', { user: login, role: role.id });
    const { body } = await handOver(
      leaver.login,
      { to: 'chloe.lefevre' },
      await writing.server.signInForLong(login),
    );
    expect(body).toEqual({
      ...{ dryRun: false, tasks: 1, candidatures: 0, substitutions: 0 },
      remaining: { ...NOTHING, substitutions: 1 },
    });
    expect(await task(id)).toMatchObject({ assignee: { reference: 'chloe.lefevre' } });
  });

  it('refuses a new owner who cannot decide', async () => {
    const [leaver, gone] = [await newPerson(), await newPerson()];
    await call('PATCH', `${USERS}/${gone.id}`, [{ op: 'replace', path: '/status', value: 0 }]);
    const empty = await create('/api/v2/directory/groups', { label: 'Empty' });
    const refusal = async (to: unknown) => {
      const { status, body } = await handOver(leaver.login, { to });
      const { fields, reason } = body as { fields?: { code: string }[]; reason?: string };
      return [status, fields?.[0]?.code ?? reason];
    };
    expect(await refusal(gone.login)).toEqual([400, 'inactive-user']);
    expect(await refusal({ group: empty.reference })).toEqual([400, 'empty-group']);
    expect(await refusal('nobody')).toEqual([400, 'unknown-name']);
    expect(await refusal(7)).toEqual([400, 'not-an-owner']);
    expect(await refusal('999999999')).toEqual([400, 'unknown-object']);
    expect(await refusal(leaver.login)).toEqual([409, 'handed-to-oneself']);
  });
});
