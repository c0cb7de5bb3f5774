import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { POOL_SIZE } from '../../src/database/connection-options.js';
import { migrate } from '../../src/database/migrate.js';
import { migrations } from '../../migrations/index.js';
import {
  type Ending,
  type Harness,
  QUIET,
  signIn,
  startHarness,
  tokenOf,
} from '../hardening/harness.js';
import {
  attempt,
  compare,
  keepAlive,
  keepCalling,
  keepWriting,
  type Outcome,
} from '../hardening/traffic.js';
import { eventually, PATIENCE } from '../support/eventually.js';
import type { ServerProcess } from '../support/server-process.js';
import { until } from '../support/until.js';

/** A short run of each fault; `npm run faults` runs the full ones (docs/decisions/0009). */

const USERS = '/api/v2/directory/users';
const DOCUMENTS = '/api/v2/content/documents';

let harness: Harness;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  harness = await startHarness({ env: QUIET });
  await serve();
});
afterAll(() => harness.stop());
afterEach(() => expect(server.isAlive()).toBe(true));

async function serve(): Promise<void> {
  server = await harness.serve();
  token = await tokenOf(server.port, 'alice.martin');
}

const target = () => ({ port: server.port, token });
const get = (path: string) => attempt(server.port, path, { token });
const statusOf = async (path: string) => (await get(path)).status;
const statuses = (outcomes: Outcome[]) => [...new Set(outcomes.map(({ status }) => status))].sort();
const worksAgain = () => until(async () => (await statusOf(USERS)) === 200);
/** Keeps writing, from the first acknowledged write on. */
async function write() {
  const writers = keepWriting(target, 8);
  await eventually(() => expect(writers.journal).not.toEqual([]));
  return writers;
}
const create = () =>
  attempt(server.port, DOCUMENTS, { method: 'POST', token, body: { title: 'Under faults' } });

/** Asserts that no acknowledged write is lost, none is partial, and at least one happened. */
async function expectWhole(writers: ReturnType<typeof keepWriting>): Promise<void> {
  expect(writers.journal.length).toBeGreaterThan(0);
  expect(await compare(harness.query, writers.journal)).toMatchObject({ lost: 0, partial: 0 });
  await harness.query(`DELETE FROM users WHERE login LIKE 'w-%'`);
  await harness.query('ALTER TABLE audit DISABLE TRIGGER USER');
  await harness.query(`DELETE FROM audit WHERE action = 'create'`);
  await harness.query('ALTER TABLE audit ENABLE TRIGGER USER');
}

describe('kill -9 of the server under writes', () => {
  it('loses nothing acknowledged and leaves nothing half-written', async () => {
    const writers = await write();
    server.child.kill('SIGKILL');
    await serve();
    await writers.stop();
    await expectWhole(writers);
  });
});

describe('PostgreSQL ends under writes', () => {
  it.each<Ending>(['fast', 'immediate', 'killed'])(
    '%s: answers 503 alone meanwhile, stays alive, works again by itself',
    async (how) => {
      const writers = await write();
      await harness.endPostgres(how);
      expect(await statusOf('/health/live')).toBe(200);
      for (const path of ['/health/ready', USERS, '/nothing']) {
        const { status, answer } = await get(path);
        expect([path, status, answer?.headers['retry-after']]).toEqual([path, 503, '1']);
      }
      await harness.startPostgres();
      expect(await worksAgain()).toBeDefined();
      await writers.stop();
      expect(statuses(writers.outcomes)).toEqual([201, 503]);
      await expectWhole(writers);
    },
  );

  it('answers no error but 503 while backends are terminated one after another, and replaces their connections', async () => {
    const writers = await write();
    for (let round = 0; round < 5; round++) {
      await delay(100);
      await harness.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'process-platform%'`,
      );
    }
    await worksAgain();
    await writers.stop();
    expect(statuses(writers.outcomes)).toEqual([201, 503]);
    await expectWhole(writers);
  });

  it('answers 503 in time while PostgreSQL hangs, is alive but not ready, and works again afterwards', async () => {
    const children = await harness.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'process-platform%'`,
    );
    const pids = [harness.pid(), ...children.map(({ pid }) => pid)];
    pids.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    try {
      const asked = Promise.all([get(USERS), get(USERS), create()]);
      expect(await statusOf('/health/ready')).toBe(503);
      expect(await statusOf('/health/live')).toBe(200);
      for (const { status, duration } of await asked) {
        expect(status).toBe(503);
        expect(duration).toBeLessThan(PATIENCE);
      }
    } finally {
      pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
    }
    expect(await worksAgain()).toBeDefined();
    expect((await create()).status).toBe(201);
  });
});

describe('a pool that is exhausted', () => {
  it('answers 503 in time to requests that need a connection, and recovers', async () => {
    await worksAgain();
    const lock = await harness.hold('BEGIN; LOCK TABLE users');
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, () => get(`${USERS}?range=0-10`)),
    );
    await lock.end();
    expect(statuses(outcomes)).toEqual([503]);
    expect(Math.max(...outcomes.map(({ duration }) => duration))).toBeLessThan(PATIENCE);
    expect(await worksAgain()).toBeDefined();
    expect(statuses(await Promise.all(Array.from({ length: 40 }, () => get(USERS))))).toEqual([
      200,
    ]);
  });

  it('shortens the wait for a lock by the wait for a connection', async () => {
    const some = () => Promise.all(Array.from({ length: POOL_SIZE }, () => get(USERS)));
    const slowest = (outcomes: Outcome[]) => Math.max(...outcomes.map(({ duration }) => duration));
    const isNotLonger = async (): Promise<boolean> => {
      await worksAgain();
      const lock = await harness.hold('BEGIN; LOCK TABLE users');
      const first = some();
      await delay(1_000);
      const [second, others] = [await some(), await first];
      await lock.end();
      expect(statuses([...others, ...second])).toEqual([503]);
      // A second of waiting for a connection, and then as long for the lock as the first, is a second more.
      return slowest(second) < slowest(others) + 700;
    };
    // A stalling host takes longer for either.
    expect(await until(isNotLonger, { within: 60_000 })).toBeDefined();
  }, 120_000);

  it('answers requests that need no connection', async () => {
    const pure = async () => [
      await statusOf('/health/live'),
      await statusOf('/nothing'),
      await statusOf(`${USERS}?range=nonsense`),
      (await attempt(server.port, USERS)).status,
      (await attempt(server.port, '/nothing', { from: '127.0.0.9' })).status,
    ];
    const expected = [200, 404, 400, 401, 403];
    let answered: number[] = [];
    const whileExhausted = async (): Promise<boolean> => {
      // The token is cached from here on unless the host stalls, hence the retries.
      await worksAgain();
      const lock = await harness.hold('BEGIN; LOCK TABLE users');
      let isPressing = true;
      const press = async () => {
        while (isPressing) await get(USERS);
      };
      // Enough requests to take every connection, and a few that wait for one.
      const pressing = Promise.all(Array.from({ length: 24 }, press));
      await delay(300);
      answered = await pure();
      isPressing = false;
      await lock.end();
      await pressing;
      return isDeepStrictEqual(answered, expected);
    };
    await until(whileExhausted, { within: 60_000 });
    expect(answered).toEqual(expected);
  }, 120_000);
});

describe('a burst of connections while the process is busy', () => {
  it('waits until the process accepts them', async () => {
    let connected = 0;
    // A stopped process accepts none: the system alone keeps them.
    process.kill(server.pid, 'SIGSTOP');
    const sockets = Array.from({ length: 1_000 }, () =>
      connect(server.port, '127.0.0.1', () => connected++).on('error', () => undefined),
    );
    try {
      await eventually(() => expect(connected).toBe(sockets.length));
    } finally {
      process.kill(server.pid, 'SIGCONT');
      for (const socket of sockets) socket.destroy();
    }
    expect(await worksAgain()).toBeDefined();
  });
});

describe('more sign-ins than can be answered', () => {
  it('are rejected early while all other calls continue, and work again afterwards', async () => {
    const before = server.printed().length;
    // None of them ends for seconds while failures cannot be counted.
    const lock = await harness.hold('BEGIN; LOCK TABLE address_attempts');
    const many: ReturnType<typeof signIn>[] = [];
    const isTold = () => server.printed().slice(before).includes('overload: ');
    // Several logins, because each admits 50 attempts, and two attempts of each may hold a connection.
    // A few at a time, because the queue for connections would reject a larger burst. On a busy machine the first have
    // ended before the server has enough of them: then others follow.
    while (many.length < 400 || (!isTold() && many.length < 10_000)) {
      for (let more = 0; more < POOL_SIZE; more++)
        many.push(signIn(server.port, `nobody.${many.length % 7}`, 'Wrong-Password-1'));
      await delay(20);
    }
    expect(await until(() => Promise.resolve(isTold()))).toBeDefined();
    expect(await worksAgain()).toBeDefined();
    await lock.end();
    const shed = (await Promise.all(many)).filter(({ status }) => status === 503);
    expect(shed[0]!.headers['retry-after']).toBe('1');
    // This many failures from one address would trigger the throttle, which is not under test here.
    await harness.query('DELETE FROM address_attempts');
    const signedIn = async () => (await signIn(server.port, 'chloe.lefevre')).status === 200;
    expect(await until(signedIn)).toBeDefined();
  });
});

describe('the database refuses writes', () => {
  it('answers 503 only to writes while the database is read-only', async () => {
    const readOnly = async (value: 'on' | 'off') => {
      const admin = await harness.hold('SET default_transaction_read_only = off');
      await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await admin.query('SELECT pg_reload_conf()');
      await admin.end();
    };
    await readOnly('on');
    const refused = async () => (await create()).status === 503;
    expect(await until(refused)).toBeDefined();
    for (let attempts = 0; attempts < 5; attempts++) expect(await refused()).toBe(true);
    expect(await statusOf(USERS)).toBe(200);
    await readOnly('off');
    const accepted = async () => (await create()).status === 201;
    expect(await until(accepted)).toBeDefined();
  });

  it.each([
    [2, 201],
    [3, 503],
  ])('a conflict that comes %d times is answered %d', async (times, status) => {
    await harness.query(`CREATE SEQUENCE conflicts`);
    await harness.query('GRANT ALL ON SEQUENCE conflicts TO PUBLIC');
    await harness.query(`
      CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('conflicts') <= ${times} THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
        RETURN NEW; END $$`);
    await harness.query(
      'CREATE TRIGGER conflict BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION conflict()',
    );
    const { status: answered } = await create();
    const [{ tries }] = (await harness.query('SELECT last_value::int AS tries FROM conflicts')) as [
      { tries: number },
    ];
    await harness.query('DROP FUNCTION conflict CASCADE');
    await harness.query('DROP SEQUENCE conflicts');
    expect([answered, tries]).toEqual([status, 3]);
  });
});

describe('a migration beside the running server', () => {
  it('does not break prepared plans when it changes the type of a column', async () => {
    const body = [{ op: 'replace', path: '/description', value: 'changed' }];
    const change = (at: number) =>
      attempt(server.port, `/api/v2/directory/groups/${groups[at % groups.length]!}`, {
        method: 'PATCH',
        token,
        body,
      });
    const outcomes = async () =>
      statuses(
        await Promise.all(
          Array.from({ length: 30 }, (_, at) =>
            at % 3 === 0 ? change(at) : get('/api/v2/directory/groups'),
          ),
        ),
      );
    const groups = (await harness.query('SELECT id FROM groups')).map(({ id }) => id as string);
    expect(await outcomes()).toEqual([200]);
    await harness.query('ALTER TABLE groups ALTER COLUMN description TYPE varchar(2000)');
    expect(await outcomes()).toEqual([200]);
    await harness.query('ALTER TABLE groups ALTER COLUMN description TYPE text');
    expect(await outcomes()).toEqual([200]);
  });
});

describe('slow clients', () => {
  it('are disconnected, and do not block other clients', async () => {
    const sockets = Array.from({ length: 100 }, (_, index) => slowSocket(server.port, index));
    await delay(200);
    expect(await statusOf(USERS)).toBe(200);
    const gone = await until(() => Promise.resolve(sockets.every((socket) => socket.closed)), {
      within: 60_000,
      every: 100,
    });
    sockets.forEach((socket) => socket.destroy());
    expect(gone).toBeDefined();
  }, 120_000);
});

/** Sends nothing at all, or the header of a request at one byte per second. */
function slowSocket(port: number, index: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  if (index % 2 === 0) return socket;
  socket.write(`GET ${USERS} HTTP/1.1\r\nHost: x\r\nX-Slow: `);
  const timer = setInterval(() => socket.write('x'), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

describe('SIGTERM under load', () => {
  it('is not ready at once, cuts no request off, finishes a slow one, and ends', async () => {
    const stopped = await harness.serve();
    const agent = keepAlive(8);
    const path = `${USERS}?range=0-5`;
    const traffic = keepCalling(8, () => attempt(stopped.port, path, { token, agent }));
    await delay(300);
    const lock = await harness.hold('BEGIN; LOCK TABLE news');
    const slow = attempt(stopped.port, '/api/v2/content/news', { token });
    const isWaiting = async () =>
      (await harness.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0;
    expect(await until(isWaiting)).toBeDefined();
    // Without a connected client the server does not wait: on a busy machine there is a moment between all calls.
    const client = connect(stopped.port, '127.0.0.1');
    await once(client, 'connect');
    const killed = performance.now();
    stopped.child.kill('SIGTERM');
    const statusOfReadiness = async () => (await attempt(stopped.port, '/health/ready')).status;
    expect(await until(async () => (await statusOfReadiness()) === 503)).toBeDefined();
    // Soon: PostgreSQL ends a statement after five seconds, which a busy machine takes for what follows.
    await lock.end();
    const during = await attempt(stopped.port, path, { token });
    await delay(1_000);
    // By now a load balancer knows, because it checks readiness every second.
    await traffic.stop();
    client.destroy();
    const [finished, ended] = await Promise.all([
      slow,
      until(() => Promise.resolve(!stopped.isAlive())),
    ]);
    expect([during.status, during.answer?.headers.connection]).toEqual([200, 'close']);
    // After two seconds it takes no more connections, while a busy machine still makes calls.
    const inTime = traffic.outcomes.filter(({ at }) => at < killed + 1_500);
    expect(statuses(inTime)).toEqual([200]);
    expect(finished.status).toBe(200);
    expect(ended).toBeDefined();
    expect(stopped.child.exitCode).toBe(0);
  });
});

describe('four servers that start together', () => {
  it('migrate once, from nothing and from half a schema', async () => {
    for (const half of [0, 6]) {
      const empty = await startHarness({ empty: true, env: QUIET });
      try {
        if (half > 0) await migrateSome(empty.url, half);
        await Promise.all(
          [1, 2, 3, 4].map(() => empty.serve({ SYSADMIN_PASSWORD: 'Sysadmin-Faults-2026' })),
        );
        const names = await empty.query<{ name: string }>(
          'SELECT name FROM migrations ORDER BY id',
        );
        expect(names.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
      } finally {
        await empty.stop();
      }
    }
  }, 120_000);
});

const migrateSome = (url: string, count: number): Promise<unknown> =>
  migrate(loadConfig({ DATABASE_URL: url, DEMO_DATA: 'false' }), {
    migrations: migrations.slice(0, count),
    functions: [],
    demonstration: [],
  });
