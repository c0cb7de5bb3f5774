import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { loadConfig } from '../../src/base/config/config.js';
import { type RunOptions, synchronize } from '../../src/synchronization/synchronize.js';
import { ADMINISTRATOR, ADMINISTRATOR_PASSWORD, HAS_SAMBA, Samba } from '../support/samba.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Samba's domain controller of Active Directory (docs/ldap.md#active-directory). */

const SECRETS_KEY = 'a-key-of-the-tests-with-32-characters';
const PROVIDERS = '/api/v2/directory/providers';
const PASSWORD = 'Of-the-directory-1';

type Json = Record<string, unknown>;

if (!HAS_SAMBA)
  console.warn('samba-ad-dc is missing, or this is not root: Active Directory is not tested');

/** An account with a password, which Active Directory takes over TLS alone (MS-ADTS 3.1.1.3.1.5). */
const account = (login: string): string =>
  `dn: CN=${login},OU=people,DC=example,DC=org
objectClass: user
cn: ${login}
sn: Sn-${login}
sAMAccountName: ${login}
userPrincipalName: ${login}@example.org
userAccountControl: 512
unicodePwd:: ${Buffer.from(`"${PASSWORD}"`, 'utf16le').toString('base64')}

`;

const change = (login: string, lines: string): string =>
  `dn: CN=${login},OU=people,DC=example,DC=org\nchangetype: modify\n${lines}\n\n`;

const group = (name: string, members: string[]): string =>
  `dn: CN=${name},OU=people,DC=example,DC=org
objectClass: group
cn: ${name}
sAMAccountName: ${name}
${members.map((member) => `member: CN=${member},OU=people,DC=example,DC=org\n`).join('')}
`;

(HAS_SAMBA ? describe : describe.skip)('Active Directory', () => {
  let server: TestServer;
  let samba: Samba;
  let admin: string;
  let provider: Json;

  const run = (more: Partial<RunOptions> = {}) => {
    const config = loadConfig({ LOG_LEVEL: 'silent', SECRETS_KEY });
    const options = { provider: String(provider.id), isDryRun: false, ...more };
    return synchronize(config.withDatabase(server.database.connection), options);
  };
  const sync = async (more?: Partial<RunOptions>) => (await run(more)).counts;
  const changed = () => sync({ isFull: false });
  const set = async (ldap: Json): Promise<void> => {
    const value = { ...(provider.ldap as Json), ...ldap };
    const body = [{ op: 'replace', path: '/ldap', value }];
    const answer = await server.call(`${PROVIDERS}/AD`, { method: 'PATCH', token: admin, body });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const person = async (login: string): Promise<Json | undefined> => {
    const [row] = await server.database.query<Json>(
      `SELECT id::text, title, status, external_id AS key FROM users WHERE managed_by_id IS NOT NULL AND login = $1`,
      [login],
    );
    return row;
  };
  const members = async (label: string): Promise<string[]> => {
    const rows = await server.database.query<{ login: string }>(
      `SELECT u.login FROM group_members m JOIN groups g ON g.id = m.group_id JOIN users u ON u.id = m.user_id
        WHERE g.managed_by_id IS NOT NULL AND g.label = $1 ORDER BY 1`,
      [label],
    );
    return rows.map(({ login }) => login);
  };
  const signIn = async (login: string, password = PASSWORD): Promise<number> => {
    const body = { login, password };
    return (await server.call('/api/v2/authentication', { method: 'POST', body })).status;
  };

  beforeAll(async () => {
    samba = await Samba.start();
    samba.change(
      'dn: OU=people,DC=example,DC=org\nobjectClass: organizationalUnit\n\n' +
        ['ada', 'ben', 'eve', 'kurt'].map(account).join('') +
        change('kurt', 'replace: userAccountControl\nuserAccountControl: 514') +
        group('inner', ['ben']) +
        group('outer', ['ada', 'inner']),
    );
    server = await startTestServer({ SECRETS_KEY });
    admin = await server.signInForLong('alice.martin');
    const answer = await server.call(PROVIDERS, {
      method: 'POST',
      token: admin,
      body: {
        ...{ reference: 'AD', label: 'Active Directory', kind: 'ldap' },
        ldap: {
          ...{ urls: [samba.tlsUrl], certificates: samba.authority.cert },
          ...{ schema: 'active-directory', bindDn: ADMINISTRATOR, signIn: true },
          ...{ peopleBase: 'DC=example,DC=org', groupsBase: 'DC=example,DC=org' },
          ...{ brakePercent: 100, pageSize: 2 },
        },
        bindPassword: ADMINISTRATOR_PASSWORD,
      },
    });
    provider = answer.body as Json;
  });
  afterAll(async () => {
    await server?.close();
    await samba?.close();
  });

  it('is read from its root, with nested and primary groups', async () => {
    const { isIncomplete, counts, changes } = await run();
    // The referral to the configuration leads to no people. Accounts of the system have no last name.
    expect(isIncomplete).toBe(false);
    expect(counts).toMatchObject({ read: 8, created: 4, skipped: 4 });
    expect(changes.map(({ name, reason }) => [name, reason]).sort()).toEqual(
      ['Administrator', 'Guest', 'dns-dc1', 'krbtgt'].map((login) => [
        login,
        'lastName: is required',
      ]),
    );
    const ada = (await person('ada'))!;
    expect(samba.dnOf(String(ada.key))).toBe('CN=ada,OU=people,DC=example,DC=org');
    expect(await person('kurt')).toMatchObject({ status: 0 });
    expect(await members('inner')).toEqual(['ben']);
    expect(await members('outer')).toEqual(['ada', 'ben']);
    expect(await members('Domain Users')).toEqual(['ada', 'ben', 'eve', 'kurt']);
    expect(await sync()).toMatchObject({ created: 0, updated: 0, groupsUpdated: 0 });
  });

  it('reads only what has changed', async () => {
    expect(await changed()).toMatchObject({ read: 0, groups: 0 });
    samba.change(change('ada', 'replace: displayName\ndisplayName: Ada King'));
    expect(await changed()).toMatchObject({ read: 1, updated: 1, groups: 0 });
    expect(await person('ada')).toMatchObject({ title: 'Ada King' });
  });

  it('reads everything from another domain controller', async () => {
    await server.database.query(
      `UPDATE provider_runs SET cookie = jsonb_set(cookie::jsonb, '{server}', '"another"')`,
    );
    expect(await changed()).toMatchObject({ read: 8, updated: 0, deactivated: 0 });
  });

  it('keeps who is renamed and moved', async () => {
    const before = await person('ben');
    samba.change(
      'dn: OU=left,DC=example,DC=org\nobjectClass: organizationalUnit\n\n' +
        change('ben', 'replace: sAMAccountName\nsAMAccountName: benjamin') +
        `dn: CN=ben,OU=people,DC=example,DC=org
changetype: modrdn
newrdn: CN=benjamin
deleteoldrdn: 1
newsuperior: OU=left,DC=example,DC=org
`,
    );
    expect(await changed()).toMatchObject({ read: 1, updated: 1, membersRemoved: 0 });
    expect(await person('benjamin')).toEqual(before);
    expect(await members('outer')).toEqual(['ada', 'benjamin']);
  });

  it('checks the password, over TLS alone', async () => {
    expect([await signIn('ada'), await signIn('ada', 'wrong')]).toEqual([200, 401]);
    await set({ urls: [samba.url] });
    expect(await signIn('ada')).toBe(401);
    await set({ urls: [samba.url], startTls: true });
    expect(await signIn('ada')).toBe(200);
    await set({});
  });

  it('deactivates who is disabled', async () => {
    await sync();
    samba.change(change('eve', 'replace: userAccountControl\nuserAccountControl: 514'));
    expect(await signIn('eve')).toBe(401);
    expect(await changed()).toMatchObject({ read: 1, updated: 1 });
    expect(await person('eve')).toMatchObject({ status: 0 });
    samba.change(change('eve', 'replace: userAccountControl\nuserAccountControl: 512'));
    expect(await changed()).toMatchObject({ read: 1, updated: 1 });
    expect(await signIn('eve')).toBe(200);
  });

  it('keeps the thumbnailPhoto', async () => {
    const picture = await sharp({
      create: { width: 96, height: 96, channels: 3, background: '#336699' },
    })
      .jpeg()
      .toBuffer();
    await set({ mapping: { photo: 'thumbnailPhoto' } });
    await sync();
    samba.change(
      change('ada', `replace: thumbnailPhoto\nthumbnailPhoto:: ${picture.toString('base64')}`),
    );
    expect(await changed()).toMatchObject({ read: 1, updated: 1, skipped: 0 });
    const { id } = (await person('ada'))!;
    const photo = await server.call(`/api/v2/directory/users/${String(id)}/photo`, {
      token: admin,
    });
    expect([photo.status, photo.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  it('takes the userPrincipalName as the login', async () => {
    const before = await person('ada');
    await set({ mapping: { login: 'userPrincipalName' } });
    await sync();
    expect(await person('ada@example.org')).toEqual(before);
    expect(await signIn('ada@example.org')).toBe(200);
    await set({});
    await sync();
  });

  it('deactivates who was deleted there', async () => {
    samba.change('dn: CN=eve,OU=people,DC=example,DC=org\nchangetype: delete\n');
    expect(await signIn('eve')).toBe(401);
    expect(await changed()).toMatchObject({ deactivated: 0 });
    expect(await sync()).toMatchObject({ deactivated: 1 });
    expect(await person('eve')).toMatchObject({ status: 0 });
  });
});
