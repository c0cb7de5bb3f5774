import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';

const USERS = '/api/v2/directory/users';
const ASSIGNMENTS = '/api/v2/directory/role-assignments';

let server: TestServer;
/** Two people of the helpdesk, and a person who has lost the second step. */
let asking: string;
let confirming: string;
let owner: string;
let ownersToken: string;
let stranger: string;
const NAMES = ['bruno.keller', 'chloe.lefevre'] as const;

beforeAll(async () => {
  server = await startTestServer();
  const administrator = await server.signIn('alice.martin');
  for (const user of NAMES) {
    const body = { user, role: 'helpdesk' };
    await server.call(ASSIGNMENTS, { method: 'POST', token: administrator, body });
  }
  await server.database.query(
    `UPDATE passwords SET modification_date = now() - interval '25 hours'`,
  );
  [asking, confirming] = (await Promise.all(NAMES.map((name) => server.signIn(name)))) as [
    string,
    string,
  ];
  const rows = await server.database.query<{ login: string }>(
    `SELECT login FROM users JOIN passwords ON user_id = id WHERE status = 1 AND rights = '[]' ORDER BY id LIMIT 2`,
  );
  [owner, stranger] = rows.map(({ login }) => login) as [string, string];
  ownersToken = await server.signIn(owner);
});
afterAll(() => server.close());

const call = (method: string, token: string, path = '', login = owner) =>
  server.call(`${USERS}/${login}/second-step-reset${path}`, { method, token });
const addStep = () =>
  server.database.query(
    `WITH step AS (INSERT INTO second_steps (user_id, kind, sealed, confirmation_date)
       SELECT id, 'authenticator-app', '', now() FROM users WHERE login = '${owner}' RETURNING user_id)
     INSERT INTO recovery_codes (hash, user_id) SELECT gen_random_uuid()::text::bytea, user_id FROM step`,
  );
const steps = async (): Promise<number> => {
  const [row] = await server.database.query<{ count: number }>(
    `SELECT count(*)::int FROM (SELECT user_id FROM second_steps UNION ALL SELECT user_id FROM recovery_codes) s
      JOIN users u ON u.id = s.user_id WHERE u.login = '${owner}'`,
  );
  return row!.count;
};
const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer;
  return [status, body.reason, body.parameters];
};
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('the reset of a second step', () => {
  it('is asked for by one person and confirmed by another one', async () => {
    expect(await refusal(call('POST', asking))).toEqual([409, 'no-second-step', {}]);
    await addStep();
    const asked = await call('POST', asking);
    const reset = {
      requester: expect.objectContaining({ reference: 'bruno.keller' }),
      creationDate: timestamp,
      expiration: timestamp,
    };
    expect([asked.status, asked.body]).toEqual([202, reset]);
    const { creationDate, expiration } = asked.body as Record<string, string>;
    expect(Date.parse(expiration!) - Date.parse(creationDate!)).toBe(3_600_000);
    expect((await call('GET', confirming)).body).toEqual(asked.body);

    expect(await refusal(call('POST', confirming))).toEqual([
      409,
      'reset-requested',
      { login: 'bruno.keller' },
    ]);
    expect(await refusal(call('POST', asking, '/confirmation'))).toEqual([409, 'own-reset', {}]);
    expect([await steps(), (await call('GET', asking)).status]).toEqual([2, 200]);

    expect((await call('POST', confirming, '/confirmation')).status).toBe(204);
    expect(await steps()).toBe(0);
    expect((await server.call(`${USERS}/me`, { token: ownersToken })).status).toBe(401);
    expect((await call('POST', confirming, '/confirmation')).status).toBe(404);
    const lines = await server.database.query(
      `SELECT action, actor_login AS actor FROM audit WHERE action LIKE '%second-step%' ORDER BY id`,
    );
    expect(lines).toEqual([
      { action: 'request-second-step-reset', actor: 'bruno.keller' },
      { action: 'remove-second-step', actor: 'chloe.lefevre' },
    ]);
  });

  it('is withdrawn or rejected, and ends by itself after an hour', async () => {
    await addStep();
    await call('POST', asking);
    expect((await call('DELETE', confirming)).status).toBe(204);
    expect((await call('DELETE', confirming)).status).toBe(204);
    expect((await call('POST', confirming, '/confirmation')).status).toBe(404);
    await call('POST', asking);
    await server.database.query(
      `UPDATE second_step_resets SET creation_date = now() - interval '61 minutes'`,
    );
    expect((await call('GET', confirming)).status).toBe(404);
    expect((await call('POST', confirming, '/confirmation')).status).toBe(404);
    expect(await steps()).toBe(2);
    expect((await call('POST', confirming)).status).toBe(202);
    await call('DELETE', confirming);
  });

  it('ends when the person who asked for it is shut out, or may do less', async () => {
    await addStep();
    const before = await steps();
    expect((await call('POST', asking)).status).toBe(202);
    const roles = `FROM role_assignments WHERE user_id = (SELECT id FROM users WHERE login = 'bruno.keller')`;
    await server.database.query(
      `UPDATE users SET status = 0 WHERE login = 'bruno.keller';
       UPDATE users SET status = 1 WHERE login = 'bruno.keller'`,
    );
    expect((await call('POST', confirming, '/confirmation')).status).toBe(404);
    expect(await steps()).toBe(before);
    const [asker] = NAMES;
    asking = await server.signIn(asker);
    expect((await call('POST', asking)).status).toBe(202);
    await server.database.query(`DELETE ${roles}`);
    expect((await call('POST', confirming, '/confirmation')).status).toBe(404);
    await server.database.query(
      `INSERT INTO role_assignments (user_id, role_id)
         SELECT u.id, r.id FROM users u, roles r WHERE u.login = 'bruno.keller' AND r.reference = 'helpdesk';
       DELETE FROM second_steps; DELETE FROM recovery_codes`,
    );
    asking = await server.signIn(asker);
  });

  it('takes nobody whose password is new, because the other one may have invited them', async () => {
    await server.database.query('DELETE FROM second_steps; DELETE FROM recovery_codes');
    await addStep();
    const renew = (login: string, hours: number) =>
      server.database.query(
        `UPDATE passwords SET modification_date = now() - interval '${hours} hours'
          FROM users WHERE id = user_id AND login = '${login}'`,
      );
    const refused = [409, 'recent-password', { hours: 24 }];
    await renew('bruno.keller', 23);
    expect(await refusal(call('POST', asking))).toEqual(refused);
    await renew('bruno.keller', 25);
    expect((await call('POST', asking)).status).toBe(202);
    await renew('chloe.lefevre', 1);
    expect(await refusal(call('POST', confirming, '/confirmation'))).toEqual(refused);
    expect(await steps()).toBe(2);
    await renew('chloe.lefevre', 25);
    await call('DELETE', confirming);
  });

  it('is for people with the permission, a recent sign-in and no fewer rights', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/confirmation'],
      ['DELETE', ''],
    ] as const) {
      expect(await refusal(call(method, asking, path, 'bruno.keller'))).toEqual([
        403,
        'reset-by-others',
        {},
      ]);
      for (const [login, reason] of [
        ['alice.martin', 'more-rights'],
        ['sysadmin', 'other-account'],
      ] as const)
        expect((await refusal(call(method, asking, path, login)))[1]).toBe(reason);
    }
    const token = await server.signIn(stranger);
    expect(await refusal(call('POST', token, '', 'chloe.lefevre'))).toEqual([
      403,
      'missing-permission',
      { permission: 'users:reset-second-step' },
    ]);
    // A token that no call has used, so that the server does not remember it.
    const old = await server.signIn('bruno.keller');
    await server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`,
    );
    for (const path of ['', '/confirmation'])
      expect((await refusal(call('POST', old, path)))[1]).toBe('recent-sign-in-required');
  });
});
