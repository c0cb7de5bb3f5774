import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD } from '../support/test-server.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Starts the server with the demonstration portal, and returns what it prints for people. */
async function banner(): Promise<string> {
  const env = { DATABASE_URL: urlOf(database.connection), DEMO_DATA: 'true' };
  const server = await startServerProcess(env);
  await server.stop();
  return server.messages();
}

/** Gives an account a password that is not the published one. */
const changePassword = (login: string): Promise<unknown> =>
  database.query(
    `UPDATE passwords SET hash = (SELECT hash FROM passwords p JOIN users u ON u.id = p.user_id WHERE u.sysadmin)
     WHERE user_id = (SELECT id FROM users WHERE login = '${login}')`,
  );

describe('the message of a start', () => {
  it('names the demonstration accounts, and a first call', async () => {
    const printed = await banner();
    expect(printed).toContain(
      `Demonstration logins, all with the password ${DEMO_PASSWORD}:\n  alice.martin (administrator)\n  bruno.keller\n  chloe.lefevre\n`,
    );
    expect(printed).toContain(`{"login":"bruno.keller","password":"${DEMO_PASSWORD}"}`);
  });

  it('leaves out accounts whose password changed, and the password when all did', async () => {
    await changePassword('bruno.keller');
    const printed = await banner();
    expect(printed).toContain('  alice.martin (administrator)\n  chloe.lefevre\n');
    expect(printed).toContain(`{"login":"chloe.lefevre","password":"${DEMO_PASSWORD}"}`);
    expect(printed).not.toContain('bruno.keller');
    await changePassword('alice.martin');
    await changePassword('chloe.lefevre');
    expect(await banner()).not.toMatch(/Demonstration|first call|Portal-Demo/);
  });
});

describe('a start while passwords are switched off', () => {
  const WARNING = 'only sysadmin can sign in';
  const PROVIDER = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_AUDIENCE: 'page' };

  const printed = async (env: Record<string, string> = {}): Promise<string> => {
    const server = await startServerProcess({ DATABASE_URL: urlOf(database.connection), ...env });
    await server.stop();
    return server.printed();
  };
  const setPasswords = (value: string): Promise<unknown> =>
    database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Password.signIn', '${value}') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );

  it('warns that only sysadmin can sign in without an identity provider, and names the remedy', async () => {
    expect(await printed()).not.toContain(WARNING);
    await setPasswords('false');
    const text = await printed();
    expect(text).toContain(WARNING);
    expect(text).toContain('parameters set security.Password.signIn true');
    expect(await printed(PROVIDER)).not.toContain(WARNING);
  });
});
