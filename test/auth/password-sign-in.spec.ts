import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditSums } from '../../src/security/audit-sums.js';
import { describeInBrowser, expectAccessible, expectToFit, PHONE } from '../support/browser.js';
import { idOf } from '../support/id-of.js';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { type Mailbox, mailSettings, startMailbox } from '../support/mailbox.js';
import { sysadminPassword } from '../support/test-database.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const AUTHENTICATION = '/api/v2/authentication';
const USERS = '/api/v2/directory/users';
const PARAMETER = '/api/v2/administration/parameters/com.platform.security.Password.signIn';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const OFF = {
  code: 409,
  message:
    'Passwords are switched off (security.Password.signIn): people sign in at the identity provider',
};
const PASSWORD = 'Correct-Horse-2026';

let mailbox: Mailbox;
let provider: TestProvider;
let server: TestServer;
let origin: string;
let sysadmin: string;
let admin: string;
let bruno: string;
let brunosPath: string;
let key: string;
let code: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  provider = await startTestProvider();
  const settings = await mailSettings(mailbox);
  origin = settings.PUBLIC_URL;
  server = await startTestServer({
    ...settings,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: 'page, portal',
    OIDC_NAME: 'Example Ltd',
  });
  await provider.admitPage(`${origin}/workplace`);
  sysadmin = await server.signIn('sysadmin');
  admin = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  brunosPath = `${USERS}/${await idOf(server, 'users', 'bruno.keller')}`;
  key = (await post(`${brunosPath}/api-keys`, { name: 'Script' }, bruno)).body.key as string;
  code = (await post(`${brunosPath}/invitation`, undefined, admin)).body.code as string;
  expect((await setPasswords(false)).status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await provider.stop();
  await mailbox.close();
});

const post = (path: string, body?: object, token?: string) =>
  server.call(path, { method: 'POST', body, token });
const setPasswords = (value: boolean, query = '', to = server, token = sysadmin) =>
  to.call(PARAMETER + query, { method: 'PUT', body: { value }, token });
const signIn = (login: string, password: string) => post(AUTHENTICATION, { login, password });

describe('while passwords are switched off', () => {
  it('a right, a wrong and an unknown password get the same 401, and lock no account', async () => {
    for (const [login, password] of [
      ['bruno.keller', DEMO_PASSWORD],
      ['bruno.keller', 'wrong'],
      ['alice.martin', DEMO_PASSWORD],
      ['nobody', 'wrong'],
    ] as const) {
      const { status, body } = await signIn(login, password);
      expect([status, body]).toEqual([401, REFUSED]);
    }
    await server.app.get(AuditSums).write();
    const reasons = await server.database.query(
      `SELECT DISTINCT reason FROM audit WHERE action = 'refuse'`,
    );
    expect(reasons).toEqual([{ reason: 'bad credentials: passwords are switched off' }]);
    const failures = await server.database.query('SELECT 1 FROM sign_ins WHERE failures > 0');
    expect(failures).toEqual([]);
  });

  it('sysadmin, API keys and the identity provider sign in, and sessions continue', async () => {
    expect(await server.signIn('sysadmin')).toBeDefined();
    expect((await signIn('bruno.keller', key)).status).toBe(200);
    const headers = { Authorization: `Bearer ${await provider.idToken('chloe.lefevre')}` };
    expect((await server.call(AUTHENTICATION, { method: 'POST', headers })).status).toBe(200);
    expect((await server.call(`${USERS}/me`, { token: bruno })).status).toBe(200);
  });

  it('a forgotten password is a 404, as where the server sends no mail', async () => {
    for (const login of ['bruno.keller', 'nobody', 'sysadmin'])
      expect((await post(`${AUTHENTICATION}/password-reset`, { login })).status).toBe(404);
    expect(mailbox.mails).toEqual([]);
  });

  it.each<[string, () => Promise<{ status: number; body: unknown }>]>([
    [
      'confirming it',
      () => post(`${AUTHENTICATION}/confirmation`, { password: DEMO_PASSWORD }, bruno),
    ],
    [
      'changing it',
      () =>
        server.call(`${brunosPath}/password`, {
          method: 'PUT',
          token: bruno,
          body: { currentPassword: DEMO_PASSWORD, password: PASSWORD },
        }),
    ],
    [
      'setting the password of another user',
      () =>
        server.call(`${brunosPath}/password`, {
          method: 'PUT',
          token: sysadmin,
          body: { password: PASSWORD },
        }),
    ],
    [
      'creating a user with one',
      () => post(USERS, { login: 'new', lastName: 'New', password: PASSWORD }, sysadmin),
    ],
    ['an invitation', () => post(`${brunosPath}/invitation`, undefined, sysadmin)],
    ['an older code', () => post('/api/v2/directory/invitations/check', { code })],
    [
      'using an older code',
      () => post('/api/v2/directory/invitations', { code, password: PASSWORD }),
    ],
  ])('%s is a 409 that says so', async (_, call) => {
    const { status, body } = await call();
    expect([status, body]).toEqual([409, OFF]);
  });

  it('sysadmin confirms the own password, and may change it', async () => {
    const confirm = (password: string) =>
      post(`${AUTHENTICATION}/confirmation`, { password }, sysadmin);
    expect((await confirm('wrong')).status).toBe(400);
    expect((await confirm(sysadminPassword())).status).toBe(204);
    const change = await server.call(
      `${USERS}/${await idOf(server, 'users', 'sysadmin')}/password`,
      {
        method: 'PUT',
        token: sysadmin,
        body: { currentPassword: sysadminPassword(), password: 'short' },
      },
    );
    expect([change.status, change.body.errors]).toEqual([400, expect.arrayContaining(['length'])]);
  });
});

it('switching passwords off without an identity provider is a 409, unless forced', async () => {
  const plain = await startTestServer();
  try {
    const token = await plain.signIn('sysadmin');
    const refused = await setPasswords(false, '', plain, token);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'No identity provider is configured (OIDC_ISSUER), so only sysadmin could sign in; send ?force=true to set it anyway',
    ]);
    expect(await plain.signIn('bruno.keller')).toBeDefined();
    expect((await setPasswords(false, '?force=true', plain, token)).status).toBe(200);
    await expect(plain.signIn('bruno.keller')).rejects.toThrow('cannot sign in');
    expect((await setPasswords(true, '', plain, token)).status).toBe(200);
  } finally {
    await plain.close();
  }
});

describeInBrowser('The pages while passwords are switched off', (visits) => {
  it('show the provider by its name, and fields only to the system administrator', async () => {
    const { page } = await visits.open(`${origin}/workplace`);
    await page.getByRole('button', { name: 'Sign in with Example Ltd' }).waitFor();
    expect(await page.locator('input[name=login], input[name=password]').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in as system administrator' }).click();
    await page.getByLabel('Login').fill('sysadmin');
    expect(await page.getByText('Forgotten password?').count()).toBe(0);
    await expectAccessible(page);
  });

  it('fit a phone, and lead from the console to the provider', async () => {
    const { page } = await visits.open(`${origin}/console`, PHONE);
    await page.getByRole('link', { name: 'Workplace' }).waitFor();
    expect(await page.locator('input[name=login], input[name=password]').count()).toBe(0);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Sign in as system administrator' }).click();
    await page.getByLabel('Login').waitFor();
    await expectAccessible(page);
  });

  it('offer no password in the profile, and none to administrators', async () => {
    const profile = await visits.open(`${origin}/workplace/profile`, { token: bruno });
    await profile.page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await profile.page.locator('input[type=password]').count()).toBe(0);
    const { page } = await visits.open(`${origin}/console/users/${brunosPath.split('/').pop()}`, {
      token: admin,
    });
    await page
      .getByRole('link', { name: 'View as' })
      .or(page.getByText('Sessions'))
      .first()
      .waitFor();
    expect(await page.locator('input[type=password]').count()).toBe(0);
    expect(await page.getByRole('button', { name: /invit/i }).count()).toBe(0);
  });
});
