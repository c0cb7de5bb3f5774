import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';

/** Two servers on one database: a credential revoked on one must not stay valid on the other. */
const AUTHENTICATION = '/api/v2/authentication';
const USERS = '/api/v2/directory/users';

let database: TestDatabase;
let proxy: DatabaseProxy;
let near: ServerProcess, far: ServerProcess;
let admin: string;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.connection.host);
  const env = { LOG_LEVEL: 'silent' };
  const behindProxy = { ...database.connection, host: proxy.host };
  [near, far] = await Promise.all([
    startServerProcess({ ...env, DATABASE_URL: urlOf(database.connection) }),
    startServerProcess({ ...env, DATABASE_URL: urlOf(behindProxy) }),
  ]);
  admin = await signIn('alice.martin');
});
afterAll(async () => {
  await Promise.all([near.stop(), far.stop()]);
  await proxy.close();
  await database.drop();
});

const signIn = async (login: string): Promise<string> => {
  const body = { login, password: DEMO_PASSWORD };
  const answer = await send(near.port, AUTHENTICATION, { method: 'POST', body });
  return (answer.body as { token: string }).token;
};
const statusAt = async (server: ServerProcess, token: string, path = AUTHENTICATION) =>
  (await send(server.port, path, { token })).status;
const onNear = async (method: string, path: string, token: string, body?: unknown) => {
  const { status } = await send(near.port, path, { method, token, body });
  expect([method, path, status]).toEqual([method, path, expect.any(Number)]);
  expect(status).toBeLessThan(300);
};
const uriOf = async (token: string): Promise<string> => {
  const { body } = await send(near.port, AUTHENTICATION, { token });
  return `/api/v2${(body as { user: { uri: string } }).user.uri}`;
};
/** Asserts that the token is soon rejected, and never accepted again. */
const refusedSoon = async (token: string, status = 401, path = AUTHENTICATION) => {
  await eventually(async () => expect(await statusAt(far, token, path)).toBe(status));
  for (let time = 0; time < 5; time++) expect(await statusAt(far, token, path)).toBe(status);
};

describe('what one server revokes', () => {
  let token: string;
  let uri: string;
  beforeAll(async () => {
    uri = await uriOf(await signIn('bruno.keller'));
  });
  const remembered = async (): Promise<string> => {
    token = await signIn('bruno.keller');
    expect(await statusAt(far, token)).toBe(200);
    return token;
  };

  it.each<[string, () => Promise<void>]>([
    ['by signing out', () => onNear('DELETE', AUTHENTICATION, token)],
    ['by ending the sessions', () => onNear('DELETE', `${uri}/tokens`, admin)],
    [
      'by a password that an administrator sets',
      () => onNear('PUT', `${uri}/password`, admin, { password: `${DEMO_PASSWORD}-2` }),
    ],
    [
      'by deactivation',
      () => onNear('PATCH', uri, admin, [{ op: 'replace', path: '/status', value: 0 }]),
    ],
  ])('%s holds on the other', async (_, revoke) => {
    await remembered();
    await revoke();
    await refusedSoon(token);
    await database.query(`UPDATE users SET status = 1 WHERE login = 'bruno.keller'`);
    await database.query(
      `UPDATE passwords SET hash = (SELECT hash FROM passwords p JOIN users u ON u.id = p.user_id WHERE login = 'chloe.lefevre')
       WHERE user_id = (SELECT id FROM users WHERE login = 'bruno.keller')`,
    );
  });

  it('includes the tokens of a deleted user', async () => {
    const body = { login: 'to.be.deleted', lastName: 'Deleted', password: DEMO_PASSWORD };
    await onNear('POST', USERS, admin, body);
    const own = await signIn('to.be.deleted');
    expect(await statusAt(far, own)).toBe(200);
    await onNear('DELETE', await uriOf(own), admin);
    await refusedSoon(own);
  });

  it('includes the rights of a role', async () => {
    const chloe = await signIn('chloe.lefevre');
    const path = await uriOf(chloe);
    const audit = '/api/v2/administration/audit';
    const role = (value: boolean) =>
      onNear('PATCH', path, admin, [{ op: 'replace', path: '/administrator', value }]);
    await role(true);
    await eventually(async () => expect(await statusAt(far, chloe, audit)).toBe(200));
    await role(false);
    await refusedSoon(chloe, 403, audit);
  });

  it('includes the admission of an address, on a connection that was open before', async () => {
    const rule = (value: string) =>
      database.query(
        `UPDATE parameters SET value = $1 WHERE key LIKE '%ExternalAuthenticationAction%'`,
        [value],
      );
    await rule('10.0.0.0/8');
    await refusedSoon('', 403);
    await rule('127.0.0.1');
    await eventually(async () => expect(await statusAt(far, admin)).toBe(200));
  });

  it('holds while the listening connection is frozen, and after it', async () => {
    await remembered();
    proxy.freezeListener();
    await onNear('DELETE', AUTHENTICATION, token);
    await refusedSoon(token);
    const other = await remembered();
    proxy.release();
    await delay(1_000);
    expect(await statusAt(far, other)).toBe(200);
    await onNear('DELETE', AUTHENTICATION, other);
    await refusedSoon(other);
  });

  it('stays revoked after a look-up that began earlier', async () => {
    token = await signIn('bruno.keller');
    // A look-up that misses opens the connection, so that the held answer is that of the next look-up.
    expect(await statusAt(far, 'x'.repeat(43))).toBe(401);
    const held = proxy.holdAnswers();
    const overtaken = statusAt(far, token);
    await held;
    await onNear('DELETE', AUTHENTICATION, token);
    await delay(100);
    proxy.release();
    expect([200, 401]).toContain(await overtaken);
    await refusedSoon(token);
  });
});
