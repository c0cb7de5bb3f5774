import { describe, expect, it } from '@jest/globals';
import { DEMO_PASSWORD } from '../support/send.js';
import { useCommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';

/** Accounts and their sessions on the command line (docs/command-line.md). */

const served = useCommandLine();
const { run } = served;

describe('the command line', () => {
  it('lists the users of a status or a group, and administrators', async () => {
    const logins = async (...options: string[]) =>
      (
        JSON.parse((await run(['users', 'list', ...options, '--json'])).out) as { login: string }[]
      ).map(({ login }) => login);
    const stored = (condition: string) =>
      served.server.database
        .query<{ login: string }>(
          `SELECT login FROM users u WHERE ${condition} ORDER BY login_key(login)`,
        )
        .then((rows) => rows.map(({ login }) => login));
    expect(await logins()).toEqual(await stored('true'));
    expect(await logins('--status', 'active', '--administrators')).toEqual(
      await stored('status = 1 AND administrator'),
    );
    expect(await logins('--status', 'archived')).toEqual(await stored('status = 3'));
    const [group] = await served.server.database.query<{ id: string; reference: string }>(
      'SELECT id, reference FROM groups JOIN group_members ON group_id = id LIMIT 1',
    );
    expect(await logins('--group', group!.reference)).toEqual(
      await stored(`id IN (SELECT user_id FROM group_members WHERE group_id = ${group!.id})`),
    );
    expect((await run(['users', 'list'])).out).toMatch(
      /^login +title +email +status +administrator\n/,
    );
    expect(await run(['users', 'list', '--status', '1'])).toEqual({
      code: 2,
      out: '',
      error: 'the status must be one of inactive, active, invited, archived\n',
    });
  });

  it('ends the sessions of everybody, as after a restore', async () => {
    const tokens = [
      await served.server.signIn('alice.martin'),
      await served.server.signIn('chloe.lefevre'),
    ];
    expect((await run(['tokens', 'revoke', '--all'])).out).toMatch(
      /^\d+ sessions of everybody ended\n$/,
    );
    await eventually(async () => {
      for (const token of tokens)
        expect((await served.server.call('/api/v2/authentication', { token })).status).toBe(401);
    });
  }, 300_000);

  it('exports what is held about a person, and erases the person after a question', async () => {
    const [person] = await served.server.database.query<{ id: string }>(
      `INSERT INTO users (login, last_name, title) VALUES ('trillian.astra', 'Astra', 'Trillian Astra') RETURNING id`,
    );
    const { id } = person!;
    const exported = await run(['users', 'export-personal-data', 'trillian.astra']);
    expect([exported.code, JSON.parse(exported.out)]).toMatchObject([
      0,
      { user: { login: 'trillian.astra', title: 'Trillian Astra' }, 'tasks.assignee_id': [] },
    ]);
    const question =
      'This erases trillian.astra for good: names, addresses, photo, keys, sessions and filters. Type the login to go on: ';
    const erase = (login: string, more: string[] = [], input = '') =>
      run(['users', 'erase', login, ...more], { input });
    expect(await erase('trillian.astra', [], 'no\n')).toEqual({
      code: 1,
      out: '',
      error: `${question}nothing was erased\n`,
    });
    expect(await erase('trillian.astra')).toEqual({
      code: 1,
      out: '',
      error: `${question}nothing was erased\n`,
    });
    expect(await erase('trillian.astra', [], 'trillian.astra\n')).toEqual({
      code: 0,
      out: `trillian.astra is erased, and is now former-${id}\n`,
      error: question,
    });
    const rows = await served.server.database.query(
      `SELECT title, status FROM users WHERE id = ${id}`,
    );
    expect(rows).toEqual([{ title: `Former employee ${id}`, status: 3 }]);
    expect((await erase('sysadmin', ['--yes'])).error).toBe(
      'The system administrator cannot be deleted\n',
    );
  }, 300_000);

  it('removes the second steps of a person who has lost them', async () => {
    const reset = (...options: string[]) =>
      run(['users', 'reset-second-step', 'bruno.keller', ...options]);
    expect(await reset()).toEqual({ code: 0, out: 'bruno.keller has none\n', error: '' });
    const token = await served.server.signIn('bruno.keller');
    await served.server.database.query(
      `INSERT INTO second_steps (user_id, kind, sealed, confirmation_date)
       SELECT id, 'authenticator-app', '', now() FROM users WHERE login = 'bruno.keller'`,
    );
    await served.server.database.query(
      `INSERT INTO recovery_codes (hash, user_id) SELECT 'x', id FROM users WHERE login = 'bruno.keller'`,
    );
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const signIn = () => served.server.call('/api/v2/authentication', { method: 'POST', body });
    expect((await signIn()).body.reason).toBe('second-step-required');
    expect(JSON.parse((await reset('--json')).out)).toEqual([
      { login: 'bruno.keller', removed: 1 },
    ]);
    expect((await signIn()).status).toBe(200);
    expect(await served.server.database.query('SELECT 1 FROM recovery_codes')).toEqual([]);
    await eventually(async () =>
      expect((await served.server.call('/api/v2/authentication', { token })).status).toBe(401),
    );
    const [line] = await served.server.database.query(
      `SELECT action, actor_login LIKE 'command line%' AS by FROM audit WHERE action = 'remove-second-step'`,
    );
    expect(line).toEqual({ action: 'remove-second-step', by: true });
  });

  it('ends sessions, unlocks and resets passwords', async () => {
    const token = await served.server.signIn('chloe.lefevre');
    expect((await run(['tokens', 'revoke', 'Chloe.Lefevre'])).out).toBe(
      '1 sessions of Chloe.Lefevre ended\n',
    );
    await eventually(async () =>
      expect((await served.server.call('/api/v2/authentication', { token })).status).toBe(401),
    );
    expect((await run(['tokens', 'revoke', 'chloe.lefevre', '--json'])).out).toBe(
      `${JSON.stringify([{ login: 'chloe.lefevre', sessions: 0 }], undefined, 2)}\n`,
    );
    await served.server.database.query('DELETE FROM known_addresses');
    await served.server.database.query(
      `UPDATE sign_ins SET failures = 10, locked_until = now() + interval '1 hour'`,
    );
    const unlock = async () => (await run(['users', 'unlock', 'chloe.lefevre'])).out;
    await expect(served.server.signIn('chloe.lefevre')).rejects.toThrow('401');
    expect(await unlock()).toBe('chloe.lefevre is unlocked\n');
    expect(await served.server.signIn('chloe.lefevre')).toBeDefined();
    expect(await unlock()).toBe('chloe.lefevre was not locked\n');

    // The sign-in has made its address a known one, which has a lock of its own.
    await served.server.database.query(
      `UPDATE known_addresses SET failures = 10, locked_until = now() + interval '1 hour'`,
    );
    await expect(served.server.signIn('chloe.lefevre')).rejects.toThrow('401');
    expect(await unlock()).toBe('chloe.lefevre is unlocked\n');
    expect(await served.server.signIn('chloe.lefevre')).toBeDefined();

    const made = await run(['users', 'reset-password', 'sysadmin']);
    const password = made.out.trimEnd();
    expect(password).toHaveLength(20);
    expect(await served.server.signIn('sysadmin', password)).toBeDefined();
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
    expect(await served.server.signIn('sysadmin', 'A-given-Password-1')).toBeDefined();
    await served.server.database.query(`UPDATE users SET status = 2 WHERE login = 'chloe.lefevre'`);
    const invited = await run(['users', 'reset-password', 'chloe.lefevre']);
    expect([invited.code, invited.error]).toEqual([
      0,
      'chloe.lefevre cannot sign in yet: only users with the status 1 can\n',
    ]);
  }, 300_000);

  it('invites people by links that it prints', async () => {
    await served.server.database.query(`UPDATE users SET status = 3 WHERE login = 'bruno.keller'`);
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
    const used = await served.server.call('/api/v2/directory/invitations', {
      method: 'POST',
      body,
    });
    expect(used.status).toBe(204);
    expect((await run(['users', 'invite'])).code).toBe(2);
    expect((await run(['users', 'invite', 'chloe.lefevre', '--mail'])).error).toBe(
      'This server sends no mails: SMTP_URL is not set\n',
    );
  }, 300_000);

  it.each([
    [['users', 'unlock', 'nobody'], 'there is no user nobody\n'],
    [['tokens', 'revoke', 'nobody'], 'there is no user nobody\n'],
  ])('%j fails with one line', async (args, error) => {
    expect(await run(args)).toEqual({ code: 1, out: '', error });
  });

  it.each([
    [['tokens', 'revoke'], 'give either a login or --all\n'],
    [['tokens', 'revoke', 'nobody', '--all'], 'give either a login or --all\n'],
  ])('%j is misuse', async (args, error) => {
    expect(await run(args)).toEqual({ code: 2, out: '', error });
  });
});
