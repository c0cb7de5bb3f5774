import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from './support/command-line.js';
import { urlOf } from './support/server-process.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

/** Absences on the command line (docs/command-line.md). */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(['absences', ...args], { env: { DATABASE_URL: urlOf(database.connection) } });

const list = async (...args: string[]) =>
  JSON.parse((await run('list', '--json', ...args)).out) as { reference: string }[];

describe('absences on the command line', () => {
  it('are entered from now on, listed, and ended now', async () => {
    const added = await run(
      'add',
      'bruno.keller',
      'chloe.lefevre',
      '--until',
      '2098-01-02T03:04:05Z',
    );
    expect(added).toEqual({ code: 0, out: expect.stringMatching(/^ABSENCE-\d+\n$/), error: '' });
    const reference = added.out.trim();
    const shown = {
      reference,
      user: 'bruno.keller',
      substitute: 'chloe.lefevre',
      application: null,
      startDate: expect.any(String),
      endDate: '2098-01-02T03:04:05.000Z',
      active: true,
    };
    expect(await list()).toEqual([shown]);
    expect(await list('--user', 'Chloe.Lefevre')).toEqual([shown]);
    expect(await list('--user', 'sophie.bohm')).toEqual([]);
    expect(await run('end', reference.toLowerCase())).toEqual({ code: 0, out: '', error: '' });
    expect(await list()).toEqual([]);
    expect(await list('--all')).toEqual([{ ...shown, endDate: expect.any(String), active: false }]);
    expect(await run('end', reference)).toEqual({
      code: 1,
      out: '',
      error: `${reference} has ended already\n`,
    });
    const actors = await database.query(
      `SELECT DISTINCT actor_login FROM audit WHERE object_uri LIKE '/process/absences/%'`,
    );
    expect(actors).toEqual([{ actor_login: expect.stringMatching(/^command line \(/) }]);
  });

  it('for one application that have not begun are deleted by their end', async () => {
    const dates = ['--from', '2097-01-01T00:00:00Z', '--until', '2097-02-01T00:00:00Z'];
    const added = await run(
      'add',
      'bruno.keller',
      'sophie.bohm',
      ...dates,
      '--application',
      'TRAVEL',
    );
    expect(await list()).toEqual([
      expect.objectContaining({ application: 'TRAVEL', active: false }),
    ]);
    expect((await run('end', added.out.trim())).code).toBe(0);
    expect(await list('--all')).not.toContainEqual(
      expect.objectContaining({ application: 'TRAVEL' }),
    );
  });

  it.each([
    [['add', 'bruno.keller', 'chloe.lefevre'], 2, 'say when the absence ends, with --until\n'],
    [
      ['add', 'bruno.keller', 'bruno.keller', '--until', '2098-01-01T00:00:00Z'],
      1,
      'substitute: must be another person\n',
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
