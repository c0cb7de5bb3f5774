import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

const TASKS = '/api/v2/process/tasks';

let writing: WritingServer;
let sysadmin: string;
beforeAll(async () => {
  writing = await startWritingServer();
  sysadmin = await writing.server.signInForLong('sysadmin');
});
afterAll(() => writing.close());

const newTask = async (values: object): Promise<string> => {
  const made = await writing.call('POST', TASKS, {
    application: '/navigation/applications/3',
    assignee: 'bruno.keller',
    ...values,
  });
  expect(made.status).toBe(201);
  return String(made.body.id);
};
const age = (ids: string[], days: number) =>
  writing.server.database.query(
    `UPDATE tasks SET closed_date = now() - make_interval(days => ${days}) WHERE id = ANY ('{${ids.join()}}')`,
  );
const statuses = async (ids: string[]) => {
  await writing.server.app.get(Housekeeping).run();
  return Promise.all(ids.map(async (id) => (await writing.call('GET', `${TASKS}/${id}`)).status));
};
const keep = async (days: number) => {
  const path = '/api/v2/administration/parameters/com.platform.tasks.retention';
  const changed = await writing.call('PUT', path, { value: days }, { token: sysadmin });
  expect(changed.status).toBe(200);
};

it('deletes closed tasks with their comments after tasks.retention days, and keeps them by default', async () => {
  const old = await newTask({ title: 'Old', status: 'done' });
  const cancelled = await newTask({ title: 'Cancelled', status: 'cancelled' });
  const recent = await newTask({ title: 'Recent', status: 'done' });
  const open = await newTask({ title: 'Open' });
  const ids = [old, cancelled, recent, open];
  const commented = await writing.call('POST', `${TASKS}/${old}/comments`, { text: 'Filed' });
  expect(commented.status).toBe(201);
  await age([old, cancelled], 31);
  await age([recent], 29);
  expect(await statuses(ids)).toEqual([200, 200, 200, 200]);
  await keep(30);
  expect(await statuses(ids)).toEqual([404, 404, 200, 200]);
  const [left] = await writing.server.database.query(
    `SELECT count(*)::integer AS comments FROM task_comments WHERE task_id = ${old}`,
  );
  expect(left).toEqual({ comments: 0 });
  await keep(0);
});

it('keeps a task whose decision still waits for its engine', async () => {
  const id = await newTask({ title: 'Decided', status: 'done' });
  await age([id], 400);
  await writing.server.database.query(`UPDATE tasks SET confirmation = 'pending' WHERE id = ${id}`);
  await keep(1);
  expect(await statuses([id])).toEqual([200]);
  await writing.server.database.query(
    `UPDATE tasks SET confirmation = 'confirmed' WHERE id = ${id}`,
  );
  expect(await statuses([id])).toEqual([404]);
});
