import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { loadConfig } from '../../src/base/config/config.js';
import type { RunCounts } from '../../src/synchronization/run-counts.js';
import { RunFailed } from '../../src/synchronization/run-records.js';
import { type Run, type RunOptions, synchronize } from '../../src/synchronization/synchronize.js';
import { runCommand } from '../support/command-line.js';
import { untilWaitsForLock } from '../support/locks.js';
import { urlOf } from '../support/server-process.js';
import { groupLdif, personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** People and groups of an OpenLDAP directory (docs/ldap.md). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PROVIDERS = '/api/v2/directory/providers';
const SETTINGS = {
  bindDn: ROOT_DN,
  peopleBase: 'dc=example,dc=org',
  groupsBase: 'ou=groups,dc=example,dc=org',
  pageSize: 2,
};

type Json = Record<string, unknown>;

if (SLAPD === undefined) console.warn('slapd is missing: the directory is not tested');

(SLAPD === undefined ? describe.skip : describe)('an LDAP directory', () => {
  let server: TestServer;
  let slapd: Slapd;
  let admin: string;
  let provider: Json;

  const call = (method: string, path: string, body?: unknown) =>
    server.call(path, { method, token: admin, body });
  const config = () =>
    loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY }).withDatabase(server.database.connection);
  const sync = (more: Partial<RunOptions> = {}): Promise<Run> =>
    synchronize(config(), { provider: String(provider.id), isDryRun: false, ...more });
  const counts = async (): Promise<RunCounts> => (await sync()).counts;
  const set = async (ldap: Json): Promise<void> => {
    const path = `${PROVIDERS}/CORP`;
    const value = { urls: [slapd.url], ...SETTINGS, ...ldap };
    const answer = await call('PATCH', path, [{ op: 'replace', path: '/ldap', value }]);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const person = async (login: string): Promise<Json> => {
    const [row] = await server.database.query<Json>(
      `SELECT id::text, login, title, status, email, manager_id::text AS manager, managed_by_id::text AS provider
       FROM users WHERE login = $1`,
      [login],
    );
    return row!;
  };
  const members = async (group: string): Promise<unknown> => {
    const rows = await server.database.query<{ login: string }>(
      `SELECT u.login FROM group_members m JOIN groups g ON g.id = m.group_id JOIN users u ON u.id = m.user_id
       WHERE g.reference = $1 ORDER BY 1`,
      [group],
    );
    return rows.map(({ login }) => login);
  };
  /** What every write changes: the audit trail, and the journal. */
  const written = async (): Promise<unknown> => {
    const sums = 'SELECT (SELECT count(*) FROM audit) AS audit, (SELECT max(xmin::text::bigint)';
    return server.database
      .query(`${sums} FROM users) AS users, (SELECT count(*) FROM changes) AS changes,
      (SELECT max(xmin::text::bigint) FROM groups) AS groups, (SELECT count(*) FROM group_members) AS members`);
  };

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.change(
      personLdif('ada', { givenName: 'Ada', mail: 'ada@example.org', telephoneNumber: '+44 1' }) +
        personLdif('ben', { manager: 'uid=ada,ou=people,dc=example,dc=org' }) +
        personLdif('eve*)(uid=*', { displayName: "Robert'); DROP TABLE users; --" }) +
        personLdif('kurt') +
        personLdif('bruno.keller') +
        groupLdif('inner', ['uid=ben,ou=people', 'cn=outer,ou=groups']) +
        groupLdif('outer', ['uid=ada,ou=people', 'cn=inner,ou=groups']),
    );
    server = await startTestServer({ SECRETS_KEY });
    admin = await server.signInForLong('alice.martin');
    const answer = await call('POST', PROVIDERS, {
      reference: 'CORP',
      label: 'Corporate directory',
      kind: 'ldap',
      ldap: { urls: [slapd.url], ...SETTINGS },
      bindPassword: ROOT_PASSWORD,
    });
    expect([answer.status, answer.text]).toEqual([201, expect.not.stringContaining(ROOT_PASSWORD)]);
    provider = answer.body as Json;
  });
  afterAll(async () => {
    await server?.close();
    await slapd?.close();
  });

  it('answers its settings with their defaults', () => {
    expect(provider.ldap).toMatchObject({
      ...SETTINGS,
      ...{ schema: 'openldap', peopleFilter: '(objectClass=inetOrgPerson)', startTls: false },
      ...{ mapping: {}, takesOver: false, brakeCount: 1000, brakePercent: 20, graceDays: 30 },
    });
  });

  it.each([
    ['urls', { urls: ['http://directory.example'] }, 'not-ldap-urls'],
    ['peopleFilter', { peopleFilter: '(uid=' }, 'not-an-ldap-filter'],
    ['mapping', { mapping: { login: 'uid)(cn=*' } }, 'bad-members'],
    ['mapping', { mapping: { administrator: 'uid' } }, 'bad-members'],
    ['brakePercent', { brakePercent: 101 }, 'out-of-range'],
  ])('refuses wrong %s', async (_, wrong, code) => {
    const value = { urls: [slapd.url], ...SETTINGS, ...wrong };
    const { status, body } = await call('PATCH', `${PROVIDERS}/CORP`, [
      { op: 'replace', path: '/ldap', value },
    ]);
    expect([status, body]).toMatchObject([400, { fields: [{ name: 'ldap', code }] }]);
  });

  it('is compared first without a write, on the command line', async () => {
    const before = await written();
    const { code, out, error } = await runCommand(
      ['directories', 'sync', 'CORP', '--dry-run', '--json'],
      { env: { DATABASE_URL: urlOf(server.database.connection), SECRETS_KEY } },
    );
    expect([code, error]).toEqual([0, expect.stringMatching(/^reading CORP: 7 in /)]);
    const [{ changes, ...done }] = JSON.parse(out) as [Json];
    expect(done).toMatchObject({ read: 5, created: 4, groupsCreated: 2, skipped: 1 });
    expect(changes).toContainEqual({
      action: 'create',
      name: 'ada',
      reason: 'is new in the directory',
    });
    expect(await written()).toEqual(before);
  });

  it('makes its people and groups', async () => {
    const run = await sync();
    expect(run).toMatchObject({
      isIncomplete: false,
      // Somebody of this login is managed here.
      changes: [{ action: 'skip', name: 'bruno.keller', reason: 'login: The login is taken' }],
    });
    expect(run.counts).toMatchObject({
      ...{ read: 5, created: 4, updated: 0, deactivated: 0, skipped: 1 },
      ...{ groups: 2, groupsCreated: 2, membersAdded: 4 },
    });
    const ada = await person('ada');
    expect(ada).toMatchObject({
      ...{ title: 'Ada Sn-ada', status: 1, email: 'ada@example.org', provider: provider.id },
    });
    expect((await person('ben')).manager).toBe(ada.id);
    expect((await person('eve*)(uid=*')).title).toBe("Robert'); DROP TABLE users; --");
    expect((await person('bruno.keller')).provider).toBeNull();
    const [line] = await server.database.query<Json>(
      'SELECT action, actor_login AS actor FROM audit WHERE object_uri = $1',
      [`/directory/users/${ada.id as string}`],
    );
    expect(line).toEqual({ action: 'create', actor: 'ldap:CORP' });
  });

  it('has the members of groups within groups, also in a circle', async () => {
    expect(await members('inner')).toEqual(['ada', 'ben']);
    expect(await members('outer')).toEqual(['ada', 'ben']);
  });

  it('writes nothing when nothing has changed', async () => {
    const before = await written();
    expect(await counts()).toMatchObject({
      ...{ created: 0, updated: 0, unchanged: 4, membersAdded: 0 },
    });
    expect(await written()).toEqual(before);
  });

  it('keeps the id of who is renamed and moved', async () => {
    const { id } = await person('kurt');
    slapd.change(`dn: ou=left,dc=example,dc=org
changetype: add
objectClass: organizationalUnit
ou: left

dn: uid=kurt,ou=people,dc=example,dc=org
changetype: modrdn
newrdn: uid=curt
deleteoldrdn: 1
newsuperior: ou=left,dc=example,dc=org
`);
    await set({});
    expect(await counts()).toMatchObject({ updated: 1, deactivated: 0 });
    expect((await person('curt')).id).toBe(id);
  });

  it('changes nothing that decides who signs in to an account with a role', async () => {
    const setMail = (mail: string) =>
      slapd.change(`dn: uid=ada,ou=people,dc=example,dc=org
changetype: modify
replace: mail
mail: ${mail}
`);
    const assigned = await call('POST', '/api/v2/directory/role-assignments', {
      ...{ user: 'ada', role: 'helpdesk' },
    });
    expect(assigned.status).toBe(201);
    setMail('taken.over@example.org');
    expect(await sync()).toMatchObject({
      ...{ counts: { updated: 0, skipped: 2, deactivated: 0 } },
      changes: expect.arrayContaining([
        { action: 'skip', name: 'ada', reason: 'email: You may not change: email' },
      ]) as unknown,
    });
    const { id } = await person('ada');
    const { body } = await call('GET', `/api/v2/directory/users/${String(id)}`);
    expect((body as Json).email).toBe('ada@example.org');
    await call('DELETE', `/api/v2${(assigned.body as Json).uri as string}`);
    setMail('ada@example.org');
  });

  it('deactivates all who have a role and are disabled with a new address', async () => {
    const logins = ['ada', 'ben'];
    const disable = (control: number, host: string) =>
      slapd.change(
        logins
          .map(
            (login) => `dn: uid=${login},ou=people,dc=example,dc=org
changetype: modify
replace: objectClass
objectClass: inetOrgPerson
objectClass: user
-
replace: userAccountControl
userAccountControl: ${control}
-
replace: mail
mail: ${login}@${host}

`,
          )
          .join(''),
      );
    const people = () => Promise.all(logins.map(person));
    disable(512, 'example.org');
    await set({
      ...{ schema: 'active-directory', mapping: { key: 'entryUUID', login: 'uid' } },
      ...{
        peopleFilter: '(objectClass=inetOrgPerson)',
        groupsFilter: '(objectClass=groupOfNames)',
      },
      brakePercent: 100,
    });
    await sync();
    const uris: unknown[] = [];
    for (const user of logins) {
      const body = { user, role: 'helpdesk' };
      const { body: assigned } = await call('POST', '/api/v2/directory/role-assignments', body);
      uris.push((assigned as Json).uri);
    }
    disable(514, 'taken.over.example');
    expect(await counts()).toMatchObject({ updated: 2, skipped: 1 });
    expect(await people()).toMatchObject(
      logins.map((login) => ({ status: 0, email: `${login}@example.org` })),
    );
    for (const uri of uris) await call('DELETE', `/api/v2${uri as string}`);
    disable(512, 'example.org');
    expect(await counts()).toMatchObject({ updated: 2, skipped: 1 });
    expect(await people()).toMatchObject(
      logins.map((login) => ({ status: 1, email: `${login}@example.org` })),
    );
  });

  it('deactivates who is disabled, whatever else their entry has', async () => {
    const disable = (control: number, mail: string) =>
      slapd.change(`dn: uid=ben,ou=people,dc=example,dc=org
changetype: modify
replace: userAccountControl
userAccountControl: ${control}
-
replace: mail
mail: ${mail}
`);
    disable(514, 'no address');
    expect(await counts()).toMatchObject({ updated: 1, skipped: 1 });
    expect(await person('ben')).toMatchObject({ status: 0, email: 'ben@example.org' });
    disable(512, 'ben@example.org');
    expect(await counts()).toMatchObject({ updated: 1, skipped: 1 });
    expect(await person('ben')).toMatchObject({ status: 1, email: 'ben@example.org' });
  });

  it('keeps photos, and writes those that have changed', async () => {
    const picture = async (background: string) =>
      (
        await sharp({ create: { width: 90, height: 60, channels: 3, background } })
          .jpeg()
          .toBuffer()
      ).toString('base64');
    const setPhoto = (login: string, change: string) =>
      slapd.change(`dn: uid=${login},ou=people,dc=example,dc=org\nchangetype: modify\n${change}\n`);
    const photoOf = async (login: string, method = 'GET') => {
      const { id } = await person(login);
      return call(method, `/api/v2/directory/users/${String(id)}/photo`);
    };
    setPhoto('ada', `add: jpegPhoto\njpegPhoto:: ${await picture('#336699')}`);
    setPhoto('ben', `add: jpegPhoto\njpegPhoto:: ${Buffer.from('no picture').toString('base64')}`);
    await set({});
    expect(await counts()).toMatchObject({ updated: 0 });
    expect((await photoOf('ada')).status).toBe(404);

    const mapping = { photo: 'jpegphoto' };
    await set({ mapping });
    const broken = { action: 'skip', name: 'ben', reason: expect.stringMatching('^photo: ') };
    const dry = await sync({ isDryRun: true });
    expect(dry.counts).toMatchObject({ updated: 1, unchanged: 3, skipped: 2 });
    expect(dry.changes).toContainEqual({
      ...{ action: 'update', name: 'ada', reason: 'photo: differs from the directory' },
    });
    expect((await photoOf('ada')).status).toBe(404);
    expect(await sync()).toMatchObject({
      counts: { updated: 1, unchanged: 3 },
      changes: expect.arrayContaining([broken]) as unknown,
    });
    const first = await photoOf('ada');
    expect([first.status, first.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await photoOf('ben')).status).toBe(404);

    const before = await written();
    expect(await counts()).toMatchObject({ updated: 0, unchanged: 4 });
    expect(await written()).toEqual(before);

    expect(await photoOf('ada', 'DELETE')).toMatchObject({
      status: 409,
      body: {
        ...{ code: 409, reason: 'managed-by-provider' },
        parameters: { provider: 'Corporate directory', attributes: ['photo'] },
      },
    });
    setPhoto('ada', `replace: jpegPhoto\njpegPhoto:: ${await picture('#993366')}`);
    expect((await sync({ isFull: false })).counts).toMatchObject({ updated: 1 });
    expect((await photoOf('ada')).headers.etag).not.toBe(first.headers.etag);
    setPhoto('ada', 'delete: jpegPhoto');
    expect((await sync({ isFull: false })).counts).toMatchObject({ updated: 1 });
    expect((await photoOf('ada')).status).toBe(404);
    const lines = await server.database.query<Json>(
      `SELECT action, actor_login AS actor FROM audit WHERE action LIKE '%-photo' ORDER BY id`,
    );
    expect(lines.map(({ action, actor }) => [action, actor])).toEqual([
      ['set-photo', 'ldap:CORP'],
      ['set-photo', 'ldap:CORP'],
      ['delete-photo', 'ldap:CORP'],
    ]);
  });

  it('deactivates nobody when too many are missing', async () => {
    await set({ peopleBase: 'ou=left,dc=example,dc=org' });
    const before = await written();
    await expect(sync()).rejects.toThrow(
      'the brake holds: 3 of 4 people would be deactivated, and at most 1000 or 20 % may at once; nothing was changed',
    );
    expect(await written()).toEqual(before);
  });

  it('deactivates who is gone, and gives them back their account', async () => {
    const { id } = await person('ben');
    const token = 'a'.repeat(43);
    await server.database.query(
      `INSERT INTO tokens (user_id, hash, address, expiration)
       VALUES ($1, sha256($2), '127.0.0.1', now() + interval '1 hour')`,
      [id, Buffer.from(token)],
    );
    const me = () => server.call('/api/v2/directory/users/me', { token });
    expect((await me()).status).toBe(200);
    await set({
      brakePercent: 100,
      peopleFilter: '(&(objectClass=inetOrgPerson)(!(uid=ben)))',
    });
    expect(await counts()).toMatchObject({ deactivated: 1, membersRemoved: 2 });
    expect(await person('ben')).toMatchObject({ id, status: 0 });
    expect((await me()).status).toBe(401);
    await set({ brakePercent: 100 });
    expect(await counts()).toMatchObject({ updated: 1, membersAdded: 2 });
    expect(await person('ben')).toMatchObject({ id, status: 1 });
  });

  it('deletes after the grace who is gone, and archives whom others need', async () => {
    await set({ brakePercent: 100, peopleFilter: '(&(objectClass=inetOrgPerson)(uid=curt))' });
    expect(await counts()).toMatchObject({ deactivated: 3, deleted: 0 });
    await server.database.query(
      `UPDATE missing_people SET missing_since = now() - interval '31 days'`,
    );
    // Ada manages Ben, who goes after her.
    expect(await counts()).toMatchObject({ deactivated: 0, deleted: 2, archived: 1 });
    const { id } = await person('ada');
    await set({});
    expect(await counts()).toMatchObject({ created: 2, updated: 1 });
    expect(await person('ada')).toMatchObject({ id, status: 1 });
  });

  it('takes over an account only where the provider may', async () => {
    const before = await person('bruno.keller');
    await set({ takesOver: true });
    expect(await counts()).toMatchObject({ updated: 1, skipped: 0 });
    expect(await person('bruno.keller')).toMatchObject({ id: before.id, provider: provider.id });
    slapd.change(personLdif('alice.martin') + personLdif('sysadmin'));
    expect(await counts()).toMatchObject({ updated: 0, skipped: 2 });
  });

  it('asks the next server when one does not answer', async () => {
    await set({ urls: ['ldap://127.0.0.1:1', slapd.url] });
    expect(await counts()).toMatchObject({ read: 7, updated: 0 });
  });

  it('changes nothing when the directory cannot be read to its end', async () => {
    await set({ brakePercent: 100, groupsBase: 'ou=none,dc=example,dc=org' });
    await expect(sync()).rejects.toThrow('NoSuchObjectError');
    await set({ brakePercent: 100, pageSize: 1 });
    const between = await written();
    const progress = (read: number) => {
      if (read === 2) void slapd.kill();
    };
    await expect(sync({ progress })).rejects.toThrow(RunFailed);
    expect(await written()).toEqual(between);
    const [run] = await server.database.query<Json>(
      'SELECT state, counts FROM provider_runs ORDER BY id DESC LIMIT 1',
    );
    expect(run).toEqual({ state: 'failed', counts: null });
    await slapd.run();
    expect(await counts()).toMatchObject({ read: 7, updated: 0, deactivated: 0 });
  });

  it('refuses a second run, and begins anew after a killed one', async () => {
    await server.database.query(
      'INSERT INTO provider_runs (provider_id, dry_run) VALUES ($1, false)',
      [provider.id],
    );
    // The first run waits with the advisory lock of the provider, until its row can be stored.
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE provider_runs IN EXCLUSIVE MODE');
    const first = sync();
    await untilWaitsForLock(server);
    await expect(sync()).rejects.toThrow('Another run of this provider is at work');
    await holder.query('COMMIT');
    await holder.end();
    await first;
    const rows = await server.database.query<{ state: string }>(
      'SELECT state FROM provider_runs ORDER BY id DESC LIMIT 2',
    );
    expect(rows.map(({ state }) => state)).toEqual(['done', 'interrupted']);
  });

  it('takes over who is disabled, by the login', async () => {
    const { body: local } = await call('POST', '/api/v2/directory/users', {
      ...{ login: 'kurt', lastName: 'Local', status: 1 },
    });
    slapd.change(`${personLdif('kurt')}
dn: uid=kurt,ou=people,dc=example,dc=org
changetype: modify
add: objectClass
objectClass: user
-
add: userAccountControl
userAccountControl: 514
`);
    await set({
      ...{ schema: 'active-directory', mapping: { key: 'entryUUID', login: 'uid' } },
      ...{
        peopleFilter: '(objectClass=inetOrgPerson)',
        groupsFilter: '(objectClass=groupOfNames)',
      },
      ...{ takesOver: true, brakePercent: 100 },
    });
    expect(await counts()).toMatchObject({ created: 0 });
    expect(await person('kurt')).toMatchObject({ status: 0, title: 'Local' });
    expect(
      await server.database.query(`SELECT id::text, managed_by_id IS NOT NULL AS managed
      FROM users WHERE login = 'kurt'`),
    ).toEqual([{ id: (local as Json).id, managed: true }]);
  });
});
