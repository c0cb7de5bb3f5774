import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { AuditSums } from '../../src/security/audit-sums.js';
import { eventually } from '../support/eventually.js';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const SIGN_IN = '/api/v2/authentication';
const USERS = '/api/v2/directory/users';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const ACTOR = 'identity provider (Example Ltd)';

let provider: TestProvider;
let server: TestServer;
let sysadmin: string;
beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: 'portal',
    OIDC_NAME: 'Example Ltd',
  });
  sysadmin = await server.signInForLong('sysadmin');
  for (const reference of ['P-EDITORS', 'P-AUDITORS', 'P-STAFF']) {
    const body = { reference, label: reference };
    await server.call('/api/v2/directory/groups', { method: 'POST', token: sysadmin, body });
  }
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});
afterEach(async () => {
  await server.database.query(
    `DELETE FROM parameters WHERE key LIKE 'security.IdentityProvider.%'`,
  );
  await server.database.query(`DELETE FROM users WHERE login LIKE 'new.%'`);
  await server.database.query('DELETE FROM identities');
});

async function set(name: string, value: string | boolean) {
  const path = `/api/v2/administration/parameters/com.platform.security.IdentityProvider.${name}`;
  return server.call(path, { method: 'PUT', token: sysadmin, body: { value } });
}

const now = () => Math.floor(Date.now() / 1000);
const PERSON = {
  preferred_username: 'new.person',
  given_name: 'Nora',
  family_name: 'Newman',
  email: 'nora@example.com',
  locale: 'fr-CH',
};

/** A token of the provider; null omits a claim. */
function sign(claims: Record<string, unknown>): Promise<string> {
  const { sub = claims.preferred_username } = claims;
  const all = { iss: provider.issuer, aud: 'portal', iat: now(), exp: now() + 600, ...claims, sub };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return new SignJWT(kept)
    .setProtectedHeader({ alg: 'RS256', kid: provider.kid })
    .sign(provider.key);
}

const signIn = async (claims: Record<string, unknown> = {}) => {
  const Authorization = `Bearer ${await sign({ ...PERSON, ...claims })}`;
  return server.call(SIGN_IN, { method: 'POST', headers: { Authorization } });
};

/** What a person sees of themselves. */
async function me(token: string) {
  const { body } = await server.call(`${USERS}/me`, { token });
  return body as Record<string, unknown> & { groups: { reference: string }[] };
}
const groupsOf = async (token: string) =>
  (await me(token)).groups.map(({ reference }) => reference).sort();

async function latestReason(): Promise<unknown> {
  await server.app.get(AuditSums).write();
  const [line] = await server.database.query(
    `SELECT reason FROM audit WHERE action = 'refuse' ORDER BY id DESC LIMIT 1`,
  );
  return line;
}

const lastAudit = async (): Promise<string> =>
  (await server.database.query('SELECT coalesce(max(id), 0)::text AS id FROM audit'))[0]!
    .id as string;
/** Actions since a line of the audit trail, without sign-ins and refusals. */
const auditedSince = (id: string) =>
  server.database.query(
    `SELECT action, actor_login FROM audit WHERE id > $1 AND action NOT IN ('sign-in', 'refuse') ORDER BY id`,
    [id],
  );

describe('the first sign-in of an unknown person', () => {
  it('is refused unless a server parameter switches new people on', async () => {
    expect((await signIn()).body).toEqual(REFUSED);
    expect(await latestReason()).toEqual({
      reason: 'bad credentials: identity provider: unknown person',
    });
  });

  it('makes the person from the claims, in the organization and groups of the parameters', async () => {
    await set('createUsers', true);
    await set('organization', 'SALES');
    await set('groups', 'P-STAFF; P-UNKNOWN');
    const before = await lastAudit();
    const { status, body } = await signIn();
    expect(status).toBe(200);
    expect(await me(body.token as string)).toMatchObject({
      login: 'new.person',
      firstName: 'Nora',
      lastName: 'Newman',
      title: 'Nora Newman',
      email: 'nora@example.com',
      locale: 'fr',
      status: 1,
      administrator: false,
      organization: { reference: 'SALES' },
      groups: [{ reference: 'P-STAFF' }],
    });
    expect(await auditedSince(before)).toEqual([
      { action: 'create', actor_login: ACTOR },
      { action: 'bind-identity', actor_login: ACTOR },
      { action: 'add-member', actor_login: ACTOR },
    ]);
    const again = await signIn({ preferred_username: 'new.name', sub: 'new.person' });
    expect((await me(again.body.token as string)).login).toBe('new.person');
  });

  it('takes the organization from a claim by its reference', async () => {
    await set('createUsers', true);
    await set('organization', 'SALES');
    await set('claims', 'lastName=family_name; organization=department');
    const { body } = await signIn({ department: 'IT' });
    expect(await me(body.token as string)).toMatchObject({
      title: 'Newman',
      firstName: null,
      email: null,
      organization: { reference: 'IT' },
    });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['an e-mail address that is none', 'email (not-an-email)', { email: 'nora' }],
    ['no last name', 'lastName (required)', { family_name: null }],
    ['a reserved login', 'login (reserved-word)', { preferred_username: 'me' }],
    ['an unknown organization', 'organization (unknown-name)', { department: 'NOWHERE' }],
  ])('is refused with %s, and the audit trail says why', async (_, why, claims) => {
    await set('createUsers', true);
    await set('claims', 'lastName=family_name; email=email; organization=department');
    expect((await signIn(claims)).body).toEqual(REFUSED);
    expect(await latestReason()).toEqual({
      reason: `bad credentials: identity provider: no new person: ${why}`,
    });
    const rows = await server.database.query(`SELECT login FROM users WHERE login LIKE 'new.%'`);
    expect(rows).toEqual([]);
  });

  it('takes no account over by its e-mail address, nor by a login that cannot be bound', async () => {
    await set('createUsers', true);
    const [bruno] = await server.database.query(
      `SELECT email FROM users WHERE login = 'bruno.keller'`,
    );
    const { body } = await signIn({ email: bruno!.email });
    expect((await me(body.token as string)).login).toBe('new.person');
    for (const login of ['sysadmin', 'NEW.person'])
      expect((await signIn({ preferred_username: login, sub: 'another' })).body).toEqual(REFUSED);
    await server.database.query(`UPDATE users SET status = 0 WHERE login = 'bruno.keller'`);
    expect((await signIn({ preferred_username: 'bruno.keller' })).body).toEqual(REFUSED);
    await server.database.query(`UPDATE users SET status = 1 WHERE login = 'bruno.keller'`);
  });

  it('makes nobody from a token that is older than five minutes', async () => {
    await set('createUsers', true);
    expect((await signIn({ iat: now() - 310 })).body).toEqual(REFUSED);
  });

  it('makes one person when several come at the same moment', async () => {
    await set('createUsers', true);
    // Nobody is made before several wait to make the person.
    await server.database.query('BEGIN; LOCK TABLE users IN SHARE MODE');
    const signIns = Promise.all(Array.from({ length: 8 }, () => signIn()));
    await eventually(async () => {
      const waiting = await server.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting.length).toBeGreaterThan(1);
    });
    await server.database.query('COMMIT');
    const answers = await signIns;
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await server.database.query(
      `SELECT count(*)::integer AS n FROM audit WHERE action = 'create' AND after ->> 'login' = 'new.person'
        AND object_uri = '/directory/users/' || (SELECT id FROM users WHERE login = 'new.person')`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('a later sign-in', () => {
  it('proves an e-mail address only where the provider says that it is verified', async () => {
    const unproven = async () =>
      (
        await server.database.query(
          `SELECT FROM unproven_emails e JOIN users u ON u.id = e.user_id WHERE u.login = 'new.person'`,
        )
      ).length;
    await set('createUsers', true);
    await set('updateUsers', true);
    await signIn();
    expect(await unproven()).toBe(1);
    await signIn({ email: 'n@example.com', email_verified: true });
    expect(await unproven()).toBe(0);
    await signIn({ email: 'm@example.com' });
    expect(await unproven()).toBe(1);
  });

  it('updates names and e-mail address only where a server parameter says so', async () => {
    await set('createUsers', true);
    const token = (await signIn()).body.token as string;
    const changed = { family_name: 'Neumann', email: 'n@example.com', given_name: null };
    await signIn(changed);
    expect(await me(token)).toMatchObject({ lastName: 'Newman', email: 'nora@example.com' });
    await set('updateUsers', true);
    await signIn(changed);
    expect(await me(token)).toMatchObject({
      firstName: 'Nora',
      lastName: 'Neumann',
      title: 'Nora Neumann',
      email: 'n@example.com',
      locale: 'fr',
    });
    const before = await lastAudit();
    await signIn(changed);
    expect(await auditedSince(before)).toEqual([]);
  });

  it('signs in although a claim is invalid, and keeps what is stored', async () => {
    await set('createUsers', true);
    await set('updateUsers', true);
    const token = (await signIn()).body.token as string;
    expect((await signIn({ email: 'nora', family_name: 'Other' })).status).toBe(200);
    expect(await me(token)).toMatchObject({ lastName: 'Newman', email: 'nora@example.com' });
  });

  it('does not update people who were not made by their first sign-in', async () => {
    await set('updateUsers', true);
    const { body } = await signIn({ preferred_username: 'chloe.lefevre' });
    expect((await me(body.token as string)).lastName).toBe('Lefèvre');
  });
});

describe('groups from a claim', () => {
  const GROUPS = { preferred_username: 'chloe.lefevre' };
  const mapped = async () => {
    await set('groupClaim', 'groups');
    await set('groupMapping', 'CN=Editors,OU=Portal=P-EDITORS; P-AUDITORS');
  };

  it('are added and removed at each sign-in, those of the mapping alone, for running tokens too', async () => {
    const first = (await signIn(GROUPS)).body.token as string;
    const own = await groupsOf(first);
    await mapped();
    const before = await lastAudit();
    await signIn({ ...GROUPS, groups: ['CN=Editors,OU=Portal', 'P-AUDITORS', 'P-STAFF'] });
    expect(await groupsOf(first)).toEqual([...own, 'P-AUDITORS', 'P-EDITORS'].sort());
    await signIn({ ...GROUPS, groups: 'P-AUDITORS' });
    expect(await groupsOf(first)).toEqual([...own, 'P-AUDITORS'].sort());
    await signIn(GROUPS);
    expect(await groupsOf(first)).toEqual(own);
    const line = (action: string) => ({ action, actor_login: ACTOR });
    expect(await auditedSince(before)).toEqual(
      ['add-member', 'add-member', 'remove-member', 'remove-member'].map(line),
    );
  });

  it('write nothing where nothing has changed', async () => {
    await mapped();
    await signIn({ ...GROUPS, groups: ['P-AUDITORS'] });
    const state = () =>
      server.database.query(
        `SELECT u::text AS row, u.xmin::text FROM users u
         UNION ALL SELECT m::text, m.xmin::text FROM group_members m ORDER BY row`,
      );
    const [before, audit] = [await state(), await lastAudit()];
    await signIn({ ...GROUPS, groups: ['P-AUDITORS'] });
    expect([await state(), await auditedSince(audit)]).toEqual([before, []]);
  });

  it('do not come back with an older token', async () => {
    await mapped();
    const held = { ...GROUPS, groups: ['P-EDITORS', 'P-AUDITORS'], iat: now() - 60 };
    const token = (await signIn(held)).body.token as string;
    const own = await groupsOf(token);
    await signIn(GROUPS);
    expect((await signIn(held)).status).toBe(200);
    expect(await groupsOf(token)).toEqual(own.filter((one) => !one.startsWith('P-')));
  });

  it('do not come back with an older token after an administrator has removed them', async () => {
    await mapped();
    const held = { ...GROUPS, groups: ['P-AUDITORS'] };
    await signIn({ ...held, iat: now() - 60 });
    const token = (await signIn(held)).body.token as string;
    const path = '/api/v2/directory/groups/P-AUDITORS/members/chloe.lefevre';
    expect((await server.call(path, { method: 'DELETE', token: sysadmin })).status).toBe(204);
    await signIn({ ...held, iat: now() - 60 });
    expect(await groupsOf(token)).not.toContain('P-AUDITORS');
  });

  it('stay where the provider says that a token holds too few', async () => {
    await mapped();
    const { body } = await signIn({ ...GROUPS, groups: ['P-AUDITORS'] });
    await signIn({ ...GROUPS, _claim_names: { groups: 'src1' } });
    expect(await groupsOf(body.token as string)).toContain('P-AUDITORS');
  });

  it('are those of a new person from the start', async () => {
    await set('createUsers', true);
    await mapped();
    await set('groups', 'P-STAFF; P-AUDITORS');
    const { body } = await signIn({ groups: ['CN=Editors,OU=Portal'] });
    expect(await groupsOf(body.token as string)).toEqual(['P-EDITORS', 'P-STAFF']);
  });
});

describe('the parameters', () => {
  it.each([
    ['claims', 'title=name', 'title=name'],
    ['claims', 'email=', 'email='],
    ['groupMapping', '=EDITORS; A', '=EDITORS'],
  ])('%s refuses %j', async (name, value, unreadable) => {
    const { status, body } = await set(name, value);
    const example =
      name === 'claims'
        ? 'lastName=family_name; organization=department'
        : 'portal-editors=EDITORS; AUDITORS';
    expect([status, body.fields]).toEqual([
      400,
      [
        {
          name: 'value',
          message: `must be a list such as ${example}; unreadable: ${unreadable}`,
          code: 'bad-list',
          parameters: { example, unreadable: [unreadable] },
        },
      ],
    ]);
  });
});
