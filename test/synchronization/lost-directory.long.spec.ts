import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { RunFailed } from '../../src/synchronization/run-records.js';
import { synchronize } from '../../src/synchronization/synchronize.js';
import { personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Directories that are killed while they are read. */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PEOPLE = 300;
const KILLS = 20;

(SLAPD === undefined ? describe.skip : describe)('a directory that is lost', () => {
  let server: TestServer;
  let slapd: Slapd;
  let provider: string;

  const config = () =>
    loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY }).withDatabase(server.database.connection);
  const sync = (progress?: (read: number) => void) =>
    synchronize(config(), { provider, isDryRun: false, progress });
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

  it('deactivates nobody when it is killed while it is read', async () => {
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
