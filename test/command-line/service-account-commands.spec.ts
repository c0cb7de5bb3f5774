import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Service accounts on the command line (docs/command-line.md). */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(['service-accounts', ...args], { env: { DATABASE_URL: urlOf(database.connection) } });

const rowsOf = async (...args: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await run(...args, '--json')).out) as Record<string, unknown>[];

const EXPIRES = ['--expires', '2999-01-01T00:00:00Z'];

describe('service accounts on the command line', () => {
  it('are created and listed', async () => {
    const made = await run('create', 'portal', '--title', 'Portal', '--calls-per-minute', '600');
    expect(made).toEqual({
      code: 0,
      out: 'portal is there; it has no key and no role yet\n',
      error: '',
    });
    expect(await rowsOf('list')).toContainEqual({
      login: 'portal',
      title: 'Portal',
      status: 'active',
      callsPerMinute: 600,
      keys: 0,
      lastUseDate: null,
    });
  });

  it('get keys that are shown once, and lose them', async () => {
    const { code, out } = await run('keys', 'create', 'portal', 'First', ...EXPIRES);
    expect([code, out]).toEqual([0, expect.stringMatching(/^ppk_[\w-]{43}\n$/)]);
    const [first] = await rowsOf('keys', 'list', 'portal');
    expect(first).toMatchObject({ name: 'First', prefix: out.slice(0, 12), permissions: null });
    expect(JSON.stringify(first)).not.toContain(out.trim());
    const [second] = await rowsOf('keys', 'rotate', 'portal', first!.id as string);
    expect(second).toMatchObject({ name: 'First', key: expect.stringMatching(/^ppk_/) });
    expect((await run('keys', 'delete', 'portal', first!.id as string)).code).toBe(0);
    expect((await rowsOf('keys', 'list', 'portal')).map(({ id }) => id)).toEqual([second!.id]);
  });

  it('refuse what the API refuses', async () => {
    const bad = await run(
      'keys',
      'create',
      'portal',
      'Bad',
      ...EXPIRES,
      '--permission',
      'news:fly',
    );
    expect(bad).toMatchObject({ code: 1, out: '', error: expect.stringContaining('news:fly') });
    expect(await run('keys', 'create', 'bruno.keller', 'Bad', ...EXPIRES)).toEqual({
      code: 1,
      out: '',
      error: 'there is no service account bruno.keller\n',
    });
  });
});
