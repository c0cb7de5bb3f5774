import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { idOf } from '../support/id-of.js';
import { fillTable } from '../support/list-plans.js';
import { type Answer, send, startTestServer, type TestServer } from '../support/test-server.js';

/** The matching rows are more than are sorted, and come after more than are looked at first (docs/decisions/0036). */
const BEFORE = 4_000;
const ALL = 20_000;

const FIRST = { login: `late${BEFORE + 1}`, id: '', uri: '' };
const LAST = { login: `late${ALL}`, id: '' };
const LIST = 'filters=nickName:contains:late&sorter=externalId&range=0-5';

let server: TestServer;
let metrics: number;
let alice: string;
beforeAll(async () => {
  metrics = await freePort();
  server = await startTestServer({ METRICS_PORT: String(metrics) });
  await fillTable(
    server.database,
    'users',
    `INSERT INTO users (login, last_name, title, nick_name, external_id)
       SELECT 'late' || i, 'Late', 'Late', CASE WHEN i > ${BEFORE} THEN 'late' || i ELSE 'soon' || i END, 'E' || (10000 + i)
       FROM generate_series(1, ${ALL}) AS i`,
  );
  for (const user of [FIRST, LAST]) user.id = await idOf(server, 'users', user.login);
  FIRST.uri = `/directory/users/${FIRST.id}`;
  alice = await server.signIn('alice.martin');
  // Its first read of the journal forgets everything.
  await server.call('/navigation/workplace/categories', { token: alice });
}, 120_000);
afterAll(() => server.close());

const listed = (more = '', token = alice): Promise<Answer> =>
  server.call(`/api/v2/directory/users?${LIST}${more}`, { token });

const namesIn = ({ status, body }: Answer): unknown[] => [
  status,
  ...(body as { login: string }[]).map(({ login }) => login),
];

/** The answer of a page that follows the first `rows` users. */
const expected = (rows: number): unknown[] => [
  200,
  ...[1, 2, 3, 4, 5].map((n) => `late${rows + n}`),
];

/** How many lists a call reads from memory, and from the database. */
async function lookups(work: () => Promise<unknown>): Promise<{ hit: number; miss: number }> {
  const read = async () => {
    const { text } = await send(metrics, '/metrics');
    const value = (result: string) =>
      Number(
        new RegExp(`^platform_list_lookups_total{result="${result}"} (\\d+)`, 'm').exec(text)![1],
      );
    return { hit: value('hit'), miss: value('miss') };
  };
  const before = await read();
  await work();
  const after = await read();
  return { hit: after.hit - before.hit, miss: after.miss - before.miss };
}

describe('a list whose rows take long to find', () => {
  it('is searched once for all who ask until something changes', async () => {
    const answers: Answer[] = [];
    const ask = async (): Promise<void> => {
      answers.push(...(await Promise.all([1, 2, 3, 4].map(() => listed()))));
    };
    expect(await lookups(ask)).toEqual({ hit: 3, miss: 1 });
    expect(await lookups(ask)).toEqual({ hit: 4, miss: 0 });
    await server.database.query('UPDATE categories SET position = position');
    expect(await lookups(ask)).toEqual({ hit: 3, miss: 1 });
    expect(answers.map(namesIn)).toEqual(answers.map(() => expected(BEFORE)));
    expect(await lookups(() => listed('&filters=lastName:eq:late'))).toEqual({ hit: 0, miss: 1 });
  });

  it('is found again once the API has changed something', async () => {
    await listed();
    const rename = async (nickName: string): Promise<void> => {
      const changed = await server.call(`/api/v2${FIRST.uri}`, {
        method: 'PATCH',
        token: alice,
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: [{ op: 'replace', path: '/nickName', value: nickName }],
      });
      expect(changed.status).toBe(200);
    };
    await rename('Gone');
    expect(namesIn(await listed())).toEqual(expected(BEFORE + 1));
    await rename('Late again');
    expect(namesIn(await listed())).toEqual(expected(BEFORE));
  });

  it('is found again once plain SQL has changed something', async () => {
    await listed();
    const place = (externalId: string) =>
      server.database.query(`UPDATE users SET external_id = '${externalId}' WHERE id = ${LAST.id}`);
    await place('A');
    expect(namesIn(await listed())).toEqual([200, LAST.login, ...expected(BEFORE).slice(1, -1)]);
    await place('Z');
    expect(namesIn(await listed())).toEqual(expected(BEFORE));
  });

  it('is kept for each person and each group by itself', async () => {
    const [bruno, chloe] = [
      await server.signIn('bruno.keller'),
      await server.signIn('chloe.lefevre'),
    ];
    const [sales, all] = await server.database.query<{ id: string }>(
      `SELECT group_id::text AS id FROM group_members GROUP BY 1 ORDER BY count(*), 1 LIMIT 2`,
    );
    const tasks = '/api/v2/process/tasks?filters=title:contains:e&sorter=-dueDate';
    const members = (id: string) =>
      `/api/v2/directory/groups/${id}/members?filters=title:contains:e`;
    const asked: [string, string][] = [
      [tasks, bruno],
      [tasks, chloe],
      [tasks, alice],
      [members(sales!.id), alice],
      [members(all!.id), alice],
    ];
    const idsOf = async ([path, token]: [string, string]) =>
      ((await server.call(path, { token })).body as { id: string }[]).map(({ id }) => id);
    const first: string[][] = [];
    for (const list of asked) first.push(await idsOf(list));
    expect(first.map((ids) => ids.length > 0)).toEqual(asked.map(() => true));
    const again = async () => {
      for (const [index, list] of asked.entries()) expect(await idsOf(list)).toEqual(first[index]);
    };
    expect(await lookups(again)).toEqual({ hit: asked.length, miss: 0 });
    await server.database.query('UPDATE categories SET position = position');
    for (const [index, list] of [...asked.entries()].reverse())
      expect(await idsOf(list)).toEqual(first[index]);
  });

  it('is searched each time where the journal does not have what it depends on', async () => {
    const never = '&filters=lastLoginDate:isempty';
    await listed(never);
    expect(await lookups(() => listed(never))).toEqual({ hit: 0, miss: 0 });
    await server.database.query(
      `INSERT INTO sign_ins (user_id, last_login_date) VALUES (${FIRST.id}, now())
        ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date`,
    );
    expect(namesIn(await listed(never))).toEqual(expected(BEFORE + 1));
  });

  it('shows its rows as they are now', async () => {
    await listed();
    const before = (await listed()).body as { id: string; lastLoginDate: string }[];
    await server.database.query(
      `UPDATE sign_ins SET last_login_date = '2020-01-01' WHERE user_id = ${FIRST.id}`,
    );
    const after = (await listed()).body as { id: string; lastLoginDate: string }[];
    expect([before[0]!.id, before[0]!.lastLoginDate.startsWith('2020')]).toEqual([FIRST.id, false]);
    expect([after[0]!.id, after[0]!.lastLoginDate]).toEqual([FIRST.id, '2020-01-01T00:00:00.000Z']);
  });
});
