import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { RunFailed } from '../../src/synchronization/run-records.js';
import { synchronize } from '../../src/synchronization/synchronize.js';
import { urlOf } from '../support/server-process.js';
import { personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

/** Runs of an LDAP provider that are killed, and directories that are killed while they are read. */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PEOPLE = 300;
const KILLS = 20;

(SLAPD === undefined ? describe.skip : describe)('an interrupted run', () => {
  let server: TestServer;
  let slapd: Slapd;
  let provider: string;

  const config = () =>
    loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY }).withDatabase(server.database.connection);
  const sync = (progress?: (read: number) => void) =>
    synchronize(config(), { provider, isDryRun: false, progress });
  const name = (round: string): string =>
    Array.from(
      { length: PEOPLE },
      (_, at) =>
        `dn: uid=p${at},ou=people,dc=example,dc=org\nchangetype: modify\nreplace: givenName\ngivenName: ${round}\n\n`,
    ).join('');
  const people = () =>
    server.database.query(
      `SELECT first_name, status, count(*)::int FROM users WHERE managed_by_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1`,
    );

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.change(
      Array.from({ length: PEOPLE }, (_, at) => personLdif(`p${at}`, { givenName: 'N' })).join(''),
    );
    server = await startTestServer({ SECRETS_KEY });
    const answer = await server.call('/api/v2/directory/providers', {
      method: 'POST',
      token: await server.signInForLong('alice.martin'),
      body: {
        ...{ reference: 'CORP', label: 'Corporate directory', kind: 'ldap' },
        ldap: {
          ...{ urls: [slapd.url], bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org' },
          ...{ pageSize: 10, brakePercent: 100 },
        },
        bindPassword: ROOT_PASSWORD,
      },
    });
    ({ id: provider } = answer.body as { id: string });
    await sync();
  });
  afterAll(async () => {
    await server?.close();
    await slapd?.close();
  });

  it(`leaves no wrong row, ${KILLS} times`, async () => {
    const command = () => {
      const child = spawn(process.execPath, ['dist/src/cli.js', 'directories', 'sync', 'CORP'], {
        env: { ...process.env, SECRETS_KEY, DATABASE_URL: urlOf(server.database.connection) },
        stdio: 'ignore',
      });
      return { child, closed: new Promise((resolve) => child.once('close', resolve)) };
    };
    const isRunning = async (): Promise<boolean> =>
      (await server.database.query(`SELECT 1 FROM provider_runs WHERE state = 'running'`)).length >
      0;
    // How long a run lasts from its beginning, so that the kills spread over all of it.
    slapd.change(name('N0'));
    const whole = command();
    await until(isRunning, { every: 2 });
    let began = performance.now();
    await whole.closed;
    let length = performance.now() - began;
    let former = 'N0';
    for (let round = 1; round <= KILLS; round++) {
      slapd.change(name(`N${round}`));
      const { child, closed } = command();
      await until(isRunning, { every: 2 });
      began = performance.now();
      // A run may end before its kill, on a machine that has less to do now: then later kills come sooner.
      length = await Promise.race([
        delay(((round - 1) / KILLS) * length, length),
        closed.then(() => performance.now() - began),
      ]);
      child.kill('SIGKILL');
      await closed;
      // All of its changes, or none.
      expect([
        [{ first_name: former, status: 1, count: PEOPLE }],
        [{ first_name: `N${round}`, status: 1, count: PEOPLE }],
      ]).toContainEqual(await people());
      // PostgreSQL notices within moments that the killed process has gone.
      await until(() => sync().then(() => true));
      expect(await people()).toEqual([{ first_name: `N${round}`, status: 1, count: PEOPLE }]);
      former = `N${round}`;
    }
    const [killed] = await server.database.query<{ count: number }>(
      `SELECT count(*)::int FROM provider_runs WHERE state = 'interrupted'`,
    );
    expect(killed!.count).toBeGreaterThan(KILLS / 2);
  }, 600_000);

  it(`deactivates nobody when the directory is killed while it is read, ${KILLS} times`, async () => {
    const before = await people();
    for (let round = 0; round < KILLS; round++) {
      await expect(
        sync((read) => {
          if (read === 10 * (round + 1)) void slapd.kill();
        }),
      ).rejects.toThrow(RunFailed);
      expect(await people()).toEqual(before);
      await slapd.run();
    }
    expect((await sync()).counts).toMatchObject({ read: PEOPLE, updated: 0, deactivated: 0 });
  });
});
