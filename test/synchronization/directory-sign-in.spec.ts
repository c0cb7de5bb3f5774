import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import {
  DirectoryPasswords,
  type DirectoryPerson,
} from '../../src/auth/credentials/directory-passwords.service.js';
import { loadConfig } from '../../src/base/config/config.js';
import { AuditSums } from '../../src/security/audit-sums.js';
import { synchronize } from '../../src/synchronization/synchronize.js';
import { makeAuthority } from '../support/certificate.js';
import { personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

/** Signing in with the password of a directory (docs/ldap.md#passwords-of-the-directory). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PROVIDER = '/api/v2/directory/providers/CORP';
const AUTHENTICATION = '/api/v2/authentication';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };

type Json = Record<string, unknown>;

if (SLAPD === undefined) console.warn('slapd is missing: the directory is not tested');

(SLAPD === undefined ? describe.skip : describe)('the password of a directory', () => {
  let server: TestServer;
  let slapd: Slapd;
  let other: string;
  let admin: string;
  let settings: Json;

  const call = (method: string, path: string, body?: unknown, token = admin) =>
    server.call(path, { method, token, body });
  const signIn = async (
    login: string,
    password: string,
    code?: string,
  ): Promise<[number, Json]> => {
    const body = { login, password, code };
    const answer = await server.call(AUTHENTICATION, { method: 'POST', body });
    return [answer.status, answer.body as Json];
  };
  const set = async (ldap: Json): Promise<void> => {
    const value = { ...settings, ...ldap };
    const answer = await call('PATCH', PROVIDER, [{ op: 'replace', path: '/ldap', value }]);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const idOf = async (login: string): Promise<string> => {
    const text = 'SELECT id::text FROM users WHERE login = $1';
    return (await server.database.query<{ id: string }>(text, [login]))[0]!.id;
  };
  /** The last refusal, from the audit trail. */
  const why = async (): Promise<unknown> => {
    await server.app.get(AuditSums).write();
    const [row] = await server.database.query<{ reason: string }>(
      `SELECT reason FROM audit WHERE action = 'refuse' ORDER BY id DESC LIMIT 1`,
    );
    return row?.reason;
  };
  const failures = async (): Promise<number> => {
    const [row] = await server.database.query<{ failures: number }>(
      `SELECT greatest((SELECT sum(failures) FROM sign_ins), (SELECT sum(failures) FROM known_addresses))::int AS failures`,
    );
    return row!.failures;
  };

  beforeAll(async () => {
    slapd = await Slapd.start('sizelimit unlimited\nallow bind_anon_dn', true);
    other = makeAuthority('other').cert;
    slapd.change(
      ['ada', 'ben', 'kurt', 'eve*)(uid=*']
        .map((uid) => personLdif(uid, { userPassword: `${uid}-secret` }))
        .join(''),
    );
    server = await startTestServer({
      SECRETS_KEY,
      ...{ OIDC_ISSUER: 'https://identity.example', OIDC_AUDIENCE: 'portal' },
    });
    admin = await server.signInForLong('alice.martin');
    settings = {
      ...{ urls: [slapd.url], bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org' },
      ...{ pageSize: 2, signIn: true },
    };
    const body = { reference: 'CORP', label: 'Corporate directory', kind: 'ldap', ldap: settings };
    const made = await call('POST', '/api/v2/directory/providers', {
      ...body,
      bindPassword: ROOT_PASSWORD,
    });
    expect(made).toMatchObject({ status: 201, body: { ldap: { signIn: true } } });
    const config = loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY });
    await synchronize(config.withDatabase(server.database.connection), {
      ...{ provider: String((made.body as Json).id), isDryRun: false },
    });
    // Passwords from before.
    await server.database.query(
      `INSERT INTO passwords (user_id, hash) SELECT u.id, p.hash FROM users u, passwords p
       WHERE u.managed_by_id IS NOT NULL AND p.user_id = (SELECT id FROM users WHERE login = 'bruno.keller')`,
    );
  });
  beforeEach(async () => {
    for (const table of ['address_attempts', 'known_addresses'])
      await server.database.query(`DELETE FROM ${table}`);
    await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
  });
  afterAll(async () => {
    await server?.close();
    await slapd?.close();
  });

  it('signs in, and the audit trail says by what', async () => {
    expect(await signIn('ada', 'ada-secret')).toMatchObject([200, { token: expect.anything() }]);
    expect(await signIn('eve*)(uid=*', 'eve*)(uid=*-secret')).toMatchObject([200, {}]);
    const [line] = await server.database.query<Json>(
      `SELECT after FROM audit WHERE action = 'sign-in' AND actor_login = 'ada' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({ after: { by: 'password of the directory' } });
    expect(await signIn('bruno.keller', DEMO_PASSWORD)).toMatchObject([200, {}]);
  });

  it.each([
    ['a wrong password', 'ada', 'ben-secret', 'password of the directory'],
    ['a password stored here', 'ada', DEMO_PASSWORD, 'password of the directory'],
    ['a blank password', 'ada', ' \t\u00a0', 'password of the directory'],
    ['an unknown login', 'nobody', 'ada-secret', 'password'],
    ['a wildcard', 'a*', 'ada-secret', 'password'],
    ['a filter', 'ada)(uid=*', 'ada-secret', 'password'],
  ])('refuses %s', async (_, login, password, reason) => {
    expect(await signIn(login, password)).toMatchObject([401, REFUSED]);
    expect(await why()).toBe(`bad credentials: ${reason}`);
  });

  it.each([
    ['an empty password', 'ada', '', 400],
    ['a NUL', 'ada', 'ada-secret\0', 400],
    ['a NUL in the login', 'ada\0', 'ada-secret', 400],
  ])('takes %s for no credentials', async (_, login, password, status) => {
    expect((await signIn(login, password))[0]).toBe(status);
  });

  it('never binds without a password, which this directory would take', async () => {
    const text = `SELECT managed_by_id::text AS provider, external_id AS "externalId" FROM users WHERE login = 'ada'`;
    const [ada] = await server.database.query<DirectoryPerson>(text);
    const passwords = server.app.get(DirectoryPasswords);
    const verdicts = ['', ' ', 'ada-secret\0', 'ada-secret'].map((one) =>
      passwords.verify(ada!, one, () => Promise.resolve()),
    );
    expect(await Promise.all(verdicts)).toEqual(['wrong', 'wrong', 'wrong', 'right']);
  });

  it('knows who was renamed there, and refuses who is gone or inactive', async () => {
    slapd.change(`dn: uid=kurt,ou=people,dc=example,dc=org
changetype: modrdn
newrdn: uid=curt
deleteoldrdn: 1
`);
    expect((await signIn('kurt', 'kurt-secret'))[0]).toBe(200);
    slapd.change('dn: uid=curt,ou=people,dc=example,dc=org\nchangetype: delete\n');
    expect((await signIn('kurt', 'kurt-secret'))[0]).toBe(401);
    // An entry of the same name is not the person.
    slapd.change(personLdif('kurt', { userPassword: 'kurt-secret' }));
    expect((await signIn('kurt', 'kurt-secret'))[0]).toBe(401);
    const status = (value: number) =>
      server.database.query(`UPDATE users SET status = ${value} WHERE login = 'ben'`);
    await status(0);
    expect((await signIn('ben', 'ben-secret'))[0]).toBe(401);
    await status(1);
    expect((await signIn('ben', 'ben-secret'))[0]).toBe(200);
  });

  it('locks after too many failures', async () => {
    for (let at = 0; at < 10; at++) {
      await server.database.query('DELETE FROM address_attempts');
      expect((await signIn('ada', `wrong ${at}`))[0]).toBe(401);
    }
    expect((await signIn('ada', 'ada-secret'))[0]).toBe(401);
    expect(await why()).toBe('bad credentials: locked');
  });

  it('counts no failure while no directory answers, and asks another one', async () => {
    await set({ urls: ['ldap://127.0.0.1:1'] });
    for (let at = 0; at < 12; at++)
      expect(await signIn('ada', 'ada-secret')).toMatchObject([401, REFUSED]);
    expect(await why()).toBe('bad credentials: the directory does not answer');
    expect(await failures()).toBe(0);
    await set({ urls: ['ldap://127.0.0.1:1', slapd.url] });
    expect((await signIn('ada', 'ada-secret'))[0]).toBe(200);
  });

  it('trusts only the authorities of its settings, by StartTLS and ldaps', async () => {
    for (const encrypted of [{ urls: [slapd.tlsUrl] }, { startTls: true }]) {
      await set({ ...encrypted, certificates: slapd.authority.cert });
      expect((await signIn('ada', 'ada-secret'))[0]).toBe(200);
      for (const certificates of [other, null]) {
        await set({ ...encrypted, certificates });
        expect((await signIn('ada', 'ada-secret'))[0]).toBe(401);
        expect(await why()).toBe('bad credentials: the directory does not answer');
      }
    }
    expect(await failures()).toBe(0);
  });

  it('confirms who one is, and is not changed here', async () => {
    await set({});
    const [, { token }] = await signIn('ada', 'ada-secret');
    const confirm = async (password: string) => {
      const path = `${AUTHENTICATION}/confirmation`;
      return (await call('POST', path, { password }, String(token))).status;
    };
    expect([await confirm(DEMO_PASSWORD), await confirm('ada-secret')]).toEqual([400, 204]);
    const path = `/api/v2/directory/users/${await idOf('ada')}/password`;
    const change = { currentPassword: 'ada-secret', password: 'Another-password-1' };
    const body = {
      code: 409,
      message: 'The directory that manages this person checks the password: change it there',
    };
    expect(await call('PUT', path, change, String(token))).toMatchObject({ status: 409, body });
    const reset = { password: 'Another-password-1' };
    expect(await call('PUT', path, reset)).toMatchObject({ status: 409, body });
    await set({ signIn: false });
    expect((await signIn('ada', 'ada-secret'))[0]).toBe(401);
    expect((await signIn('ada', DEMO_PASSWORD))[0]).toBe(200);
    await set({});
  });

  it('invites nobody, and lets an earlier code set no password', async () => {
    const [ada, keller] = [await idOf('ada'), await idOf('bruno.keller')];
    const users = '/api/v2/directory/users';
    const conflict = {
      status: 409,
      body: {
        ...{ code: 409, reason: 'directory-password', parameters: {} },
        message: 'The directory that manages this person checks the password: change it there',
      },
    };
    await set({ signIn: false });
    const made = await call('POST', `${users}/${ada}/invitation`);
    const { code } = made.body as { code: string };
    await set({});
    expect(await call('POST', `${users}/${ada}/invitation`)).toMatchObject(conflict);
    const order = { users: [ada, keller], delivery: 'link' };
    expect((await call('POST', `${users}/invitations`, order)).body).toMatchObject([
      { login: 'ada', code: null, expiration: null, problem: 'directory-password' },
      { login: 'bruno.keller', code: expect.anything(), problem: null },
    ]);
    const use = { code, password: 'Another-password-1' };
    for (const [path, body] of [
      ['invitations', use],
      ['invitations/check', { code }],
    ] as const)
      expect(await call('POST', `/api/v2/directory/${path}`, body)).toMatchObject(conflict);
    await call('DELETE', `${users}/${keller}/invitation`);
  });

  it('asks for the second step as any password does', async () => {
    const app = '/api/v2/directory/users/me/second-steps/authenticator-app';
    const assigned = await call('POST', '/api/v2/directory/role-assignments', {
      ...{ user: 'ben', role: 'administrator' },
    });
    expect(assigned.status).toBe(201);
    const parameter = '/api/v2/administration/parameters/com.platform.security.SecondStep.of';
    const sysadmin = await server.signIn('sysadmin');
    const ask = async (value: string) =>
      expect((await call('PUT', parameter, { value }, sysadmin)).status).toBe(200);
    await ask('administrator');
    const [, { token }] = await signIn('ben', 'ben-secret');
    expect(await call('GET', '/api/v2/directory/users', undefined, String(token))).toMatchObject({
      ...{ status: 403, body: { reason: 'second-step-missing' } },
    });
    const { secret } = (await call('POST', app, undefined, String(token))).body as Json;
    const codeOf = (ahead: number) =>
      new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({
        timestamp: Date.now() + ahead * 30_000,
      });
    const confirmation = { code: codeOf(0) };
    expect((await call('POST', `${app}/confirmation`, confirmation, String(token))).status).toBe(
      200,
    );
    expect(await signIn('ben', 'ben-secret')).toMatchObject([
      401,
      { reason: 'second-step-required' },
    ]);
    // A code alone proves nothing.
    expect(await signIn('ben', 'wrong', codeOf(1))).toMatchObject([401, REFUSED]);
    const [status, session] = await signIn('ben', 'ben-secret', codeOf(1));
    expect(status).toBe(200);
    const list = await call('GET', '/api/v2/directory/users', undefined, String(session.token));
    expect(list.status).toBe(200);
    await ask('');
  });

  it('takes no password where passwords are switched off', async () => {
    const parameter = '/api/v2/administration/parameters/com.platform.security.Password.signIn';
    const sysadmin = await server.signIn('sysadmin');
    const put = async (value: boolean) =>
      expect((await call('PUT', parameter, { value }, sysadmin)).status).toBe(200);
    await put(false);
    expect((await signIn('ada', 'ada-secret'))[0]).toBe(401);
    expect(await why()).toBe('bad credentials: passwords are switched off');
    await put(true);
  });
});
