import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Absences on the command line (docs/command-line.md). */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(['absences', ...args], { env: { DATABASE_URL: urlOf(database.connection) } });

/** The dates of the absences, as the database has them. */
const stored = () =>
  database.query<{ reference: string; ended: boolean }>(
    'SELECT reference, end_date <= now() AS ended FROM absences ORDER BY reference',
  );

const enter = (reference: string, from: string) =>
  database.query(
    `INSERT INTO absences (reference, user_id, substitute_id, start_date, end_date)
     SELECT $1, u.id, s.id, now() + $2::interval, now() + interval '9 days' FROM users u, users s
     WHERE u.login = 'sophie.bohm' AND s.login = 'chloe.lefevre'`,
    [reference, from],
  );

describe('absences on the command line', () => {
  afterEach(() => database.query('DELETE FROM absences'));

  it('are entered from now on, and listed', async () => {
    const endDate = new Date(Date.now() + 100 * 86_400_000).toISOString();
    const until = ['--until', endDate, '--application', 'TRAVEL'];
    const added = await run('add', 'bruno.keller', 'chloe.lefevre', ...until);
    expect(added).toEqual({ code: 0, out: expect.stringMatching(/^ABSENCE-\d+\n$/), error: '' });
    await enter('OTHERS', '-1 day');
    const listed = await run('list', '--user', 'Bruno.Keller', '--json');
    expect(JSON.parse(listed.out)).toEqual([
      {
        reference: added.out.trim(),
        user: 'bruno.keller',
        substitute: 'chloe.lefevre',
        application: 'TRAVEL',
        startDate: expect.any(String),
        endDate,
        active: true,
      },
    ]);
  });

  it('end now, and stay on record', async () => {
    await enter('SKIING', '-1 day');
    expect(await run('end', 'SKIING')).toEqual({
      code: 0,
      out: 'SKIING is ended\n',
      error: '',
    });
    expect(await stored()).toEqual([{ reference: 'SKIING', ended: true }]);
    const [entry] = await database.query(
      `SELECT actor_login, action FROM audit WHERE object_uri LIKE '/process/absences/%' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toEqual({
      actor_login: expect.stringMatching(/^command line \(/),
      action: 'update',
    });
    expect((await run('end', 'SKIING')).error).toBe('SKIING has ended already\n');
  });

  it('are deleted by their end where they have not begun', async () => {
    await enter('SKIING', '1 day');
    expect((await run('end', 'SKIING')).out).toBe('SKIING is deleted\n');
    expect(await stored()).toEqual([]);
  });

  it.each([
    [['add', 'bruno.keller', 'chloe.lefevre'], 2, 'say when the absence ends, with --until\n'],
    [
      ['add', 'bruno.keller', 'bruno.keller', '--until', '2098-01-01T00:00:00Z'],
      1,
      'substitute: must be another person; endDate: must be at most 366 days after startDate\n',
    ],
    [
      ['add', 'bruno.keller', 'chloe.lefevre', '--until', '2001-01-01T00:00:00Z'],
      1,
      'endDate: must be later than startDate\n',
    ],
    [['end', 'NOTHING'], 1, 'there is no absence NOTHING\n'],
  ])('%j fails with one line', async (args, code, error) => {
    expect(await run(...args)).toEqual({ code, out: '', error });
  });
});
