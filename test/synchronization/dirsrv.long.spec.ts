import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { RunFailed } from '../../src/synchronization/run-records.js';
import { type RunOptions, synchronize } from '../../src/synchronization/synchronize.js';
import { Dirsrv, HAS_DIRSRV, MANAGER_DN, MANAGER_PASSWORD } from '../support/dirsrv.js';
import { groupLdif, personLdif } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** The 389 Directory Server, whose key is nsUniqueId (docs/ldap.md#settings). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';

type Row = Record<string, unknown>;

if (!HAS_DIRSRV)
  console.warn('389-ds-base is missing, or this is not root: its directory is not tested');

(HAS_DIRSRV ? describe : describe.skip)('the 389 Directory Server', () => {
  let server: TestServer;
  let directory: Dirsrv;
  let provider: string;

  const sync = async (more: Partial<RunOptions> = {}) => {
    const config = loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY });
    const options = { provider, isDryRun: false, ...more };
    return (await synchronize(config.withDatabase(server.database.connection), options)).counts;
  };
  const people = () =>
    server.database.query<Row>(
      'SELECT id::text, login, title, status FROM users WHERE managed_by_id IS NOT NULL ORDER BY id',
    );
  const members = () =>
    server.database.query<Row>(
      `SELECT g.label, string_agg(u.login, ' ' ORDER BY u.login) AS people FROM group_members m
        JOIN users u ON u.id = m.user_id JOIN groups g ON g.id = m.group_id
        WHERE g.managed_by_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
  const signIn = async (login: string, password: string): Promise<number> => {
    const body = { login, password };
    return (await server.call('/api/v2/authentication', { method: 'POST', body })).status;
  };

  beforeAll(async () => {
    directory = await Dirsrv.start();
    directory.change(
      ['ada', 'ben', 'eve'].map((uid) => personLdif(uid, { userPassword: `${uid}-1` })).join('') +
        groupLdif('inner', ['uid=ben,ou=people']) +
        groupLdif('outer', ['uid=ada,ou=people', 'cn=inner,ou=groups']),
    );
    server = await startTestServer({ SECRETS_KEY });
    const answer = await server.call('/api/v2/directory/providers', {
      method: 'POST',
      token: await server.signInForLong('alice.martin'),
      body: {
        ...{ reference: 'DS', label: '389 Directory Server', kind: 'ldap' },
        ldap: {
          ...{ urls: [directory.url], bindDn: MANAGER_DN, peopleBase: 'dc=example,dc=org' },
          ...{ groupsBase: 'ou=groups,dc=example,dc=org', mapping: { key: 'nsUniqueId' } },
          ...{ pageSize: 2, brakePercent: 100, signIn: true },
        },
        bindPassword: MANAGER_PASSWORD,
      },
    });
    ({ id: provider } = answer.body as { id: string });
  });
  afterAll(async () => {
    await server?.close();
    await directory?.close();
  });

  it('is read in pages, with its groups', async () => {
    expect(await sync()).toMatchObject({ read: 3, created: 3, skipped: 0, groupsCreated: 2 });
    expect(await members()).toEqual([
      { label: 'inner', people: 'ben' },
      { label: 'outer', people: 'ada ben' },
    ]);
    expect(await sync()).toMatchObject({ unchanged: 3, updated: 0, groupsUpdated: 0 });
  });

  it('checks the password', async () => {
    const answers = [await signIn('ada', 'ada-1'), await signIn('ada', 'eve-1')];
    expect(answers).toEqual([200, 401]);
  });

  it('keeps who is renamed, moved and changed, by what has changed alone', async () => {
    const before = await people();
    directory.change(`dn: ou=left,dc=example,dc=org
changetype: add
objectClass: organizationalUnit
ou: left

dn: uid=ben,ou=people,dc=example,dc=org
changetype: modrdn
newrdn: uid=benjamin
deleteoldrdn: 1
newsuperior: ou=left,dc=example,dc=org

dn: uid=ada,ou=people,dc=example,dc=org
changetype: modify
replace: displayName
displayName: Ada King
`);
    expect(await sync({ isFull: false })).toMatchObject({ updated: 2, deactivated: 0 });
    const renamed: Row = { ben: { login: 'benjamin' }, ada: { title: 'Ada King' } };
    expect(await people()).toEqual(
      before.map((person) => ({ ...person, ...(renamed[String(person.login)] as Row) })),
    );
    expect(await signIn('benjamin', 'ben-1')).toBe(200);
  });

  it('compares times of changes', async () => {
    await server.database.query(
      `UPDATE provider_runs SET cookie = jsonb_set(cookie::jsonb, '{since}', '"20990101000000Z"')`,
    );
    expect(await sync({ isFull: false })).toMatchObject({ read: 0, deactivated: 0 });
  });

  it('deactivates nobody when it is killed while it is read', async () => {
    const before = await people();
    const progress = (read: number): void => {
      if (read === 2) void directory.kill();
    };
    await expect(sync({ progress })).rejects.toThrow(RunFailed);
    expect(await people()).toEqual(before);
    await directory.run();
    expect(await sync()).toMatchObject({ read: 3, updated: 0, deactivated: 0 });
  });

  it('deactivates who was deleted there', async () => {
    directory.change('dn: uid=eve,ou=people,dc=example,dc=org\nchangetype: delete\n');
    expect(await signIn('eve', 'eve-1')).toBe(401);
    expect(await sync({ isFull: false })).toMatchObject({ deactivated: 0 });
    expect(await sync()).toMatchObject({ read: 2, deactivated: 1 });
    const states = (await people()).map(({ login, status }) => [login, status]);
    expect(states).toEqual([
      ['ada', 1],
      ['benjamin', 1],
      ['eve', 0],
    ]);
  });
});
