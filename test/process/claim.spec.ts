import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertTokens } from '../support/tokens.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** People take tasks of their groups, and give them back. */

const TASKS = '/api/v2/process/tasks';
const PEOPLE = 12;
const ROUNDS = 5;

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];
let group: string;
/** Members of the group: their names, and tokens. */
let members: { title: string; token: string }[];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create } = writing);
  const { server } = writing;
  const { id } = await create('/api/v2/directory/groups', { label: 'Takers', reference: 'TAKERS' });
  group = id;
  const logins = await server.database.query<{ id: string; login: string; title: string }>(
    `SELECT id::text, login, title FROM users
     WHERE status = 1 AND NOT sysadmin AND NOT process_engine AND NOT administrator ORDER BY id LIMIT ${PEOPLE}`,
  );
  await server.database.query(
    `INSERT INTO group_members (group_id, user_id) SELECT $1, unnest($2::bigint[])`,
    [group, logins.map((one) => one.id)],
  );
  members = [];
  for (const { login, title } of logins) members.push({ title, token: await server.signIn(login) });
});
afterAll(() => writing.close());

const newTask = async (more: object = {}) =>
  (await create(TASKS, { title: 'For a group', application: 'LEAVE', group: 'TAKERS', ...more }))
    .id;

const take = (id: string, token: string, what = 'claim') =>
  call('POST', `${TASKS}/${id}/${what}`, undefined, { token });

const refusal = (message: string) => ({ code: 409, message });

describe('POST /api/v2/process/tasks/{id}/claim', () => {
  it('gives a task to exactly one of many concurrent callers, and names that person to the others', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await newTask();
      const answers = await Promise.all(members.map(({ token }) => take(id, token)));
      const winner = answers.findIndex(({ status }) => status === 200);
      const { title } = members[winner]!;
      expect(answers[winner]!.body).toMatchObject({ assignee: { label: title }, status: 'open' });
      expect(answers[winner]!.headers.etag).toBe('"2"');
      answers.splice(winner, 1);
      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        answers.map(() => [409, refusal(`${title} has taken the task`)]),
      );
      const again = await take(id, members[winner]!.token);
      expect([again.status, again.headers.etag]).toEqual([200, '"2"']);
    }
  });

  it('gives each task of a list to exactly one of 200 people who all claim from it at once', async () => {
    const { database } = writing.server;
    const people = await database.query<{ id: string }>(
      `INSERT INTO users (login, last_name, title, status) SELECT 'crowd.' || n, 'Crowd', 'Crowd ' || n, 1
       FROM generate_series(1, 200) n RETURNING id::text`,
    );
    const ids = people.map(({ id }) => id);
    const half = await create('/api/v2/directory/groups', { label: 'Crowd', reference: 'CROWD' });
    await database.query(
      'INSERT INTO group_members (group_id, user_id) SELECT $1, unnest($2::bigint[])',
      [half.id, ids],
    );
    const tokens = await insertTokens(database, ids);
    const tasks = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        newTask(at % 2 === 0 ? { group: 'CROWD' } : { group: null, candidates: ['CROWD'] }),
      ),
    );
    // Each person begins elsewhere in the list, and takes what is left.
    const won = await Promise.all(
      tokens.map(async (token, person) => {
        const mine: string[] = [];
        for (let at = 0; at < 3; at++) {
          const id = tasks[(person + at * 7) % tasks.length]!;
          let answer = await take(id, token);
          while (answer.status === 503) answer = await take(id, token);
          expect([200, 409]).toContain(answer.status);
          if (answer.status === 200) mine.push(id);
        }
        return mine;
      }),
    );
    expect(won.flat().sort()).toEqual([...tasks].sort());
    const owners = await database.query<{ id: string; assignee: string; revision: number }>(
      'SELECT id::text, assignee_id::text AS assignee, revision FROM tasks WHERE id = ANY ($1)',
      [tasks],
    );
    const expected = won.flatMap((mine, person) =>
      mine.map((id) => ({ id, assignee: ids[person]!, revision: 2 })),
    );
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(owners.sort(byId)).toEqual(expected.sort(byId));
  });

  it('is a 404 for people outside the group, and a 409 for who sees the task without being in it', async () => {
    const id = await newTask({ group: null, assignee: 'chloe.lefevre' });
    const { token } = members[0]!;
    expect((await take(id, token)).status).toBe(404);
    const admin = await take(await newTask(), writing.admin);
    expect([admin.status, admin.body]).toEqual([
      409,
      refusal('The task waits neither for you nor for a group of yours'),
    ]);
    const done = await newTask({ status: 'done' });
    const late = await take(done, token);
    expect([late.status, late.body]).toEqual([409, refusal('The task is not open any more')]);
  });

  it('is in the audit trail', async () => {
    const id = await newTask();
    await take(id, members[0]!.token);
    const filters = `filters=object:eq:/process/tasks/${id}&filters=action:eq:update`;
    const { body } = await call('GET', `/api/v2/administration/audit?${filters}`);
    expect(body).toEqual([
      expect.objectContaining({
        after: { assignee: expect.objectContaining({ label: members[0]!.title }) },
      }),
    ]);
  });
});

describe('POST /api/v2/process/tasks/{id}/release', () => {
  it('gives a task back to its group, and no other', async () => {
    const [first, second] = [members[0]!, members[1]!];
    const id = await newTask();
    await take(id, first.token);
    const others = await take(id, second.token, 'release');
    expect([others.status, others.body]).toEqual([
      409,
      refusal('Only the assignee gives a task back'),
    ]);
    const released = await take(id, first.token, 'release');
    expect([released.status, released.body.assignee]).toEqual([200, null]);
    expect((await take(id, first.token, 'release')).headers.etag).toBe(released.headers.etag);
    expect((await take(id, second.token)).status).toBe(200);
    const own = await newTask({ group: null, assignee: 'chloe.lefevre' });
    const chloe = await writing.server.signIn('chloe.lefevre');
    const refused = await take(own, chloe, 'release');
    expect([refused.status, refused.body]).toEqual([
      409,
      refusal('Only a task of a group or of candidates can be given back'),
    ]);
  });

  it('is for an assignee too who does not see the task afterwards', async () => {
    const id = await newTask({ assignee: 'sophie.bohm' });
    const sophie = await writing.server.signIn('sophie.bohm');
    const released = await take(id, sophie, 'release');
    expect([released.status, released.body]).toMatchObject([200, { id, assignee: null }]);
    expect((await take(id, sophie, 'release')).status).toBe(404);
    expect((await take(id, members[0]!.token)).status).toBe(200);
  });
});
