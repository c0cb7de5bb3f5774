import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { fieldNames } from '../support/call.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const AUTHENTICATION = '/api/v2/authentication';
const STEPS = '/api/v2/directory/users/me/second-steps';
const APP = `${STEPS}/authenticator-app`;
const STEP_SECONDS = 30;

const REFUSED = {
  code: 401,
  message: 'Bad or invalid authentication',
  reason: 'bad-credentials',
  parameters: {},
};
const BOTH = ['authenticator-app', 'recovery-code'];
const MISSING = {
  code: 401,
  message: `Present a second step as well: ${BOTH.join(', ')}`,
  reason: 'second-step-required',
  parameters: { secondSteps: BOTH },
};
const WRONG = {
  code: 401,
  message: `The code of the second step is wrong, or has been used: ${BOTH.join(', ')}`,
  reason: 'wrong-second-step',
  parameters: { secondSteps: BOTH },
};
const WRONG_CODE = {
  code: 400,
  message: 'Invalid: code',
  fields: [
    { name: 'code', message: 'is wrong, or has been used', code: 'wrong-code', parameters: {} },
  ],
};
const MISSING_STEP = {
  code: 403,
  message:
    'Add a second step first (POST /api/v2/directory/users/me/second-steps/authenticator-app): until then this session permits nothing else',
  reason: 'second-step-missing',
  parameters: {},
};

/** Active people without rights, each for one test. */
let others: string[];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ SECRETS_KEY: 'a-key-for-the-secrets-of-this-test' });
});
beforeAll(async () => {
  const rows = await server.database.query<{ login: string }>(
    `SELECT login FROM users JOIN passwords ON user_id = id WHERE status = 1 AND NOT administrator AND NOT process_engine
      AND login NOT IN ('bruno.keller', 'chloe.lefevre') ORDER BY id LIMIT 6`,
  );
  others = rows.map(({ login }) => login);
});
afterAll(() => server.close());

const json = ({ text }: { text: string }): unknown => JSON.parse(text);
const post = (path: string, token: string, body?: unknown) =>
  server.call(path, { method: 'POST', token, body });
const signIn = (login: string, code?: string | null, password = DEMO_PASSWORD) =>
  server.call(AUTHENTICATION, {
    method: 'POST',
    body: { login, password, ...(code !== undefined && { code }) },
  });

/** The code of an app; `ahead` counts time steps from now. */
const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + ahead * STEP_SECONDS * 1000,
  });

/** Forgets the codes that a person has used, so that a test need not wait for the next one. */
const forgetUsed = () => server.database.query('UPDATE second_steps SET last_step = 0');

const idOf = async (login: string): Promise<string> => {
  const [row] = await server.database.query<{ id: string }>(
    'SELECT id::text FROM users WHERE login = $1',
    [login],
  );
  return row!.id;
};

interface Enrolled {
  token: string;
  secret: string;
  recoveryCodes: string[];
}

async function enrol(login: string): Promise<Enrolled> {
  const token = await server.signIn(login);
  const made = await post(APP, token);
  const secret = made.body.secret as string;
  const confirmed = await post(`${APP}/confirmation`, token, { code: codeOf(secret) });
  expect([made.status, confirmed.status]).toEqual([201, 200]);
  await forgetUsed();
  return { token, secret, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

describe('POST /api/v2/directory/users/{id}/second-steps/authenticator-app', () => {
  it('shows a secret once, and adds the app when one of its codes confirms it', async () => {
    const token = await server.signIn('chloe.lefevre');
    const made = await post(APP, token);
    const { secret } = made.body as { secret: string };
    expect([made.status, json(made)]).toEqual([
      201,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: `otpauth://totp/Process%20Platform:chloe.lefevre?issuer=Process%20Platform&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
      },
    ]);
    expect((await server.call(STEPS, { token })).text).toBe('[]');
    // Until then the password alone signs in.
    expect((await signIn('chloe.lefevre')).status).toBe(200);

    const wrong = await post(`${APP}/confirmation`, token, { code: '000000' });
    expect([wrong.status, json(wrong)]).toEqual([400, WRONG_CODE]);
    const confirmed = await post(`${APP}/confirmation`, token, { code: codeOf(secret) });
    expect([confirmed.status, json(confirmed)]).toEqual([
      200,
      { recoveryCodes: Array(10).fill(expect.stringMatching(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)) },
    ]);
    const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(json(await server.call(STEPS, { token }))).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'authenticator-app',
        name: null,
        creationDate: expect.stringMatching(/^\d{4}-.*Z$/),
        lastUseDate: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    const stored = await server.database.query(
      `SELECT s::text AS line FROM second_steps s UNION ALL SELECT r::text FROM recovery_codes r
        UNION ALL SELECT a::text FROM audit a`,
    );
    const hex = Secret.fromBase32(secret).hex.toLowerCase();
    for (const { line } of stored)
      for (const shown of [secret, hex, ...recoveryCodes]) expect(line).not.toContain(shown);
    expect((await signIn('chloe.lefevre')).status).toBe(401);
  });

  it('leaves sessions as they are until a code confirms it', async () => {
    const token = await server.signIn('alice.martin');
    const version = () =>
      server.database.query('SELECT credential_version FROM sign_ins WHERE user_id = $1', [alice]);
    const alice = await idOf('alice.martin');
    const before = await version();
    for (let time = 0; time < 2; time++) expect((await post(APP, token)).status).toBe(201);
    await server.database.query('DELETE FROM second_steps WHERE user_id = $1', [alice]);
    expect(await version()).toEqual(before);
  });

  it('ends the other sessions and keeps the own one', async () => {
    const other = await server.signIn(others[0]!);
    const { token } = await enrol(others[0]!);
    expect((await server.call(AUTHENTICATION, { token: other })).status).toBe(401);
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(200);
  });

  it('is for people themselves, with a recent sign-in', async () => {
    const admin = await server.signIn('alice.martin');
    const ofBruno = `/api/v2/directory/users/${await idOf('bruno.keller')}/second-steps`;
    for (const path of ['authenticator-app', 'authenticator-app/confirmation', 'recovery-codes']) {
      const refused = await post(`${ofBruno}/${path}`, admin, { code: '123456' });
      expect([refused.status, refused.body.reason]).toEqual([403, 'own-second-step']);
    }
    const removal = await server.call(`${ofBruno}/1`, { method: 'DELETE', token: admin });
    expect([removal.status, removal.body.reason]).toEqual([403, 'own-second-step']);
    expect((await server.call(ofBruno, { token: admin })).text).toBe('[]');
    const bruno = await server.signIn('bruno.keller');
    const stranger = `/api/v2/directory/users/${await idOf('alice.martin')}/second-steps`;
    expect((await server.call(stranger, { token: bruno })).status).toBe(403);
    expect((await post(APP, 'x'.repeat(43))).status).toBe(401);

    // A token that no call has used, so that the server does not remember it.
    const old = await server.signIn('bruno.keller');
    await server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`,
    );
    for (const path of [APP, `${APP}/confirmation`, `${STEPS}/recovery-codes`]) {
      const refused = await post(path, old, { code: '123456' });
      expect([refused.status, refused.body.reason]).toEqual([401, 'recent-sign-in-required']);
    }
    const late = await server.call(`${STEPS}/1`, { method: 'DELETE', token: old });
    expect([late.status, late.body.reason]).toEqual([401, 'recent-sign-in-required']);
  });

  it('refuses a body without a code', async () => {
    const token = await server.signIn('bruno.keller');
    for (const body of [{}, { code: null }, { code: 7 }, { code: 'x'.repeat(65) }]) {
      const refused = await post(`${APP}/confirmation`, token, body);
      expect([refused.status, fieldNames(refused)]).toEqual([400, ['code']]);
    }
    const unknown = await post(`${APP}/confirmation`, token, { code: '123456' });
    expect([unknown.status, json(unknown)]).toEqual([400, WRONG_CODE]);
  });
});

describe('POST /api/v2/authentication with a second step', () => {
  let one: Enrolled;
  beforeAll(async () => {
    one = await enrol('bruno.keller');
  });

  it('asks for the code only after a right password', async () => {
    const asked = await signIn('bruno.keller');
    expect([asked.status, json(asked)]).toEqual([401, MISSING]);
    expect(asked.headers['www-authenticate']).toBe('Bearer');
    expect(json(await signIn('bruno.keller', null))).toEqual(MISSING);
    for (const code of [undefined, codeOf(one.secret)])
      expect(json(await signIn('bruno.keller', code, 'Wrong-Password-2027'))).toEqual(REFUSED);
  });

  it('takes a code of the app once', async () => {
    const code = codeOf(one.secret);
    const answer = await signIn('bruno.keller', `${code.slice(0, 3)} ${code.slice(3)}`);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([
      200,
      ['token', 'expiration'],
    ]);
    expect(json(await signIn('bruno.keller', code))).toEqual(WRONG);
    await forgetUsed();
    expect(json(await signIn('bruno.keller', codeOf(one.secret, -9)))).toEqual(WRONG);
  });

  it('takes a code once of two sign-ins at the same time', async () => {
    await forgetUsed();
    const code = codeOf(one.secret);
    const answers = await Promise.all([1, 2, 3].map(() => signIn('bruno.keller', code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const [first, second] = one.recoveryCodes;
    expect((await signIn('bruno.keller', first)).status).toBe(200);
    expect(json(await signIn('bruno.keller', first))).toEqual(WRONG);
    const typed = second!.toLowerCase().replaceAll('-', ' ');
    expect((await signIn('bruno.keller', typed)).status).toBe(200);
    // Those of another person are worth nothing.
    const { recoveryCodes } = await enrol(others[1]!);
    expect(json(await signIn('bruno.keller', recoveryCodes[0]))).toEqual(WRONG);
  });

  it('records with what people signed in, and refusals without the code', async () => {
    await forgetUsed();
    await signIn('bruno.keller', codeOf(one.secret));
    const lines = await server.database.query(
      `SELECT after FROM audit WHERE action = 'sign-in' AND object_uri IS NULL AND actor_login = 'bruno.keller'
        ORDER BY id DESC LIMIT 1`,
    );
    expect(lines).toEqual([{ after: { by: 'password', secondStep: 'authenticator-app' } }]);
  });

  it('asks neither API keys nor people without one', async () => {
    await forgetUsed();
    const made = await post('/api/v2/directory/users/me/api-keys', one.token, { name: 'portal' });
    const byKey = await signIn('bruno.keller', undefined, made.body.key as string);
    expect(byKey.status).toBe(200);
    expect((await signIn('alice.martin')).status).toBe(200);
    expect((await signIn('alice.martin', '123456')).status).toBe(200);
  });

  it('asks for it in a confirmation of the password too', async () => {
    await forgetUsed();
    const confirm = (body: object) => post(`${AUTHENTICATION}/confirmation`, one.token, body);
    const asked = await confirm({ password: DEMO_PASSWORD });
    expect([asked.status, json(asked)]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: code',
        fields: [
          {
            name: 'code',
            message: MISSING.message,
            code: 'second-step-required',
            parameters: { secondSteps: BOTH },
          },
        ],
      },
    ]);
    const wrong = await confirm({ password: DEMO_PASSWORD, code: '000000' });
    expect([wrong.status, json(wrong)]).toEqual([400, WRONG_CODE]);
    const right = await confirm({ password: DEMO_PASSWORD, code: codeOf(one.secret) });
    expect([right.status, right.text]).toEqual([204, '']);
  });

  it('locks the account after guesses, which a right password between them does not forgive', async () => {
    const { secret } = await enrol(others[2]!);
    for (let guess = 0; guess < 10; guess++) {
      expect((await signIn(others[2]!)).body.reason).toBe('second-step-required');
      await signIn(others[2]!, '000000');
    }
    expect(json(await signIn(others[2]!, codeOf(secret)))).toEqual(REFUSED);
  });

  it('lets people abandon the question any number of times', async () => {
    await forgetUsed();
    await server.database.query('UPDATE address_attempts SET attempts = 0');
    for (let time = 0; time < 12; time++) await signIn('bruno.keller');
    expect((await signIn('bruno.keller', codeOf(one.secret))).status).toBe(200);
    const [row] = await server.database.query(
      'SELECT sum(attempts)::int AS n FROM address_attempts',
    );
    expect(row).toEqual({ n: 0 });
  });
});

describe('recovery codes and removal', () => {
  it('replaces recovery codes, and the app by another one', async () => {
    const one = await enrol(others[3]!);
    const renewed = await post(`${STEPS}/recovery-codes`, one.token);
    expect(renewed.status).toBe(201);
    expect(json(await signIn(others[3]!, one.recoveryCodes[0]))).toEqual(WRONG);
    const made = await post(APP, one.token);
    const secret = made.body.secret as string;
    // The app so far signs in until the new one is confirmed.
    expect((await signIn(others[3]!, codeOf(one.secret))).status).toBe(200);
    const confirmed = await post(`${APP}/confirmation`, one.token, { code: codeOf(secret) });
    expect([confirmed.status, json(confirmed)]).toEqual([200, { recoveryCodes: null }]);
    await forgetUsed();
    expect(json(await signIn(others[3]!, codeOf(one.secret)))).toEqual(WRONG);
    expect((await signIn(others[3]!, codeOf(secret))).status).toBe(200);
    const [fresh] = renewed.body.recoveryCodes as string[];
    expect((await signIn(others[3]!, fresh)).status).toBe(200);
  });

  it('removes the last second step with its recovery codes, and ends other sessions', async () => {
    const one = await enrol(others[4]!);
    const other = (await signIn(others[4]!, one.recoveryCodes[0])).body.token as string;
    const [{ id }] = json(await server.call(STEPS, { token: one.token })) as [{ id: string }];
    const remove = () => server.call(`${STEPS}/${id}`, { method: 'DELETE', token: one.token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await server.call(AUTHENTICATION, { token: other })).status).toBe(401);
    expect((await server.call(AUTHENTICATION, { token: one.token })).status).toBe(200);
    expect((await signIn(others[4]!)).status).toBe(200);
    const none = await post(`${STEPS}/recovery-codes`, one.token);
    expect([none.status, none.body.reason]).toEqual([409, 'no-second-step']);
    const kept = await server.database.query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [
      await idOf(others[4]!),
    ]);
    expect(kept).toEqual([]);
    const lines = await server.database.query(
      `SELECT action FROM audit WHERE object_uri = $1 AND action LIKE '%second-step' ORDER BY id`,
      [`/directory/users/${await idOf(others[4]!)}`],
    );
    expect(lines).toEqual([{ action: 'add-second-step' }, { action: 'remove-second-step' }]);
  });
});

describe('the parameter security.SecondStep.of', () => {
  const KEY = '/api/v2/administration/parameters/com.platform.security.SecondStep.of';
  // The parameter concerns sysadmin too, whose session was open before.
  let sysadmin: string;
  beforeAll(async () => {
    sysadmin = await server.signInForLong('sysadmin');
  });
  const set = (value: string) =>
    server.call(KEY, { method: 'PUT', token: sysadmin, body: { value } });

  it('refuses unknown names', async () => {
    const refused = await set('administrator, auditor');
    expect([refused.status, json(refused)]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: value',
        fields: [
          {
            name: 'value',
            message:
              'must be names of everybody, administrator, processEngine, sysadmin, separated by commas; unknown: auditor',
            code: 'unknown-holders',
            parameters: {
              unknown: ['auditor'],
              known: ['everybody', 'administrator', 'processEngine', 'sysadmin'],
            },
          },
        ],
      },
    ]);
  });

  it('leaves people who need a second step and have none nothing but to add one', async () => {
    expect((await set('administrator, processEngine')).status).toBe(200);
    const answer = await server.call(AUTHENTICATION, {
      method: 'POST',
      body: { login: 'alice.martin', password: DEMO_PASSWORD },
      headers: { Prefer: 'renewal', 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([
      200,
      ['token', 'expiration'],
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const token = answer.body.token as string;
    for (const path of ['/api/v2/directory/users/me', '/navigation/workplace/categories']) {
      const refused = await server.call(path, { token });
      expect([refused.status, json(refused)]).toEqual([403, MISSING_STEP]);
    }
    for (const path of ['api-keys', 'second-steps/recovery-codes']) {
      const refused = await post(`/api/v2/directory/users/me/${path}`, token, { name: 'x' });
      expect([refused.status, refused.body.reason]).toEqual([403, 'second-step-missing']);
    }
    const searched = await server.call(
      `/navigation/search/workplace?query=a&searchName=workplace_searchUsers&searchField=quickSearch&_AuthenticationKey=${token}`,
    );
    expect(searched.body.type).toBe('error');
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(200);
    expect((await server.call(STEPS, { token })).text).toBe('[]');

    // Others are not concerned, and an API key is none.
    expect((await signIn(others[5]!)).status).toBe(200);
    const made = await post(APP, token);
    const confirmed = await post(`${APP}/confirmation`, token, {
      code: codeOf(made.body.secret as string),
    });
    expect(confirmed.status).toBe(200);
    expect((await server.call('/api/v2/directory/users/me', { token })).status).toBe(200);
  });

  it('concerns everybody', async () => {
    expect((await set('everybody')).status).toBe(200);
    const token = await server.signIn(others[5]!);
    expect((await server.call('/api/v2/directory/users/me', { token })).status).toBe(403);
    expect((await server.call(AUTHENTICATION, { method: 'DELETE', token })).status).toBe(204);
  });
});

describe('a server without SECRETS_KEY', () => {
  let bare: TestServer;
  beforeAll(async () => {
    bare = await startTestServer();
  });
  afterAll(() => bare.close());

  it('makes no app, and asks nobody for one', async () => {
    const token = await bare.signIn('sysadmin');
    const refused = await bare.call(APP, { method: 'POST', token });
    expect([refused.status, json(refused)]).toEqual([
      409,
      {
        code: 409,
        message: 'This server has no SECRETS_KEY, with which it would encrypt the secret',
        reason: 'no-secrets-key',
        parameters: {},
      },
    ]);
    const path = '/api/v2/administration/parameters/com.platform.security.SecondStep.of';
    const body = { value: 'sysadmin' };
    const parameter = await bare.call(path, { method: 'PUT', token, body });
    expect([parameter.status, parameter.body.reason]).toEqual([409, 'no-secrets-key']);
  });
});
