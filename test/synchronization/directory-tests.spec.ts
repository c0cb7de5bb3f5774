import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { loadConfig } from '../../src/base/config/config.js';
import { synchronize } from '../../src/synchronization/synchronize.js';
import { makeAuthority } from '../support/certificate.js';
import { runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { groupLdif, personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../support/slapd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Tests of a directory before a run (docs/ldap.md#tests). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PROVIDER = '/api/v2/directory/providers/CORP';

type Json = Record<string, unknown>;

if (SLAPD === undefined) console.warn('slapd is missing: the directory is not tested');

(SLAPD === undefined ? describe.skip : describe)('the test of a directory', () => {
  let server: TestServer;
  let slapd: Slapd;
  let admin: string;
  let settings: Json;
  let provider: Json;

  const call = (method: string, path: string, body?: unknown, token = admin) =>
    server.call(path, { method, token, body });
  const set = async (ldap: Json, more: Json[] = []): Promise<void> => {
    const value = { ...settings, ...ldap };
    const patch = [{ op: 'replace', path: '/ldap', value }, ...more];
    const answer = await call('PATCH', PROVIDER, patch);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const connection = async (): Promise<Json[]> => {
    const { status, body } = await call('POST', `${PROVIDER}/connection-test`);
    expect(status).toBe(200);
    return (body as { servers: Json[] }).servers;
  };
  const person = async (login: string): Promise<Json[]> => {
    const { status, body } = await call('POST', `${PROVIDER}/person-test`, { login });
    expect([status, body]).toEqual([200, expect.anything()]);
    return (body as { entries: Json[] }).entries;
  };
  const command = (...more: string[]) =>
    runCommand(['directories', 'test', 'CORP', ...more], {
      env: { DATABASE_URL: urlOf(server.database.connection), SECRETS_KEY },
    });

  beforeAll(async () => {
    slapd = await Slapd.start(undefined, true);
    slapd.change(
      personLdif('ada', { givenName: 'Ada', userPassword: 'ada-secret' }) +
        personLdif('ben', { manager: 'uid=ada,ou=people,dc=example,dc=org' }) +
        personLdif('bruno.keller') +
        groupLdif('inner', ['uid=ben,ou=people']),
    );
    server = await startTestServer({ SECRETS_KEY });
    admin = await server.signInForLong('alice.martin');
    settings = {
      ...{ urls: [slapd.url], bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org' },
      ...{ groupsBase: 'ou=groups,dc=example,dc=org', pageSize: 2 },
    };
    const body = { reference: 'CORP', label: 'Corporate directory', kind: 'ldap', ldap: settings };
    const made = await call('POST', '/api/v2/directory/providers', {
      ...body,
      bindPassword: ROOT_PASSWORD,
    });
    expect(made.status).toBe(201);
    provider = made.body as Json;
  });
  afterAll(async () => {
    await server?.close();
    await slapd?.close();
  });

  it('tries each server, and says where it failed and why', async () => {
    const wrong = makeAuthority('other').cert;
    await set({ urls: [slapd.url, 'ldap://127.0.0.1:1', slapd.tlsUrl], certificates: wrong });
    const [plain, down, encrypted] = await connection();
    expect(plain).toEqual({
      ...{ url: slapd.url, step: 'done', message: null, milliseconds: expect.any(Number) },
      ...{ people: 2, hasMorePeople: true, groups: 1, hasMoreGroups: false },
    });
    expect(down).toMatchObject({ step: 'reach', message: expect.stringContaining('ECONNREFUSED') });
    expect(encrypted).toMatchObject({ step: 'encrypt', people: null });
    await set({ urls: [slapd.url], startTls: true, certificates: wrong });
    expect(await connection()).toMatchObject([{ step: 'encrypt' }]);
    await set({ urls: [slapd.tlsUrl], certificates: slapd.authority.cert });
    expect(await connection()).toMatchObject([{ step: 'done' }]);
    await set({ peopleBase: 'ou=none,dc=example,dc=org' });
    expect(await connection()).toMatchObject([{ step: 'people', people: null }]);
    await set({ groupsBase: 'ou=none,dc=example,dc=org' });
    expect(await connection()).toMatchObject([{ step: 'groups', people: 2 }]);
    await set({}, [{ op: 'replace', path: '/bindPassword', value: 'not-the-password' }]);
    const [refused] = await connection();
    expect(refused).toMatchObject({ step: 'bind', message: expect.stringContaining('0x31') });
    expect(JSON.stringify(refused)).not.toContain('not-the-password');
    await set({}, [{ op: 'replace', path: '/bindPassword', value: ROOT_PASSWORD }]);
  });

  it('shows a person as a run would see and write them', async () => {
    const [ada, ...others] = await person('ada');
    expect(others).toEqual([]);
    expect(ada).toMatchObject({
      dn: 'uid=ada,ou=people,dc=example,dc=org',
      values: { login: 'ada', firstName: 'Ada', lastName: 'Sn-ada', externalId: expect.anything() },
      ...{ action: 'create', reason: 'is new in the directory', user: null, before: {} },
      after: expect.objectContaining({ login: 'ada', title: 'Ada Sn-ada' }),
    });
    const { attributes } = ada as { attributes: Json[] };
    expect(attributes).toContainEqual({
      ...{ name: 'givenName', values: ['Ada'], isBinary: false, isCut: false, isSecret: false },
    });
    expect(attributes).toContainEqual(expect.objectContaining({ name: 'entryUUID' }));
    expect(attributes).toContainEqual({
      ...{ name: 'userPassword', values: [], isBinary: false, isCut: false, isSecret: true },
    });
    expect(await person('bruno.keller')).toMatchObject([
      { action: 'skip', reason: 'login: The login is taken' },
    ]);
    expect(await person('a*')).toEqual([]);
    expect(await person('ada)(uid=*')).toEqual([]);
    const rows = await server.database.query(`SELECT 1 FROM users WHERE login = 'ada'`);
    expect(rows).toEqual([]);
  });

  it('shows what would change of a person, and writes nothing', async () => {
    const config = loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY });
    await synchronize(config.withDatabase(server.database.connection), {
      ...{ provider: String(provider.id), isDryRun: false },
    });
    expect(await person('ben')).toMatchObject([{ action: 'none', reason: null, after: {} }]);
    slapd.change(`dn: uid=ben,ou=people,dc=example,dc=org
changetype: modify
replace: sn
sn: Baker
-
add: jpegPhoto
jpegPhoto:: /9j/4AAQ
`);
    const before = await server.database.query('SELECT max(xmin::text::bigint) FROM users');
    const [ben] = await person('ben');
    expect(ben).toMatchObject({
      ...{ action: 'update', user: expect.stringMatching('^/directory/users/') },
      before: { lastName: 'Sn-ben' },
      after: { lastName: 'Baker' },
    });
    expect((ben as { attributes: Json[] }).attributes).toContainEqual({
      ...{ name: 'jpegPhoto', values: ['/9j/4AAQ'], isBinary: true, isCut: false, isSecret: false },
    });
    expect(await server.database.query('SELECT max(xmin::text::bigint) FROM users')).toEqual(
      before,
    );
    // A picture is shown by its size.
    const add =
      'dn: uid=ada,ou=people,dc=example,dc=org\nchangetype: modify\nadd: jpegPhoto\njpegPhoto::';
    const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    slapd.change(`${add} ${picture.toString('base64')}\n`);
    await set({ mapping: { photo: 'jpegPhoto' } });
    const photo = `${picture.length} bytes`;
    const [ada] = await person('ada');
    expect(ada).toMatchObject({
      ...{ action: 'update', reason: 'photo: differs from the directory' },
      ...{ values: { photo }, before: {}, after: { photo } },
    });
    expect((ada as { attributes: Json[] }).attributes).toContainEqual({
      ...{ name: 'jpegPhoto', values: [photo], isBinary: false, isCut: true, isSecret: false },
    });
    expect(
      await server.database.query('SELECT 1 FROM photos WHERE directory_digest <> $1', ['']),
    ).toEqual([]);
    await set({});
  });

  it('waits for no run, and shows a few entries at most', async () => {
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query(`BEGIN; SELECT 1 FROM users WHERE login = 'ben' FOR UPDATE`);
    const waited = await call('POST', `${PROVIDER}/person-test`, { login: 'ben' });
    await holder.end();
    expect([waited.status, waited.headers['retry-after']]).toEqual([503, '1']);
    slapd.change(
      Array.from({ length: 21 }, (_, at) => personLdif(`many-${at}`, { sn: 'Many' })).join(''),
    );
    await set({ mapping: { login: 'sn' } });
    expect(await person('Many')).toHaveLength(20);
    await set({});
  });

  it('is on the command line', async () => {
    const servers = await command('--json');
    expect([servers.code, JSON.parse(servers.out)]).toMatchObject([0, [{ step: 'done' }]]);
    const ada = await command('--person', 'ada');
    expect([ada.code, ada.error]).toEqual([0, '']);
    expect(ada.out).toContain('userPassword  (secret)');
    expect(await command('--person', 'nobody')).toMatchObject({ code: 1 });
  });

  it('is for administrators, and for LDAP providers', async () => {
    const token = await server.signIn('bruno.keller');
    for (const [test, body] of [
      ['connection-test', undefined],
      ['person-test', { login: 'ada' }],
    ] as const)
      expect((await call('POST', `${PROVIDER}/${test}`, body, token)).status).toBe(403);
    await slapd.kill();
    expect(await call('POST', `${PROVIDER}/person-test`, { login: 'ada' })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching('^The directory cannot be read: ldap://127') },
    });
    await server.database.query('UPDATE providers SET ldap = NULL');
    expect(await call('POST', `${PROVIDER}/connection-test`)).toMatchObject({
      ...{ status: 409, body: { message: 'The provider has no LDAP settings' } },
    });
  });
});
