import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashing } from '../../src/auth/credentials/password-hash.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { Notifications } from '../../src/database/notifications.js';
import { fieldNames } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { sysadminPassword } from '../support/test-database.js';
import {
  type Answer,
  DEMO_PASSWORD,
  startTestServer,
  type TestServer,
} from '../support/test-server.js';

const PATH = '/api/v2/authentication';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const TOO_MANY = { code: 429, message: 'Too many requests' };
const HOME = '127.0.0.5';
const ELSEWHERE = '127.0.0.6';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.2' });
  await setParameter('security.ExternalAuthenticationAction.allowedAddresses', '127.0.0.0/8, ::/1');
  await eventually(async () =>
    expect((await server.call('/api/v2', { from: HOME })).status).toBe(200),
  );
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const setParameter = (key: string, value: string) =>
  server.database.query(
    'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  );

/** A busy server puts sign-ins off with a 503: the client tries again. */
async function attempt(
  login: string,
  password: string,
  from = ELSEWHERE,
  headers = {},
): Promise<Answer> {
  const call = { method: 'POST', body: { login, password }, from, headers };
  let answer = await server.call(PATH, call);
  while (answer.status === 503) answer = await server.call(PATH, call);
  return answer;
}

const fail = async (login: string, times: number, from = ELSEWHERE) => {
  const answers = await Promise.all(
    Array.from({ length: times }, () => attempt(login, 'wrong', from)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(401));
};

/** A new user with the demonstration password. */
let made = 0;
async function newUser(): Promise<{ id: string; login: string }> {
  const body = { login: `limited.${++made}`, lastName: 'Limited', password: DEMO_PASSWORD };
  const answer = await server.call('/api/v2/directory/users', {
    method: 'POST',
    token: admin,
    body,
  });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; login: string };
}

/** How long a lock lasts is rounded up to five minutes, which a busy machine may take until it asks. */
const countersOf = async (id: string) =>
  (
    await server.database.query(
      `SELECT failures, ceil(extract(epoch FROM locked_until - now()) / 300)::int * 5 AS minutes FROM sign_ins WHERE user_id = $1`,
      [id],
    )
  )[0];

describe('the lock of an account', () => {
  it('counts attempts before it evaluates passwords, even parallel ones', async () => {
    const { id, login } = await newUser();
    const before = hashing.evaluations;
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => attempt(login, 'wrong', '127.0.0.31')),
    );
    // Attempts that do not fit into the queue fail immediately.
    for (const { body } of answers) expect([REFUSED, TOO_MANY]).toContainEqual(body);
    expect(answers.some(({ status }) => status === 401)).toBe(true);
    expect(hashing.evaluations - before).toBeLessThanOrEqual(10);
    expect(await countersOf(id)).toEqual({ failures: 10, minutes: 15 });
    // The answer is that to a wrong password, even for the right one.
    expect((await attempt(login, DEMO_PASSWORD)).body).toEqual(REFUSED);
  });

  it('does not count parallel right passwords against each other', async () => {
    const { id, login } = await newUser();
    await setParameter('security.Lock.failures', '3');
    await server.app.get(Notifications).waitUntilDelivered();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => attempt(login, DEMO_PASSWORD)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await countersOf(id)).toMatchObject({ failures: 0, minutes: null });
    await setParameter('security.Lock.failures', '10');
    await server.app.get(Notifications).waitUntilDelivered();
  });

  it('lets passwords and keys of one account overlap without waiting for each other in a circle', async () => {
    for (let round = 0; round < 8; round++) {
      const { id, login } = await newUser();
      const path = `/api/v2/directory/users/${id}/api-keys`;
      const made = await server.call(path, { method: 'POST', token: admin, body: { name: 'job' } });
      const { key } = made.body as { key: string };
      const answers = await Promise.all(
        Array.from({ length: 48 }, (_, at) => attempt(login, at % 3 === 0 ? key : DEMO_PASSWORD)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(48).fill(200));
    }
    // A connection reports its outcome when it ends.
    await server.database.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const found = await server.database.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(found).toEqual([{ deadlocks: 0 }]);
    await eventually(async () => expect((await server.call('/health/ready')).status).toBe(200));
  });

  it('leaves no failures behind right passwords that overlap from a new address', async () => {
    const { id, login } = await newUser();
    await Promise.all(Array.from({ length: 8 }, () => attempt(login, DEMO_PASSWORD, '127.0.0.33')));
    await Promise.all(Array.from({ length: 8 }, () => attempt(login, DEMO_PASSWORD, '127.0.0.33')));
    expect(await countersOf(id)).toMatchObject({ failures: 0 });
  });

  it('counts one login in all its forms', async () => {
    const { id, login } = await newUser();
    const forms = [login, login.toUpperCase(), login.replace('limited', 'ｌｉｍｉｔｅｄ')];
    for (const form of forms) await fail(form, 1);
    expect(await countersOf(id)).toMatchObject({ failures: 3 });
  });

  it('admits the owner from an address of an earlier sign-in', async () => {
    const { login } = await newUser();
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
    await fail(login, 11);
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(401);
    expect((await attempt(login, DEMO_PASSWORD, '127.0.0.7')).status).toBe(401);
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
    // A successful sign-in of the owner does not reset the attacker's failures.
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(401);
  });

  it('applies to a known address too, which has its own count', async () => {
    const { id, login } = await newUser();
    await attempt(login, DEMO_PASSWORD, HOME);
    await fail(login, 10, HOME);
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(401);
    expect(await countersOf(id)).toMatchObject({ failures: 0 });
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(200);
  });

  it('covers a known address despite a script that signs in from there with a key', async () => {
    const { id, login } = await newUser();
    const path = `/api/v2/directory/users/${id}/api-keys`;
    const made = await server.call(path, { method: 'POST', token: admin, body: { name: 'job' } });
    const { key } = made.body as { key: string };
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
    await fail(login, 9, HOME);
    expect((await attempt(login, key, HOME)).status).toBe(200);
    await fail(login, 1, HOME);
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(401);
  });

  it('is seen with its latest end, that of a known address too, and ended by an administrator', async () => {
    const { id, login } = await newUser();
    const path = `/api/v2/directory/users/${id}`;
    const lockedFor = async () => {
      const { lockedUntil } = (await server.call(path, { token: admin })).body;
      return lockedUntil === null ? null : (Date.parse(lockedUntil as string) - Date.now()) / 1000;
    };
    await attempt(login, DEMO_PASSWORD, HOME);
    await fail(login, 10, HOME);
    expect(await lockedFor()).toBeGreaterThan(600);
    await fail(login, 10);
    await server.database.query(
      `UPDATE known_addresses SET locked_until = now() + interval '2 hours' WHERE user_id = $1`,
      [id],
    );
    expect(await lockedFor()).toBeGreaterThan(7_000);
    await server.database.query(
      `UPDATE known_addresses SET locked_until = now() - interval '1 second' WHERE user_id = $1`,
      [id],
    );
    expect(await lockedFor()).toBeLessThan(1_000);
    await fail(login, 1, HOME);
    const unlocked = await server.call(`${path}/lock`, { method: 'DELETE', token: admin });
    expect(unlocked.status).toBe(204);
    expect(await lockedFor()).toBeNull();
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
  });

  it('ends by itself; the next failure doubles it, a success forgets all', async () => {
    const { id, login } = await newUser();
    const expire = () =>
      server.database.query(
        `UPDATE sign_ins SET locked_until = now() - interval '1 second' WHERE user_id = $1`,
        [id],
      );
    await fail(login, 10);
    expect(await countersOf(id)).toEqual({ failures: 10, minutes: 15 });
    await fail(login, 1);
    expect(await countersOf(id)).toEqual({ failures: 10, minutes: 15 });
    for (const [failures, minutes] of [
      [11, 30],
      [12, 60],
    ]) {
      await expire();
      await fail(login, 1);
      expect(await countersOf(id)).toEqual({ failures, minutes });
    }
    await server.database.query('UPDATE sign_ins SET failures = 40 WHERE user_id = $1', [id]);
    await expire();
    await fail(login, 1);
    expect(await countersOf(id)).toEqual({ failures: 41, minutes: 1440 });
    await expire();
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(200);
    expect(await countersOf(id)).toEqual({ failures: 0, minutes: null });
  });

  it('is visible only to administrators, and changes neither ETag nor dates', async () => {
    const { id, login } = await newUser();
    const path = `/api/v2/directory/users/${id}`;
    const before = await server.call(path, { token: admin });
    const other = await server.signIn('bruno.keller');
    await fail(login, 10);
    const after = await server.call(path, { token: admin });
    expect(before.body.lockedUntil).toBeNull();
    expect(Date.parse(after.body.lockedUntil as string)).toBeGreaterThan(Date.now() + 600_000);
    expect({ ...after.body, lockedUntil: null }).toEqual(before.body);
    expect(after.headers.etag).toBe(before.headers.etag);
    expect((await server.call(path, { token: other })).body.lockedUntil).toBeNull();
  });

  it('leaves the tokens of the account valid', async () => {
    const { login } = await newUser();
    const token = (await attempt(login, DEMO_PASSWORD, HOME)).body.token as string;
    await fail(login, 10);
    expect((await server.call(PATH, { token })).status).toBe(200);
  });

  it('is ended by an administrator', async () => {
    const { id, login } = await newUser();
    const path = `/api/v2/directory/users/${id}/lock`;
    await fail(login, 10);
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(401);
    const answer = await server.call(path, { method: 'DELETE', token: admin });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await attempt(login, DEMO_PASSWORD)).status).toBe(200);
    const [line] = await server.database.query(
      `SELECT actor_login, object_uri FROM audit WHERE action = 'unlock' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({ actor_login: 'alice.martin', object_uri: `/directory/users/${id}` });
  });

  it('does not apply to sysadmin from outside its IP allowlist', async () => {
    const [{ id } = { id: '' }] = await server.database.query<{ id: string }>(
      'SELECT id FROM users WHERE sysadmin',
    );
    await fail('sysadmin', 12, HOME);
    expect(await countersOf(id)).toBeUndefined();
    expect((await attempt('sysadmin', sysadminPassword(), '127.0.0.1')).status).toBe(200);
  });

  it('counts a wrong current password', async () => {
    const { id, login } = await newUser();
    const token = (await attempt(login, DEMO_PASSWORD)).body.token as string;
    const change = (currentPassword: string) =>
      server.call(`/api/v2/directory/users/${id}/password`, {
        method: 'PUT',
        token,
        from: '127.0.0.40',
        body: { currentPassword, password: 'A-new-Password-1' },
      });
    for (let time = 0; time < 10; time++)
      expect(fieldNames(await change('wrong'))).toEqual(['currentPassword']);
    expect(fieldNames(await change(DEMO_PASSWORD))).toEqual(['currentPassword']);
    expect(await countersOf(id)).toEqual({ failures: 10, minutes: 15 });
  });
});

describe('a flood of sign-ins for one account', () => {
  /**
   * Keeps this many attempts running while a function runs, and collects their answers.
   * @param repeats how many of them go on after a 429; the others would only measure how fast the server refuses
   */
  async function during(
    { count, repeats }: { count: number; repeats: number },
    flood: () => Promise<Answer>,
    work: () => Promise<void>,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    let goesOn = true;
    const attempts = Array.from({ length: count }, async (_, at) => {
      let answer: Answer;
      do answers.push((answer = await flood()));
      while (goesOn && (at >= count - repeats || answer.status !== 429));
    });
    await eventually(() => expect(answers.length).toBeGreaterThan(0));
    try {
      await work();
    } finally {
      goesOn = false;
      await Promise.all(attempts);
    }
    return answers;
  }

  it('gets 429 even with the right password, and does not block other users', async () => {
    const [greedy, other] = [await newUser(), await newUser()];
    const answers = await during(
      { count: 350, repeats: 0 },
      () => attempt(greedy.login, DEMO_PASSWORD, '127.0.0.41'),
      async () => {
        for (let time = 0; time < 5; time++)
          expect((await attempt(other.login, DEMO_PASSWORD, '127.0.0.42')).status).toBe(200);
      },
    );
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body, refused?.headers['retry-after']]).toEqual([TOO_MANY, '1']);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it('does not shut the owner out when it comes from elsewhere', async () => {
    const { login } = await newUser();
    expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
    const stranger = '127.0.0.43';
    // The server verifies every attempt: none is throttled, and no lock is cached.
    await setParameter('security.Throttle.failures', '100000');
    await setParameter('security.Lock.failures', '100000');
    await server.app.get(Notifications).waitUntilDelivered();
    const answers = await during(
      { count: 200, repeats: 20 },
      () => attempt(login, 'wrong', stranger),
      async () => {
        for (let time = 0; time < 5; time++)
          expect((await attempt(login, DEMO_PASSWORD, HOME)).status).toBe(200);
      },
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    await setParameter('security.Throttle.failures', '300');
    await setParameter('security.Lock.failures', '10');
    await server.app.get(Notifications).waitUntilDelivered();
  });

  it('gets 429 for password confirmations and new passwords, too', async () => {
    const { id, login } = await newUser();
    const token = (await attempt(login, DEMO_PASSWORD, HOME)).body.token as string;
    const confirm = () =>
      server.call(`${PATH}/confirmation`, {
        method: 'POST',
        token,
        from: HOME,
        body: { password: DEMO_PASSWORD },
      });
    const change = () =>
      server.call(`/api/v2/directory/users/${id}/password`, {
        method: 'PUT',
        token: admin,
        body: { password: 'short' },
      });
    for (const [send, done] of [
      [confirm, 204],
      [change, 400],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 30 }, send));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([done, 429]));
    }
  });
});

describe('the throttle of an address', () => {
  const SPRAYER = '127.0.0.50';
  beforeAll(async () => {
    await setParameter('security.Throttle.failures', '12');
    await setParameter('security.Throttle.window', '600');
  });
  afterAll(() => setParameter('security.Throttle.failures', '300'));

  it('answers 429 with Retry-After to an address that tries one password on many logins', async () => {
    await eventually(async () => {
      await server.database.query('DELETE FROM address_attempts');
      await Promise.all(
        Array.from({ length: 13 }, (_, at) => attempt(`nobody.${at}`, 'x', '127.0.0.51')),
      );
      expect((await attempt('nobody', 'x', '127.0.0.51')).status).toBe(429);
    });
    const sprayed = await Promise.all(
      Array.from({ length: 12 }, (_, at) => attempt(`nobody.${at}`, DEMO_PASSWORD, SPRAYER)),
    );
    expect(sprayed.map(({ status }) => status)).toEqual(Array(12).fill(401));
    const before = hashing.evaluations;
    for (const login of ['nobody.99', 'bruno.keller']) {
      const answer = await attempt(login, DEMO_PASSWORD, SPRAYER);
      expect([answer.status, answer.body]).toEqual([
        429,
        { code: 429, message: 'Too many requests' },
      ]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(300);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
    }
    expect(hashing.evaluations).toBe(before);
    expect((await attempt('bruno.keller', DEMO_PASSWORD, '127.0.0.52')).status).toBe(200);
  });

  it('ends with its window', async () => {
    await server.database.query(
      `UPDATE address_attempts SET window_end = now() - interval '1 second' WHERE address = $1`,
      [SPRAYER],
    );
    await eventually(async () =>
      expect((await attempt('bruno.keller', DEMO_PASSWORD, SPRAYER)).status).toBe(200),
    );
  });

  it('does not apply to portals, whose users are counted only by their logins', async () => {
    const portal = '127.0.0.54';
    await setParameter('security.Throttle.portals', '127.0.0.54, 10.9.0.0/16');
    const spray = () =>
      Promise.all(Array.from({ length: 15 }, (_, at) => attempt(`nobody.${at}`, 'x', portal)));
    await eventually(async () => {
      await server.database.query('DELETE FROM address_attempts');
      expect((await spray()).map(({ status }) => status)).toEqual(Array(15).fill(401));
    });
    expect((await attempt('bruno.keller', DEMO_PASSWORD, portal)).status).toBe(200);
    await setParameter('security.Throttle.portals', '');
    await eventually(async () => {
      await spray();
      expect((await attempt('bruno.keller', DEMO_PASSWORD, portal)).status).toBe(429);
    });
  });

  it('is not used up by successes', async () => {
    for (let time = 0; time < 15; time++)
      expect((await attempt('chloe.lefevre', DEMO_PASSWORD, '127.0.0.53')).status).toBe(200);
  });

  it('counts the /64 of an IPv6 address as one', async () => {
    const forwarded = (address: string) => ({ 'X-Forwarded-For': address });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        attempt('nobody', 'x', '127.0.0.2', forwarded(`2001:db8:0:1::${at + 1}`)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(401));
    const [same, other] = ['2001:db8:0:1::ffff', '2001:db8:0:2::1'].map(forwarded);
    expect((await attempt('nobody', 'x', '127.0.0.2', same)).status).toBe(429);
    expect((await attempt('nobody', 'x', '127.0.0.2', other)).status).toBe(401);
  });

  it('keeps one row an address, none for a login that does not exist, and forgets old ones', async () => {
    const count = async (table: string) =>
      Number((await server.database.query(`SELECT count(*) FROM ${table}`))[0]!.count);
    const before = await count('sign_ins');
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => attempt(`made.up.${at}`, 'x', '127.0.0.60')),
    );
    expect(await count('sign_ins')).toBe(before);
    const [row] = await server.database.query(
      `SELECT count(*)::int AS rows FROM address_attempts WHERE address = '127.0.0.60' AND attempts > 12`,
    );
    expect(row).toEqual({ rows: 1 });
    await server.database.query(
      `UPDATE address_attempts SET window_end = now() - interval '1 day'`,
    );
    await server.app.get(Housekeeping).run();
    expect(await count('address_attempts')).toBe(0);
  });
});

describe('refused credentials', () => {
  it('are one and the same answer, headers included', async () => {
    const locked = await newUser();
    await fail(locked.login, 10);
    const [inactive, keyless] = [await newUser(), await newUser()];
    await server.database.query('UPDATE users SET status = 0 WHERE id = $1', [inactive.id]);
    await server.database.query('DELETE FROM passwords WHERE user_id = $1', [keyless.id]);
    const cases: [string, string, string?][] = [
      ['nobody.at.all', DEMO_PASSWORD],
      ['bruno.keller', 'wrong'],
      [locked.login, DEMO_PASSWORD],
      [inactive.login, DEMO_PASSWORD],
      [keyless.login, DEMO_PASSWORD],
      ['sysadmin', sysadminPassword(), HOME],
      ['sysadmin', 'wrong', HOME],
      ['sysadmin', 'wrong', '127.0.0.1'],
      ['bruno.keller', `ppk_${'x'.repeat(43)}`],
      ['nobody.at.all', `ppk_${'x'.repeat(43)}`],
    ];
    const seen = new Set<string>();
    for (const [login, password, from] of cases) {
      const { status, headers, text } = await attempt(login, password, from);
      const { date, 'x-request-id': requestId, ...kept } = headers;
      expect([date, requestId]).not.toContain(undefined);
      seen.add(JSON.stringify([status, kept, text]));
    }
    expect([...seen]).toEqual([
      expect.stringContaining(JSON.stringify(JSON.stringify(REFUSED)).slice(1, -2)),
    ]);
  });

  it('are answered at the end of a fixed time step', async () => {
    const { login } = await newUser();
    await fail(login, 10);
    for (const name of ['nobody', login, 'bruno.keller']) {
      const started = performance.now();
      await attempt(name, 'wrong');
      expect(performance.now() - started).toBeGreaterThan(245);
    }
  });
});
