import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { makeProgram } from '../src/command-line/program.js';
import { type CommandResult, runCommand } from './support/command-line.js';
import { eventually } from './support/eventually.js';
import { urlOf } from './support/server-process.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from './support/test-server.js';

const LIFETIME = 'com.platform.security.Token.lifetime';

/** The subcommands of a command. */
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  url = urlOf(server.database.connection);
});
afterAll(() => server.close());

const run = (
  args: string[],
  { env = {}, ...options }: Parameters<typeof runCommand>[1] = {},
): Promise<CommandResult> => runCommand(args, { ...options, env: { DATABASE_URL: url, ...env } });

describe('process-platform', () => {
  it('is executable after a build, so that npx can run it', () => {
    expect(statSync('dist/src/cli.js').mode & 0o777).toBe(0o755);
  });

  it('prints its help', async () => {
    const help = await run(['--help']);
    expect([help.code, help.error]).toEqual([0, '']);
    for (const command of [
      'serve',
      'migrate',
      'seed',
      'parameters',
      'addresses',
      'users',
      'tokens',
    ])
      expect(help.out).toContain(`\n  ${command} `);
    const unknown = await run(['fly']);
    expect(unknown.code).toBe(2);
    expect(unknown.error).toContain(`unknown command 'fly'`);
  });

  it.each([[['migrate', 'plan']], [['parameters', 'list', '--json']]])(
    '%j ends without an error when nobody reads its output any more',
    async (args) => {
      expect(await run(args, { closesOutput: true })).toEqual({ code: 0, out: '', error: '' });
    },
  );

  it('prints the help of every command', () => {
    const explained = leavesOf(makeProgram(() => Promise.resolve()));
    expect(explained.length).toBeGreaterThan(10);
    for (const command of explained) {
      expect([command.name(), command.description()]).toEqual([
        command.name(),
        expect.stringMatching(/^[a-z].{10}/),
      ]);
      expect(command.helpInformation()).toContain('Usage: process-platform ');
    }
  });

  it('reads and sets parameters, and running servers follow', async () => {
    expect(await run(['parameters', 'get', LIFETIME])).toEqual({
      code: 0,
      out: '3600\n',
      error: '',
    });
    const short = LIFETIME.replace('com.platform.', '');
    expect(await run(['parameters', 'set', short, '120'])).toEqual({
      code: 0,
      out: `${LIFETIME} = 120\n`,
      error: '',
    });
    await eventually(async () => {
      const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
      const answer = await server.call('/api/v2/authentication', { method: 'POST', body });
      expect(Date.parse(answer.body.expiration as string)).toBeLessThan(Date.now() + 121_000);
    });
    const [line] = await server.database.query(
      `SELECT actor_login, actor_uri, address, before, after FROM audit WHERE action = 'set-parameter'`,
    );
    expect(line).toEqual({
      actor_login: expect.stringMatching(/^command line \(.+\)$/),
      actor_uri: null,
      address: null,
      before: { value: 3600 },
      after: { value: 120 },
    });
    const list = JSON.parse((await run(['parameters', 'list', '--json'])).out) as {
      key: string;
      value: unknown;
      description: string;
    }[];
    const lifetime = list.find(({ key }) => key === LIFETIME)!;
    expect([lifetime.value, lifetime.description]).toEqual([
      120,
      'Lifetime of a token in seconds (60 to 2592000)',
    ]);
  }, 300_000);

  it.each([
    [['parameters', 'set', LIFETIME, 'x'], 'value: must be a whole number from 60 to 2592000\n'],
    [['parameters', 'get', 'x'], 'there is no parameter x: see parameters list\n'],
    [['users', 'unlock', 'nobody'], 'there is no user nobody\n'],
    [['tokens', 'revoke', 'nobody'], 'there is no user nobody\n'],
  ])('%j fails with one line', async (args, error) => {
    expect(await run(args)).toEqual({ code: 1, out: '', error });
  });

  it.each([
    [['addresses', 'explain', 'x'], 'x is not an IPv4 or IPv6 address\n'],
    [['tokens', 'revoke'], 'give either a login or --all\n'],
    [['tokens', 'revoke', 'nobody', '--all'], 'give either a login or --all\n'],
    [['seed'], 'nothing to seed: use --folder or --demo\n'],
  ])('%j is misuse', async (args, error) => {
    expect(await run(args)).toEqual({ code: 2, out: '', error });
  });

  it('lets somebody in again when no address is allowed', async () => {
    const rule = 'security.ExternalAuthenticationAction.allowedAddresses';
    // Another refusal, which is not about the address.
    expect((await server.call('/api/v2/directory/users')).status).toBe(401);
    await run(['parameters', 'set', rule, '']);
    await eventually(async () => expect((await server.call('/api/v2')).status).toBe(403));
    const explained = await run(['addresses', 'explain', '127.0.0.1', '--json']);
    expect(JSON.parse(explained.out)).toEqual([
      { rule: 'callers', address: '127.0.0.1', allowed: false, admittedBy: null, list: '' },
      {
        rule: 'sysadmin',
        address: '127.0.0.1',
        allowed: true,
        admittedBy: '127.0.0.1',
        list: '127.0.0.1, ::1',
      },
    ]);
    // Rejected calls are audited in batches.
    await eventually(async () => {
      const refused = await run(['addresses', 'explain']);
      expect(refused.out).toMatch(/127\.0\.0\.1 .*The calling address is not authorized/);
      expect(refused.out).not.toContain('You are not logged in');
    });
    await run(['parameters', 'set', rule, '127.0.0.1, ::1']);
    await eventually(async () => expect((await server.call('/api/v2')).status).toBe(200));
  }, 300_000);

  it('ends the sessions of everybody, as after a restore', async () => {
    const tokens = [await server.signIn('alice.martin'), await server.signIn('chloe.lefevre')];
    expect((await run(['tokens', 'revoke', '--all'])).out).toMatch(
      /^\d+ sessions of everybody ended\n$/,
    );
    await eventually(async () => {
      for (const token of tokens)
        expect((await server.call('/api/v2/authentication', { token })).status).toBe(401);
    });
  }, 300_000);

  it('ends sessions, unlocks and resets passwords', async () => {
    const token = await server.signIn('chloe.lefevre');
    expect((await run(['tokens', 'revoke', 'Chloe.Lefevre'])).out).toBe(
      '1 sessions of Chloe.Lefevre ended\n',
    );
    await eventually(async () =>
      expect((await server.call('/api/v2/authentication', { token })).status).toBe(401),
    );
    await server.database.query('DELETE FROM known_addresses');
    await server.database.query(
      `UPDATE sign_ins SET failures = 10, locked_until = now() + interval '1 hour'`,
    );
    await expect(server.signIn('chloe.lefevre')).rejects.toThrow('401');
    expect((await run(['users', 'unlock', 'chloe.lefevre'])).code).toBe(0);
    expect(await server.signIn('chloe.lefevre')).toBeDefined();

    const made = await run(['users', 'reset-password', 'sysadmin']);
    const password = made.out.trimEnd();
    expect(password).toHaveLength(20);
    expect(await server.signIn('sysadmin', password)).toBeDefined();
    const weak = await run(['users', 'reset-password', 'sysadmin', '--stdin'], { input: 'weak\n' });
    expect(weak).toEqual({
      code: 1,
      out: '',
      error:
        'The password does not meet the password rules: length, uppercase, number, special-char\n',
    });
    const given = await run(['users', 'reset-password', 'sysadmin', '--stdin'], {
      input: 'A-given-Password-1\n',
    });
    expect(given.out).toBe('the password of sysadmin is set\n');
    expect(given.error).toBe('');
    expect(await server.signIn('sysadmin', 'A-given-Password-1')).toBeDefined();
    await server.database.query(`UPDATE users SET status = 2 WHERE login = 'chloe.lefevre'`);
    const invited = await run(['users', 'reset-password', 'chloe.lefevre']);
    expect([invited.code, invited.error]).toEqual([
      0,
      'chloe.lefevre cannot sign in yet: only users with the status 1 can\n',
    ]);
  }, 300_000);

  it.each([
    [['import', 'users', '/nowhere.csv'], '/nowhere.csv: no such file or folder\n'],
    [['import', 'users', '/', '--format', 'csv'], '/: is a folder\n'],
    [
      ['export', 'users', '/nowhere/users.csv'],
      '/nowhere/users.csv.partial: no such file or folder\n',
    ],
    [['backup', '/nowhere/backup'], '/nowhere/backup.partial: no such file or folder\n'],
    [['restore', '/nowhere.backup', '--force'], '/nowhere.backup: no such file or folder\n'],
    [['seed', '--folder', '/nowhere'], '/nowhere: no such file or folder\n'],
  ])('says why %j cannot use its file', async (args, error) => {
    expect(await run(args)).toEqual({ code: 1, out: '', error });
  });

  it('invites people by links that it prints', async () => {
    await server.database.query(`UPDATE users SET status = 3 WHERE login = 'bruno.keller'`);
    const printed = await run(['users', 'invite', 'Chloe.Lefevre', 'bruno.keller', 'nobody'], {
      env: { PUBLIC_URL: 'https://portal.example' },
    });
    expect(printed).toEqual({
      code: 1,
      out: expect.stringMatching(
        /^login,link\nchloe\.lefevre,https:\/\/portal\.example\/workplace\/invitation#[\w-]{43}\n$/,
      ),
      error:
        'nobody: there is no such user\nbruno.keller: only active and invited users can be invited\n',
    });
    const [, code] = printed.out.trimEnd().split('#');
    const body = { code, password: 'A-given-Password-2' };
    const used = await server.call('/api/v2/directory/invitations', { method: 'POST', body });
    expect(used.status).toBe(204);
    expect((await run(['users', 'invite'])).code).toBe(2);
    expect((await run(['users', 'invite', 'chloe.lefevre', '--mail'])).error).toBe(
      'This server sends no mails: SMTP_URL is not set\n',
    );
  }, 300_000);

  it('says what is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-cli-'));
    const away = await run(['parameters', 'list'], {
      env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
    });
    expect([away.code, away.out]).toEqual([1, '']);
    expect(away.error).toMatch(
      /^The database cannot be reached: .*ECONNREFUSED.*Check DATABASE_URL\.\n$/,
    );
    const fresh = await run(['parameters', 'list'], { cwd: folder, env: { DATABASE_URL: '' } });
    expect(fresh).toEqual({
      code: 1,
      out: '',
      error:
        'the database has no tables yet: start the server, or run process-platform migrate run\n',
    });
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);
});
