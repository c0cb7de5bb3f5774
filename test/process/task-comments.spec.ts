import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** People talk about tasks. */

const TASKS = '/api/v2/process/tasks';

let writing: WritingServer;
let call: WritingServer['call'];
let id: string;
let outsider: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call } = writing);
  outsider = await writing.server.signIn('chloe.lefevre');
  const task = { title: 'Order chairs', application: 'EXPENSES', assignee: 'bruno.keller' };
  ({ id } = await writing.create(TASKS, task));
});
afterAll(() => writing.close());

const say = (text: unknown, token: string) =>
  call('POST', `${TASKS}/${id}/comments`, { text }, { token });
const read = (token: string) => call('GET', `${TASKS}/${id}/comments`, undefined, { token });
const comment = (text: string, login: string) => ({
  id: expect.stringMatching(/^\d+$/) as unknown,
  author: expect.objectContaining({ reference: login }) as unknown,
  onBehalfOf: null,
  text,
  creationDate: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
});

describe('comments on a task', () => {
  it('can be read and written by users who see the task, oldest first', async () => {
    const before = await call('GET', `${TASKS}/${id}`);
    const first = await say('How many?\n<b>', writing.bruno);
    expect([first.status, first.body]).toEqual([201, comment('How many?\n<b>', 'bruno.keller')]);
    expect((await say('Four.', writing.admin)).status).toBe(201);
    expect((await read(writing.bruno)).body).toEqual([
      comment('How many?\n<b>', 'bruno.keller'),
      comment('Four.', 'alice.martin'),
    ]);
    // Who is about to decide decides on the same task.
    expect((await call('GET', `${TASKS}/${id}`)).headers.etag).toBe(before.headers.etag);
  });

  it('are a list of pages', async () => {
    const page = (range: string) =>
      call('GET', `${TASKS}/${id}/comments${range}`, undefined, {
        token: writing.bruno,
        headers: { Prefer: 'count=exact' },
      });
    const { body: whole, headers } = await page('');
    const path = `${TASKS}/${id}/comments`;
    expect([whole.length, headers['x-total-count'], headers.link]).toEqual([
      2,
      '2',
      `<${path}?range=0-50>; rel="first", <${path}?range=0-50>; rel="last"`,
    ]);
    const first = await page('?range=0-1');
    expect([first.body, first.headers.link]).toEqual([
      [whole[0]],
      `<${path}?range=0-1>; rel="first", <${path}?range=1-1>; rel="next", <${path}?range=1-1>; rel="last"`,
    ]);
    expect((await page('?range=1-1')).body).toEqual([whole[1]]);
    expect((await page('?range=2-5')).body).toEqual([]);
    const refused = await page('?range=0-501&sorter=id');
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      [
        { name: 'sorter', message: 'unknown parameter; known: range' },
        { name: 'range', message: expect.stringContaining('500') },
      ],
    ]);
  });

  it('do not exist for others', async () => {
    expect((await read(outsider)).status).toBe(404);
    expect((await say('Hello', outsider)).status).toBe(404);
    expect((await call('GET', `${TASKS}/999999/comments`)).status).toBe(404);
  });

  it('are refused when they are blank or too long', async () => {
    for (const [text, message] of [
      [null, 'is required'],
      [' \n', 'must not be blank'],
      ['\u200b', 'must not be blank'],
      ['x'.repeat(2001), 'must be a string of at most 2000 characters'],
      [7, 'must be a string of at most 2000 characters'],
    ]) {
      const { status, body } = await say(text, writing.bruno);
      expect([status, body.fields]).toEqual([400, [{ name: 'text', message }]]);
    }
  });

  it('are in the audit trail, and go with the task', async () => {
    await say('Written down', writing.bruno);
    const [row] = await writing.server.database.query(
      `SELECT actor_login, object_uri, after FROM audit ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toEqual({
      actor_login: 'bruno.keller',
      object_uri: expect.stringMatching(`^/process/tasks/${id}/comments/\\d+$`),
      after: { text: 'Written down' },
    });
    expect((await call('DELETE', `${TASKS}/${id}`)).status).toBe(204);
    const rest = await writing.server.database.query('SELECT 1 FROM task_comments');
    expect(rest).toEqual([]);
  });
});
