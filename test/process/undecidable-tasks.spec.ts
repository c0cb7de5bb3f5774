import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signInForLong('alice.martin');
  await make('/directory/users', { login: 'gone', lastName: 'Gone', status: 0 });
  await make('/directory/users', { login: 'invited', lastName: 'Invited', status: 2 });
  for (const reference of ['EMPTY', 'LEFT'])
    await make('/directory/groups', { reference, label: reference });
  await server.call('/api/v2/directory/groups/LEFT/members/gone', { method: 'PUT', token });
});
afterAll(() => server.close());
beforeEach(() => server.database.query(`DELETE FROM tasks WHERE title LIKE 'N%'`));

const make = async (path: string, body: object) => {
  const answer = await server.call(`/api/v2${path}`, { method: 'POST', token, body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as { id: string };
};

const task = (title: string, owner: object) =>
  make('/process/tasks', { title, application: 'EXPENSES', ...owner });

const found = async (filters = 'filters=assignee:eq:@nobody', as = token): Promise<unknown> => {
  const path = `/api/v2/process/tasks?${filters}&filters=title:starts:N&sorter=title`;
  const { body } = await server.call(path, { token: as });
  return (body as { title: string }[]).map(({ title }) => title);
};

describe('GET /process/tasks?filters=assignee:eq:@nobody', () => {
  it('lists open tasks of an inactive assignee, of a group without active members, and of no one', async () => {
    await task('N1', { assignee: 'gone' });
    await task('N2', { group: 'EMPTY' });
    await task('N3', { group: 'LEFT' });
    await task('N4', {});
    await task('N5', { assignee: 'gone', group: 'LEFT' });
    await task('N6', { candidates: ['gone', 'EMPTY'] });
    await task('N7', { assignee: 'gone', status: 'done' });
    expect(await found()).toEqual(['N1', 'N2', 'N3', 'N4', 'N5', 'N6']);
    const counted = await server.call(
      '/api/v2/process/tasks?filters=assignee:eq:@nobody&filters=title:starts:N&range=0-1&sorter=id',
      { token, headers: { Prefer: 'count=exact' } },
    );
    expect([counted.status, counted.headers['x-total-count']]).toEqual([200, '6']);
    // Whoever is not allowed to see them gets none of them.
    expect(await found(undefined, await server.signIn('chloe.lefevre'))).toEqual([]);
  });

  it('leaves out a task that somebody can decide', async () => {
    await task('N1', { assignee: 'invited' });
    await task('N2', { assignee: 'gone', group: 'HIRING' });
    await task('N3', { candidates: ['chloe.lefevre'] });
    await task('N4', { assignee: 'gone', candidates: ['HIRING'] });
    await task('N5', { assignee: 'bruno.keller', group: 'EMPTY' });
    expect(await found()).toEqual([]);
  });

  it('follows the people: a substitute, and an assignee who comes back', async () => {
    await task('N1', { assignee: 'gone' });
    expect(await found()).toEqual(['N1']);
    const { id } = await make('/process/absences', {
      user: 'gone',
      substitute: 'chloe.lefevre',
      startDate: new Date().toISOString(),
      endDate: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(await found()).toEqual([]);
    await server.call(`/api/v2/process/absences/${id}`, { method: 'DELETE', token });
    expect(await found()).toEqual(['N1']);
    await server.database.query(`UPDATE users SET status = 1 WHERE login = 'gone'`);
    expect(await found()).toEqual([]);
    await server.database.query(`UPDATE users SET status = 0 WHERE login = 'gone'`);
  });

  it.each(['assignee:neq:@nobody', 'assignee:in:@nobody'])('answers 400 to %s', async (filter) => {
    const answer = await server.call(`/api/v2/process/tasks?filters=${filter}`, { token });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { fields: [{ name: 'filters', code: 'misplaced-nobody' }] },
    ]);
  });

  it('is refused in a saved filter', async () => {
    const { status, body } = await server.call('/api/v2/process/task-filters', {
      method: 'POST',
      token,
      body: { label: 'Nobody', filters: ['assignee:eq:@nobody'] },
    });
    expect([status, body]).toMatchObject([
      400,
      { fields: [{ name: 'filters', code: 'misplaced-nobody' }] },
    ]);
  });
});
