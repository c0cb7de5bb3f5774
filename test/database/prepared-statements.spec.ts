import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { POOL_SIZE } from '../../src/database/connection-options.js';
import { Database } from '../../src/database/database.js';
import { IN_THE_BACKGROUND } from '../support/statements.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const USERS = '/api/v2/directory/users?range=0-3';
const KEYS = [
  'lastName',
  'firstName',
  'login',
  'email',
  'title',
  'locale',
  'userFunction',
  'status',
];
const SIGNED = KEYS.flatMap((key) => [key, `-${key}`]);
const ORDERS = SIGNED.flatMap((first) =>
  SIGNED.filter((second) => second.replace('-', '') !== first.replace('-', '')).map(
    (second) => `${first},${second}`,
  ),
);
/** The limit of prepared statements per session, and many more orders: some lists take another connection. */
const MOST = 100;
const MANY = ORDERS.slice(0, 2 * MOST);

let server: TestServer, database: Database;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  database = server.app.get(Database);
  token = await server.signIn('bruno.keller');
});
afterAll(() => server.close());

const list = async (query: string) => {
  const { status, body } = await server.call(USERS + query, { token });
  return { status, body: body as unknown };
};

/** The texts of the statements that each connection of the server has prepared. */
async function preparedTexts(): Promise<string[][]> {
  const sessions = Array.from({ length: POOL_SIZE }, () =>
    database.rows({
      text: 'SELECT pg_backend_pid(), ARRAY(SELECT statement FROM pg_prepared_statements), pg_sleep(0.2)',
      values: [],
      prepared: false,
    }),
  );
  const found = (await Promise.all(sessions)).map(([row]) => row as [number, string[]]);
  return [...new Map(found).values()];
}

const distinctTexts = async () =>
  new Set((await preparedTexts()).flat().filter((text) => !IN_THE_BACKGROUND.test(text)));
const mostOfOneConnection = async () =>
  Math.max(...(await preparedTexts()).map(({ length }) => length));

describe('prepared statements of a connection', () => {
  it('are not created for lists with filters', async () => {
    await list('');
    const before = await distinctTexts();
    for (const key of KEYS.slice(0, 5)) {
      const { status } = await list(`&filters=${key}:eq:x&filters=manager.${key}:gt:x`);
      expect(status).toBe(200);
    }
    expect(await distinctTexts()).toEqual(before);
  });

  it('are not created for lists with more than two sorter keys', async () => {
    await list('');
    const before = await distinctTexts();
    for (const order of MANY.slice(0, 5))
      expect((await list(`&sorter=${order},id`)).status).toBe(200);
    expect(await distinctTexts()).toEqual(before);
  });

  it('are bounded, and one that was forgotten works again', async () => {
    const first = await list(`&sorter=${MANY[0]}`);
    for (const order of MANY) expect((await list(`&sorter=${order}`)).status).toBe(200);
    expect(await mostOfOneConnection()).toBe(MOST);
    expect(await list(`&sorter=${MANY[0]}`)).toEqual(first);
    expect(await mostOfOneConnection()).toBe(MOST);
  });

  it('are bounded in a transaction too, also in one that is rolled back', async () => {
    const texts = MANY.map((_, index) => ({ text: `SELECT ${index} + $1::integer`, values: [1] }));
    const run = (fails: boolean) =>
      database.transaction(async (transaction) => {
        const rows = [];
        for (const statement of texts) rows.push(await transaction.rows(statement));
        if (fails) await transaction.rows({ text: 'SELECT 1 / $1::integer', values: [0] });
        return rows;
      });
    await expect(run(true)).rejects.toThrow('division by zero');
    expect(await run(false)).toEqual(texts.map((_, index) => [[index + 1]]));
    expect(await mostOfOneConnection()).toBe(MOST);
  });
});
