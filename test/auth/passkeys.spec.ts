import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../../src/create-app.js';
import { loadConfig } from '../../src/base/config/config.js';
import { eventually } from '../support/eventually.js';
import { type Lies, type PasskeyOptions, TestPasskey } from '../support/authenticator.js';
import {
  type Answer,
  type Call,
  DEMO_PASSWORD,
  send,
  startTestServer,
  type TestServer,
} from '../support/test-server.js';

const ORIGIN = 'https://portal.example';
const HOST = 'portal.example';
const AUTHENTICATION = '/api/v2/authentication';
const OPTIONS = `${AUTHENTICATION}/passkey`;
const STEPS = '/api/v2/directory/users/me/second-steps';
const PASSKEY = `${STEPS}/passkey`;

const REFUSED = {
  code: 401,
  message: 'Bad or invalid authentication',
  reason: 'bad-credentials',
  parameters: {},
};
const wrongPasskey = {
  code: 400,
  message: 'Invalid: passkey',
  fields: [
    {
      name: 'passkey',
      message:
        'is not accepted: it is unknown, or it answers no challenge of this server that is still valid and unused',
      code: 'wrong-passkey',
      parameters: {},
    },
  ],
};

/** Active people without rights, each for one test. */
let others: string[];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    PUBLIC_URL: ORIGIN,
    SECRETS_KEY: 'a-key-for-this-test-of-passkeys!',
  });
  const rows = await server.database.query<{ login: string }>(
    `SELECT login FROM users JOIN passwords ON user_id = id WHERE status = 1 AND NOT administrator AND NOT process_engine
      AND login NOT IN ('bruno.keller', 'chloe.lefevre') ORDER BY id LIMIT 9`,
  );
  others = rows.map(({ login }) => login);
});
afterAll(() => server.close());

const json = ({ text }: { text: string }): unknown => JSON.parse(text);
const call = (path: string, { headers, ...options }: Call = {}): Promise<Answer> =>
  server.call(path, { ...options, headers: { Host: HOST, ...headers } });
const post = (path: string, token?: string, body?: unknown) =>
  call(path, { method: 'POST', ...(token !== undefined && { token }), body });
const withPassword = (login: string) =>
  post(AUTHENTICATION, undefined, { login, password: DEMO_PASSWORD });
const tokenOf = async (login: string): Promise<string> =>
  (await withPassword(login)).body.token as string;
const options = async (): Promise<PasskeyOptions> => (await post(OPTIONS)).body as PasskeyOptions;
const present = (passkey: unknown) => post(AUTHENTICATION, undefined, { passkey });
const idOf = async (login: string): Promise<string> => {
  const [row] = await server.database.query<{ id: string }>(
    'SELECT id::text FROM users WHERE login = $1',
    [login],
  );
  return row!.id;
};

interface Enrolled {
  token: string;
  passkey: TestPasskey;
  recoveryCodes: string[] | null;
}

/** Adds a passkey for a person. */
async function enrol(
  login: string,
  passkey = new TestPasskey(ORIGIN),
  token?: string,
): Promise<Enrolled> {
  const session = token ?? (await tokenOf(login));
  const made = (await post(PASSKEY, session)).body as PasskeyOptions;
  const body = { name: 'Laptop', passkey: passkey.create(made) };
  const added = await post(`${PASSKEY}/confirmation`, session, body);
  expect([added.status, added.text]).toEqual([200, expect.any(String)]);
  return { token: session, passkey, recoveryCodes: added.body.recoveryCodes as string[] | null };
}

describe('POST /api/v2/directory/users/{id}/second-steps/passkey', () => {
  it('makes the options of a passkey that verifies the person and needs no login', async () => {
    const made = await post(PASSKEY, await tokenOf('chloe.lefevre'));
    expect([made.status, json(made)]).toEqual([
      200,
      expect.objectContaining({
        challenge: expect.stringMatching(/^[\w-]{75}$/),
        rp: { id: HOST, name: HOST },
        user: {
          id: expect.stringMatching(/^[\w-]{43}$/),
          name: 'chloe.lefevre',
          displayName: 'Chloé Lefèvre',
        },
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        timeout: 300_000,
      }),
    ]);
  });

  it('adds it as a second step, with recovery codes, and ends the other sessions', async () => {
    const other = await tokenOf('chloe.lefevre');
    const { token, passkey, recoveryCodes } = await enrol('chloe.lefevre');
    expect(recoveryCodes).toEqual(Array(10).fill(expect.stringMatching(/^([A-Z2-7]{4}-){5}/)));
    expect((await call(AUTHENTICATION, { token: other })).status).toBe(401);
    expect(json(await call(STEPS, { token }))).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'passkey',
        name: 'Laptop',
        creationDate: expect.stringMatching(/^\d{4}-.*Z$/),
        lastUseDate: null,
      },
    ]);
    const asked = await withPassword('chloe.lefevre');
    expect([asked.status, json(asked)]).toEqual([
      401,
      {
        code: 401,
        message: 'Present a second step as well: passkey, recovery-code',
        reason: 'second-step-required',
        parameters: { secondSteps: ['passkey', 'recovery-code'] },
      },
    ]);
    const body = { login: 'chloe.lefevre', password: DEMO_PASSWORD, code: recoveryCodes![0] };
    expect((await post(AUTHENTICATION, undefined, body)).status).toBe(200);
    // The authenticator makes no second one for the same person.
    const again = (await post(PASSKEY, token)).body as { excludeCredentials: object[] };
    expect(again.excludeCredentials).toEqual([
      { id: passkey.id.toString('base64url'), type: 'public-key' },
    ]);
    const second = await enrol('chloe.lefevre', new TestPasskey(ORIGIN), token);
    expect(second.recoveryCodes).toBeNull();
  });

  it('refuses one that answers another challenge, page or host, or has verified nobody', async () => {
    const token = await tokenOf('bruno.keller');
    const add = (passkey: unknown, session = token) =>
      post(`${PASSKEY}/confirmation`, session, { name: 'Laptop', passkey });
    const made = async (session = token) => (await post(PASSKEY, session)).body as PasskeyOptions;
    const lies: Lies[] = [
      { challenge: 'A'.repeat(75) },
      { challenge: (await options()).challenge },
      { challenge: (await made(await tokenOf(others[0]!))).challenge },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.get' },
      { isUserVerified: false },
    ];
    for (const lie of lies) {
      const refused = await add(new TestPasskey(ORIGIN).create(await made(), lie));
      expect([lie, refused.status, json(refused)]).toEqual([lie, 400, wrongPasskey]);
    }
    for (const body of [
      {},
      { name: 'Laptop' },
      { name: 'Laptop', passkey: 'x' },
      { name: 'Laptop', passkey: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
    ]) {
      const refused = await post(`${PASSKEY}/confirmation`, token, body);
      expect([refused.status, refused.body.fields.at(-1)]).toEqual([
        400,
        {
          name: 'passkey',
          message: 'must be what the browser made of the options (PublicKeyCredential.toJSON)',
          code: 'not-a-passkey',
          parameters: {},
        },
      ]);
    }
    expect((await call(STEPS, { token })).text).toBe('[]');
  });

  it('adds no passkey twice, and none with a challenge that was used', async () => {
    const login = others[1]!;
    const token = await tokenOf(login);
    const made = (await post(PASSKEY, token)).body as PasskeyOptions;
    const passkey = new TestPasskey(ORIGIN);
    const add = (one: TestPasskey, of: PasskeyOptions, session = token) =>
      post(`${PASSKEY}/confirmation`, session, { name: 'Laptop', passkey: one.create(of) });
    expect((await add(passkey, made)).status).toBe(200);
    expect(json(await add(new TestPasskey(ORIGIN), made))).toEqual(wrongPasskey);
    const thief = await tokenOf(others[2]!);
    const theirs = (await post(PASSKEY, thief)).body as PasskeyOptions;
    expect(json(await add(passkey, theirs, thief))).toEqual(wrongPasskey);
    expect((await call(STEPS, { token: thief })).text).toBe('[]');
  });

  it('is for people themselves, with a recent sign-in', async () => {
    const admin = await tokenOf('alice.martin');
    const ofBruno = `/api/v2/directory/users/${await idOf('bruno.keller')}/second-steps/passkey`;
    for (const path of [ofBruno, `${ofBruno}/confirmation`]) {
      const refused = await post(path, admin, {});
      expect([refused.status, refused.body.reason]).toEqual([403, 'own-second-step']);
    }
    const old = await tokenOf('bruno.keller');
    await server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`,
    );
    for (const path of [PASSKEY, `${PASSKEY}/confirmation`]) {
      const refused = await post(path, old, {});
      expect([refused.status, refused.body.reason]).toEqual([401, 'recent-sign-in-required']);
    }
  });
});

describe('POST /api/v2/authentication with a passkey', () => {
  let one: Enrolled;
  beforeAll(async () => {
    one = await enrol('bruno.keller');
  });

  it('signs in without login and password', async () => {
    const asked = await post(OPTIONS);
    expect([asked.status, json(asked)]).toEqual([
      200,
      {
        challenge: expect.stringMatching(/^[\w-]{75}$/),
        rpId: HOST,
        timeout: 300_000,
        userVerification: 'required',
      },
    ]);
    const answer = await present(one.passkey.sign(asked.body as PasskeyOptions));
    expect([answer.status, json(answer)]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[\w-]{43}$/),
        expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
    const token = answer.body.token as string;
    const session = await call(AUTHENTICATION, { token });
    expect(session.body.user.reference).toBe('bruno.keller');
    // It is a recent proof, too.
    expect((await post(PASSKEY, token)).status).toBe(200);
    const [line] = await server.database.query(
      `SELECT after FROM audit WHERE action = 'sign-in' AND actor_login = 'bruno.keller' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({ after: { by: 'passkey' } });
  });

  it('stays signed in where a page of this server asks for it', async () => {
    const answer = await call(AUTHENTICATION, {
      method: 'POST',
      body: { passkey: one.passkey.sign(await options()) },
      headers: { Prefer: 'renewal', Origin: ORIGIN },
    });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'renewal']);
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-session=/);
  });

  it('takes a challenge once, also of several calls at the same time', async () => {
    const passkey = new TestPasskey(ORIGIN, false);
    await enrol(others[3]!, passkey);
    const signed = passkey.sign(await options());
    const answers = await Promise.all([1, 2, 3].map(() => present(signed)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(json(await present(signed))).toEqual(REFUSED);
    expect((await present(passkey.sign(await options()))).status).toBe(200);
  });

  it('takes a challenge of another process once', async () => {
    const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN }).withDatabase({
      ...server.database.connection,
      user: 'platform_server',
    });
    const app = await createApp(config, []);
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as { port: number };
      const signed = one.passkey.sign(await options());
      const elsewhere = () =>
        send(port, AUTHENTICATION, {
          method: 'POST',
          body: { passkey: signed },
          headers: { Host: HOST },
        });
      expect((await elsewhere()).status).toBe(200);
      expect(json(await present(signed))).toEqual(REFUSED);
    } finally {
      await app.close();
    }
  });

  it('gives one refusal to everything that proves nobody', async () => {
    const stranger = new TestPasskey(ORIGIN);
    stranger.create({ challenge: '', rp: { id: HOST }, user: { id: 'AA' } });
    expect(json(await present(stranger.sign(await options())))).toEqual(REFUSED);
    const registration = ((await post(PASSKEY, one.token)).body as PasskeyOptions).challenge;
    const old = Buffer.from((await options()).challenge, 'base64url');
    old.writeBigUInt64BE(BigInt(Date.now() + 900_000));
    const lies: Lies[] = [
      { challenge: 'A'.repeat(75) },
      { challenge: '' },
      { challenge: registration },
      { challenge: old.toString('base64url') },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { userHandle: Buffer.alloc(32).toString('base64url') },
      { isUserVerified: false },
      { signCount: 1 },
    ];
    for (const lie of lies) {
      const refused = await present(one.passkey.sign(await options(), lie));
      expect([lie, refused.status, json(refused)]).toEqual([lie, 401, REFUSED]);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
      await server.database.query('UPDATE known_addresses SET failures = 0, locked_until = NULL');
      await server.database.query('DELETE FROM address_attempts');
    }
    const signed = one.passkey.sign(await options());
    const { response } = new TestPasskey(ORIGIN).sign(await options());
    const forged = { ...signed, response: { ...signed.response, signature: response.signature } };
    expect(json(await present(forged))).toEqual(REFUSED);
    expect(json(await present({ ...signed, id: '', rawId: '' }))).toEqual(REFUSED);
    expect((await present(one.passkey.sign(await options()))).status).toBe(200);
  });

  it('refuses a challenge that has expired', async () => {
    const asked = await options();
    const now = Date.now;
    Date.now = () => now() + 301_000;
    try {
      expect(json(await present(one.passkey.sign(asked)))).toEqual(REFUSED);
    } finally {
      Date.now = now;
    }
  });

  it('refuses people who may not sign in', async () => {
    const { passkey } = await enrol(others[4]!);
    const id = await idOf(others[4]!);
    const set = (text: string) => server.database.query(text, [id]);
    const refused = async () => json(await present(passkey.sign(await options())));
    await set('UPDATE users SET status = 0 WHERE id = $1');
    expect(await refused()).toEqual(REFUSED);
    await set('UPDATE users SET status = 1 WHERE id = $1');
    expect((await present(passkey.sign(await options()))).status).toBe(200);
    const locked = `locked_until = now() + interval '1 hour' WHERE user_id = $1`;
    await set(`UPDATE known_addresses SET ${locked}`);
    expect(await refused()).toEqual(REFUSED);
    await set('UPDATE known_addresses SET locked_until = NULL WHERE user_id = $1');
    expect((await present(passkey.sign(await options()))).status).toBe(200);
    await set('DELETE FROM second_steps WHERE user_id = $1');
    expect(await refused()).toEqual(REFUSED);
  });

  it('counts refusals as failed sign-ins', async () => {
    const { passkey } = await enrol(others[5]!);
    for (let time = 0; time < 10; time++)
      await present(passkey.sign(await options(), { origin: 'https://evil.example' }));
    expect(json(await present(passkey.sign(await options())))).toEqual(REFUSED);
    const [row] = await server.database.query<{ locked: boolean }>(
      `SELECT locked_until > now() AS locked FROM known_addresses WHERE user_id = $1`,
      [await idOf(others[5]!)],
    );
    expect(row).toEqual({ locked: true });
    await server.database.query('DELETE FROM address_attempts');
  });

  it('refuses a body that is none of its kinds', async () => {
    const both = { login: 'bruno.keller', password: DEMO_PASSWORD, passkey: {} };
    const answer = await post(AUTHENTICATION, undefined, both);
    expect([answer.status, answer.body.fields.map(({ name }: { name: string }) => name)]).toEqual([
      400,
      ['login', 'password', 'passkey'],
    ]);
    const blank = await post(AUTHENTICATION, undefined, { passkey: null });
    expect(blank.status).toBe(400);
  });
});

describe('a passkey', () => {
  it('ends with a password that another person sets, and its recovery codes with it', async () => {
    const login = others[8]!;
    const { passkey } = await enrol(login);
    expect((await present(passkey.sign(await options()))).status).toBe(200);
    const path = `/api/v2/directory/users/${await idOf(login)}`;
    const admin = await tokenOf('alice.martin');
    const password = 'Another-Password-1';
    const set = await call(`${path}/password`, { method: 'PUT', token: admin, body: { password } });
    expect(set.status).toBe(204);
    const refused = await present(passkey.sign(await options()));
    expect([refused.status, json(refused)]).toEqual([401, REFUSED]);
    expect((await post(AUTHENTICATION, undefined, { login, password })).status).toBe(200);
  });
});

describe('POST /api/v2/authentication/confirmation with a passkey', () => {
  it('is a recent proof for its owner alone', async () => {
    const mine = await enrol(others[6]!);
    const theirs = await enrol(others[7]!);
    // Tokens that no call has used, so that the server does not remember them.
    const token = (await present(mine.passkey.sign(await options()))).body.token as string;
    await server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`,
    );
    expect((await post(PASSKEY, token)).status).toBe(401);
    const confirm = async (passkey: TestPasskey) =>
      post(`${AUTHENTICATION}/confirmation`, token, { passkey: passkey.sign(await options()) });
    const foreign = await confirm(theirs.passkey);
    expect([foreign.status, json(foreign)]).toEqual([400, wrongPasskey]);
    expect((await post(PASSKEY, token)).status).toBe(401);
    const own = await confirm(mine.passkey);
    expect([own.status, own.text]).toEqual([204, '']);
    expect((await post(PASSKEY, token)).status).toBe(200);
  });
});

describe('a demanded second step', () => {
  it('may be a passkey', async () => {
    await server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.SecondStep.of', 'administrator')`,
    );
    let token = '';
    await eventually(async () => {
      token = await tokenOf('alice.martin');
      expect((await call('/api/v2/directory/users/me', { token })).status).toBe(403);
    });
    const { passkey } = await enrol('alice.martin', new TestPasskey(ORIGIN), token);
    expect((await call('/api/v2/directory/users/me', { token })).status).toBe(200);
    const answer = await present(passkey.sign(await options()));
    const path = '/api/v2/directory/users/me';
    expect((await call(path, { token: answer.body.token as string })).status).toBe(200);
  });
});

describe('where people do not sign in with passwords', () => {
  it('takes passkeys of sysadmin alone', async () => {
    const { passkey } = await enrol('bruno.keller', new TestPasskey(ORIGIN), await reenter());
    await server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Password.signIn', 'false')`,
    );
    await eventually(async () =>
      expect(json(await present(passkey.sign(await options())))).toEqual(REFUSED),
    );
  });

  /** A session of bruno.keller, whose earlier passkeys the test forgets. */
  async function reenter(): Promise<string> {
    await server.database.query('DELETE FROM second_steps');
    return tokenOf('bruno.keller');
  }
});

describe('a server without PUBLIC_URL', () => {
  it('has no passkeys', async () => {
    const bare = await startTestServer();
    try {
      const OFF = {
        code: 409,
        message:
          'This server has no passkeys: PUBLIC_URL must be an address with https and the name of a host',
        reason: 'passkeys-off',
        parameters: {},
      };
      expect(json(await bare.call(OPTIONS, { method: 'POST' }))).toEqual(OFF);
      const token = await bare.signIn('bruno.keller');
      expect(json(await bare.call(PASSKEY, { method: 'POST', token }))).toEqual(OFF);
      const passkey = new TestPasskey(ORIGIN).sign({ challenge: 'AA', rpId: HOST });
      const refused = await bare.call(AUTHENTICATION, { method: 'POST', body: { passkey } });
      expect(json(refused)).toEqual(REFUSED);
    } finally {
      await bare.close();
    }
  });
});
