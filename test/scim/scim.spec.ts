import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { WritingServer } from '../support/writing-server.js';
import {
  caller,
  connect,
  type Connector,
  ENTERPRISE,
  error,
  patchOf,
  PROVIDERS,
  startScimServer,
} from './connector.js';

/** Provisioning by SCIM 2.0 (docs/scim.md). */

type Json = Record<string, unknown>;

let portal: WritingServer & Connector;
let scim: Connector['scim'];

beforeAll(async () => {
  portal = await startScimServer();
  ({ scim } = portal);
});
afterAll(() => portal.close());

const USERS = '/api/v2/directory/users';
const query = <T extends Json>(text: string, values?: unknown[]) =>
  portal.server.database.query<T>(text, values);
const filtered = (kind: string, filter: string, more = '') =>
  scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`);

/** The names of the objects that a filter finds. */
async function found(filter: string, kind = 'Users'): Promise<unknown[]> {
  const { status, body } = await filtered(kind, filter);
  expect([status, body]).toMatchObject([200, { Resources: expect.anything() }]);
  const objects = body.Resources as Json[];
  return objects.map(({ userName, displayName }) => userName ?? displayName);
}

async function made(kind: string, body: object): Promise<Json & { id: string }> {
  const answer = await scim('POST', `/${kind}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body as Json & { id: string };
}

const person = (userName: string, more: object = {}) => made('Users', { userName, ...more });
const read = async (id: string) => (await scim('GET', `/Users/${id}`)).body as Json;
const patch = (id: string, ...operations: object[]) =>
  scim('PATCH', `/Users/${id}`, patchOf(...operations));

describe('a call', () => {
  it('takes the key of a service account as a bearer token, here alone', async () => {
    const type = await scim('GET', '/ServiceProviderConfig');
    expect([type.status, type.headers['content-type']]).toEqual([
      200,
      'application/scim+json; charset=utf-8',
    ]);
    expect(type.body).toMatchObject({ patch: { supported: true }, bulk: { maxOperations: 1000 } });
    const headers = { Authorization: `Bearer ${portal.key}` };
    expect((await portal.server.call(USERS, { headers })).status).toBe(401);
    const wrong = await caller(portal.server, `ppk_${'x'.repeat(43)}`)('GET', '/Users');
    expect([wrong.status, wrong.body]).toEqual([401, error(401, 'Bad or invalid authentication')]);
    const none = await portal.server.call('/scim/v2/Users', { token: portal.admin });
    expect([none.status, JSON.parse(none.text)]).toEqual([
      403,
      error(403, 'The account is the service account of no active SCIM provider'),
    ]);
    expect((await portal.server.call('/scim/v2/Users', { token: portal.bruno })).status).toBe(403);
  });

  it('signs in once, and ends with the key', async () => {
    const { id, scim: other } = await connect(portal, 'short');
    for (let call = 0; call < 3; call++) expect((await other('GET', '/Users')).status).toBe(200);
    const signIns = await query(
      `SELECT 1 FROM audit WHERE action = 'sign-in' AND actor_login = 'short'`,
    );
    expect(signIns.length).toBeLessThanOrEqual(1);
    await portal.call('DELETE', '/api/v2/directory/service-accounts/short/api-keys');
    expect((await other('GET', '/Users')).status).toBe(401);
    await portal.call('DELETE', `${PROVIDERS}/${id}`);
  });

  it('is refused when the key was replaced, in all processes that hold a token of it', async () => {
    const { scim: old } = await connect(portal, 'rotated');
    expect((await old('GET', '/Users')).status).toBe(200);
    const keys = '/api/v2/directory/service-accounts/rotated/api-keys';
    const id = await portal.findId(keys, 'name:eq:SCIM');
    await query(`UPDATE tokens SET expiration = now() + interval '9 hours' WHERE api_key_id = $1`, [
      id,
    ]);
    const { key } = await portal.create(`${keys}/${id}/rotation`, { overlap: 1 });
    expect((await old('GET', '/Users')).status).toBe(200);
    for (const [table, column] of [
      ['api_keys', 'id'],
      ['tokens', 'api_key_id'],
    ])
      await query(
        `UPDATE ${table} SET expiration = expiration - interval '1 hour' WHERE ${column} = $1`,
        [id],
      );
    await eventually(async () => expect((await old('GET', '/Users')).status).toBe(401));
    expect((await caller(portal.server, String(key))('GET', '/Users')).status).toBe(200);
  });

  it('is refused in the form of SCIM wherever it ends', async () => {
    for (const [method, path, status] of [
      ['GET', '/Nothing', 404],
      ['GET', '/Users/abc', 404],
      ['PUT', '/Users', 405],
    ] as const) {
      const { body, headers } = await scim(method, path);
      expect(body).toMatchObject({ status: String(status), schemas: error(1, '').schemas });
      expect(headers['content-type']).toBe('application/scim+json; charset=utf-8');
    }
    const broken = await scim('POST', '/Users', Buffer.from('{'));
    expect([broken.status, broken.body.status]).toEqual([400, '400']);
    const type = { 'Content-Type': 'text/plain' };
    expect((await scim('POST', '/Users', Buffer.from('{}'), type)).status).toBe(415);
  });

  it('describes types and schemas', async () => {
    const types = await scim('GET', '/ResourceTypes');
    expect((types.body.Resources as Json[]).map(({ id }) => id)).toEqual(['User', 'Group']);
    expect((await scim('GET', '/ResourceTypes/Group')).body.endpoint).toBe('/Groups');
    const schemas = await scim('GET', '/Schemas');
    expect(schemas.body.totalResults).toBe(3);
    expect((await scim('GET', `/Schemas/${ENTERPRISE}`)).body.name).toBe('EnterpriseUser');
  });
});

describe('a user', () => {
  it('is created with all that is kept here', async () => {
    const manager = await person('the.boss', { name: { familyName: 'Boss' } });
    const { status, body, headers } = await scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      userName: 'Jane.Doe',
      externalId: 'X-1',
      name: { givenName: 'Jane', familyName: 'Doe' },
      displayName: 'Jane Doe',
      emails: [{ type: 'work', value: 'jane@corp.example', primary: true }],
      phoneNumbers: [
        { type: 'work', value: '+49 1' },
        { type: 'mobile', value: '+49 2' },
      ],
      title: 'Clerk',
      preferredLanguage: 'de-DE',
      active: 'True',
      password: 'Never-Kept-1',
      addresses: [{ type: 'work', locality: 'Bonn' }],
      [ENTERPRISE]: { department: 'SALES', manager: manager.id },
    });
    expect(status).toBe(201);
    const id = String(body.id);
    expect(headers.location).toBe(`http://127.0.0.1:${portal.server.port}/scim/v2/Users/${id}`);
    const meta = body.meta as Json;
    expect(headers.etag).toBe(meta.version);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      id,
      externalId: 'X-1',
      userName: 'Jane.Doe',
      name: { formatted: 'Jane Doe', familyName: 'Doe', givenName: 'Jane' },
      displayName: 'Jane Doe',
      title: 'Clerk',
      preferredLanguage: 'de',
      locale: 'de',
      active: true,
      emails: [{ value: 'jane@corp.example', type: 'work', primary: true }],
      phoneNumbers: [
        { value: '+49 1', type: 'work' },
        { value: '+49 2', type: 'mobile' },
      ],
      photos: expect.anything(),
      [ENTERPRISE]: {
        department: expect.any(String),
        manager: { value: manager.id, $ref: expect.any(String), displayName: 'Boss' },
      },
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: headers.location,
        version: expect.stringMatching(/^W\/"1-/),
      },
    });
    const { body: ours } = await portal.call('GET', `${USERS}/${id}`);
    expect(ours).toMatchObject({ login: 'Jane.Doe', status: 1, managedBy: { id: portal.id } });
    const [line] = await query<Json>(
      `SELECT action, actor_login FROM audit WHERE object_uri = $1`,
      [`/directory/users/${id}`],
    );
    expect(line).toEqual({ action: 'create', actor_login: 'entra' });
    const again = await scim('POST', '/Users', { userName: 'JANE.DOE' });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('is refused with what is wrong', async () => {
    const cases: [object, string][] = [
      [{}, 'userName is required'],
      [{ userName: 'u', active: 'maybe' }, 'active must be true or false'],
      [
        { userName: 'u', [ENTERPRISE]: { department: 'Nowhere' } },
        "department names no organization: 'Nowhere'",
      ],
      [{ userName: 'u', [ENTERPRISE]: { manager: 'x' } }, 'manager must be the id of a user'],
    ];
    for (const [body, detail] of cases) {
      const answer = await scim('POST', '/Users', body);
      expect([answer.status, answer.body]).toEqual([400, error(400, detail, 'invalidValue')]);
    }
  });

  it('is replaced, as Okta does it, and loses what is left out', async () => {
    const { id } = await person('okta.user', { title: 'Old', name: { familyName: 'O' } });
    const body = { userName: 'okta.user', name: { givenName: 'New', familyName: 'O' } };
    const { status, body: after } = await scim('PUT', `/Users/${id}`, body);
    expect([status, after.title, (after.name as Json).givenName]).toEqual([200, undefined, 'New']);
  });

  it('is answered with its address and version, whatever is shown of it', async () => {
    const wanted = [
      ['attributes=userName', ['schemas', 'id', 'userName']],
      ['excludedAttributes=meta', expect.arrayContaining(['id', 'userName'])],
    ] as const;
    for (const [parameters, names] of wanted) {
      const userName = `limited.${parameters.slice(0, 4)}`;
      const { status, body, headers } = await scim('POST', `/Users?${parameters}`, { userName });
      expect([status, Object.keys(body)]).toEqual([201, names]);
      expect(headers.location).toMatch(new RegExp(`/scim/v2/Users/${String(body.id)}$`));
      expect(headers.etag).toMatch(/^W\/"1-/);
      const again = await scim('GET', `/Users/${String(body.id)}?${parameters}`, undefined, {
        'If-None-Match': headers.etag,
      });
      expect(again.status).toBe(304);
    }
  });

  it('keeps its login, its address and its way in while it has rights', async () => {
    const { id } = await person('an.auditor', { emails: [{ value: 'auditor@corp.example' }] });
    await portal.create('/api/v2/directory/role-assignments', {
      user: 'an.auditor',
      role: 'auditor',
    });
    const set = (path: string, value: unknown) => patch(id, { op: 'replace', path, value });
    for (const [path, value, attribute] of [
      ['userName', 'somebody.else', 'login'],
      ['emails[type eq "work"].value', 'else@corp.example', 'email'],
    ] as const) {
      const { status, body } = await set(path, value);
      expect([status, body]).toEqual([403, error(403, `You may not change: ${attribute}`)]);
    }
    expect((await set('title', 'Head of audit')).status).toBe(200);
    expect((await set('active', true)).status).toBe(200);
    expect((await set('active', false)).status).toBe(200);
    const { status, body } = await set('active', true);
    expect([status, body]).toEqual([403, error(403, 'You may not change: status')]);
  });

  it('ends its sessions when it is not active', async () => {
    const { id } = await person('leaver');
    await query(
      `INSERT INTO tokens (user_id, hash, address, expiration) VALUES ($1, '\\x00', '::1', now() + interval '1 hour')`,
      [id],
    );
    const { status, body } = await patch(id, { op: 'Replace', path: 'active', value: 'False' });
    expect([status, body.active]).toEqual([200, false]);
    expect(await query('SELECT 1 FROM tokens WHERE user_id = $1', [id])).toEqual([]);
    expect(await found('userName eq "leaver"')).toEqual(['leaver']);
  });

  it('is gone when it is deleted, and comes back with its id where it is the same person', async () => {
    const same = { externalId: 'R-1', emails: [{ value: 'r@corp.example' }], title: 'Head' };
    const { id } = await person('referred', same);
    await person('refers', { [ENTERPRISE]: { manager: { value: id } } });
    const { uri: group } = await portal.create('/api/v2/directory/groups', {
      label: 'Left behind',
    });
    await query(`INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)`, [
      group.split('/').at(-1),
      id,
    ]);
    await portal.create('/api/v2/directory/role-assignments', {
      user: 'referred',
      role: 'auditor',
    });
    await query(
      `INSERT INTO api_keys (user_id, name, hash, prefix) VALUES ($1, 'Old', '\\x01', 'ppk_old')`,
      [id],
    );
    await query(`INSERT INTO identities (issuer, subject, user_id) VALUES ('i', 's', $1)`, [id]);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await scim(method, `/Users/${id}`)).status).toBe(404);
    expect(await found('userName eq "referred"')).toEqual([]);
    for (const table of ['api_keys', 'identities', 'group_members', 'role_assignments'])
      expect([table, await query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [id])]).toEqual([
        table,
        [],
      ]);
    const [audited] = await query<Json>(
      `SELECT before FROM audit WHERE object_uri = $1 AND action = 'update' ORDER BY id DESC LIMIT 1`,
      [`/directory/users/${id}`],
    );
    expect(audited!.before).toMatchObject({
      apiKeys: ['ppk_old'],
      groups: [group.split('/').at(-1)],
    });
    for (const other of [{}, { externalId: 'R-2' }]) {
      const refused = await scim('POST', '/Users', { userName: 'referred', ...other });
      expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    }
    const back = await person('Referred', { externalId: 'R-1' });
    expect([back.id, back.active, back.emails, back.title]).toEqual([
      id,
      true,
      undefined,
      undefined,
    ]);
    const { id: other } = await person('unreferred');
    expect((await scim('DELETE', `/Users/${other}`)).status).toBe(204);
    expect((await scim('DELETE', `/Users/${other}`)).status).toBe(404);
    expect(await query('SELECT 1 FROM users WHERE id = $1', [other])).toEqual([]);
  });

  it('is archived when it is deleted with a role, although nobody refers to it', async () => {
    const { id } = await person('deleted.auditor');
    await portal.create('/api/v2/directory/role-assignments', {
      ...{ user: 'deleted.auditor', role: 'auditor' },
    });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await query('SELECT status FROM users WHERE id = $1', [id])).toEqual([{ status: 3 }]);
  });

  it('is not shown when it is archived, whoever manages it', async () => {
    const { id } = await person('archived.one');
    await query('UPDATE users SET status = 3, managed_by_id = NULL WHERE id = $1', [id]);
    expect(await found('userName eq "archived.one"')).toEqual([]);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  });

  it('is taken over where nobody manages it, and never from another provider', async () => {
    const [bruno] = await query<{ id: string }>(
      `SELECT id FROM users WHERE login = 'bruno.keller'`,
    );
    expect(await found('userName eq "BRUNO.KELLER"')).toEqual(['bruno.keller']);
    expect((await patch(bruno!.id, { op: 'add', path: 'title', value: 'Head' })).status).toBe(200);
    const { body } = await portal.call('GET', `${USERS}/${bruno!.id}`);
    expect(body.managedBy).toMatchObject({ id: portal.id });
    const other = await connect(portal, 'okta');
    expect((await other.scim('GET', `/Users/${bruno!.id}`)).status).toBe(404);
    const taken = await other.scim('POST', '/Users', { userName: 'bruno.keller' });
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    for (const login of ['sysadmin', 'entra']) {
      const [{ id } = { id: '' }] = await query<{ id: string }>(
        'SELECT id FROM users WHERE login = $1',
        [login],
      );
      expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
      expect((await patch(id, { op: 'replace', path: 'active', value: false })).status).toBe(404);
    }
  });

  it('is written under a condition', async () => {
    const { id, meta } = await person('conditional');
    const { version } = meta as { version: string };
    const change = patchOf({ op: 'replace', path: 'nickName', value: 'N' });
    const write = (ifMatch: string) =>
      scim('PATCH', `/Users/${id}`, change, { 'If-Match': ifMatch });
    expect(
      (await scim('GET', `/Users/${id}`, undefined, { 'If-None-Match': version })).status,
    ).toBe(304);
    expect((await write('W/"99"')).body).toMatchObject({ status: '412' });
    expect((await write(version)).status).toBe(200);
    expect((await write(version)).status).toBe(412);
  });
});

describe('a patch of a user', () => {
  const work = 'emails[type eq "work"].value';

  it.each<[name: string, operations: object[], shown: object]>([
    ['Entra ID: capitalised', [{ op: 'Add', path: 'title', value: 'A' }], { title: 'A' }],
    [
      'Entra ID: a value path',
      [{ op: 'Replace', path: work, value: 'a@b.example' }],
      {
        emails: [{ value: 'a@b.example', type: 'work', primary: true }],
      },
    ],
    [
      'Entra ID: active as a text',
      [{ op: 'Replace', path: 'active', value: 'False' }],
      {
        active: false,
      },
    ],
    [
      'Entra ID: no path, dotted and URN keys',
      [
        {
          op: 'replace',
          value: { 'name.givenName': 'Dot', [`${ENTERPRISE}:department`]: 'SALES', title: 'T' },
        },
      ],
      { name: { givenName: 'Dot' }, title: 'T', [ENTERPRISE]: { department: expect.any(String) } },
    ],
    [
      'a list of emails',
      [{ op: 'add', path: 'emails', value: [{ value: 'l@b.example' }] }],
      {
        emails: [{ value: 'l@b.example' }],
      },
    ],
    [
      'a mobile phone',
      [{ op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }],
      {
        phoneNumbers: [{ value: '1', type: 'mobile' }],
      },
    ],
    [
      'the validator: several operations on one attribute',
      [
        { op: 'add', path: 'displayName', value: 'One' },
        { op: 'replace', path: 'displayName', value: 'Two' },
      ],
      { displayName: 'Two' },
    ],
    [
      'RFC 7644: a complex attribute',
      [{ op: 'replace', path: 'name', value: { familyName: 'F' } }],
      {
        name: { familyName: 'F' },
      },
    ],
  ])('takes %s', async (name, operations, shown) => {
    const { id } = await person(`patch.${name.replaceAll(/\W/g, '')}`);
    const { status, body } = await patch(id, ...operations);
    expect([status, body]).toMatchObject([200, shown]);
    expect(await read(id)).toMatchObject(shown);
  });

  it('adds, replaces and removes a manager in all forms', async () => {
    const [a, b] = [await person('manager.a'), await person('manager.b')];
    const { id } = await person('managed.person');
    const managerOf = async (operation: object) => {
      const { body } = await patch(id, operation);
      return ((body[ENTERPRISE] as Json | undefined)?.manager as Json | undefined)?.value;
    };
    const path = `${ENTERPRISE}:manager`;
    expect(await managerOf({ op: 'Add', path, value: a.id })).toBe(a.id);
    expect(await managerOf({ op: 'Replace', path, value: { value: b.id } })).toBe(b.id);
    expect(await managerOf({ op: 'Replace', path, value: '' })).toBeUndefined();
    expect(await managerOf({ op: 'add', path: `${path}.value`, value: a.id })).toBe(a.id);
    expect(await managerOf({ op: 'Remove', path })).toBeUndefined();
  });

  it.each<[operation: object, scimType: string]>([
    [{ op: 'add', path: 'addresses[type eq "work"].locality', value: 'Bonn' }, 'invalidPath'],
    [{ op: 'add', path: `${ENTERPRISE}:employeeNumber`, value: '1' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq "home"].value', value: 'h@b.example' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'swap', path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'title' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: '' }, 'noTarget'],
    [{ op: 'replace', path: 'name.formatted', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'emails[type eq "work"].primary', value: false }, 'mutability'],
    [{ op: 'remove', path: 'emails', value: [{ value: 'other@b.example' }] }, 'invalidValue'],
    [{ op: 'replace', value: { id: '1' } }, 'mutability'],
    [{ op: 'replace', value: { groups: [] } }, 'mutability'],
    [{ op: 'replace', path: 'constructor', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "constructor"].value', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', value: 'title' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[type eq', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: '__proto__.x', value: 'x' }, 'invalidFilter'],
  ])('refuses %j, and applies nothing of the patch', async (operation, scimType) => {
    const [{ id, title }] = (await query<{ id: string; title: string }>(
      `SELECT id, user_function AS title FROM users WHERE login = 'Jane.Doe'`,
    )) as [{ id: string; title: string }];
    const answer = await patch(id, { op: 'replace', path: 'title', value: 'Changed' }, operation);
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType]);
    expect((await read(id)).title).toBe(title);
  });
});

describe('a filter', () => {
  beforeAll(async () => {
    await person('filter.one', {
      externalId: 'Fx1',
      name: { givenName: 'Fil', familyName: 'Ter' },
      emails: [{ value: 'filter.one@corp.example', type: 'work' }],
      title: 'Filtered',
    });
    await person('filter.two', { title: 'Filtered', active: false });
  });

  it.each<[filter: string, logins: string[]]>([
    ['userName eq "FILTER.ONE"', ['filter.one']],
    ['USERNAME Eq "filter.one"', ['filter.one']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "filter.one"', ['filter.one']],
    ['externalId eq "Fx1"', ['filter.one']],
    ['externalId eq "fX1"', []],
    ['emails[type eq "work"].value eq "filter.one@corp.example"', ['filter.one']],
    ['emails[type eq "home"].value eq "filter.one@corp.example"', []],
    ['emails[type eq "work" and value eq "FILTER.one@corp.example"]', ['filter.one']],
    ['emails.value eq "filter.one@corp.example"', ['filter.one']],
    ['emails eq "filter.one@corp.example"', ['filter.one']],
    ['emails[type eq "home" and value pr]', []],
    ['title eq "filtered"', ['filter.one', 'filter.two']],
    ['title eq "filtered" and active eq true', ['filter.one']],
    ['title eq "filtered" and not (active eq true)', ['filter.two']],
    ['title eq "filtered" and (emails pr or active eq true)', ['filter.one']],
    ['title eq "filtered" and emails pr', ['filter.one']],
    ['userName sw "FILTER." and name.familyName ne "ter"', ['filter.two']],
    ['userName co "lter.o"', ['filter.one']],
    ['userName ew "lter.two"', ['filter.two']],
    ['title eq "filtered" and userName gt "filter.one"', ['filter.two']],
    ['title eq "filtered" and userName le "filter.one"', ['filter.one']],
    [
      'title eq "filtered" and meta.created gt "2020-01-01T00:00:00Z"',
      ['filter.one', 'filter.two'],
    ],
    ['title eq "filtered" and externalId eq null', ['filter.two']],
    ['userName co "%"', []],
    [`userName eq "' OR 1=1 --"`, []],
    [`userName eq "\\" or \\"1\\" eq \\"1"`, []],
    ['userName eq "$1"', []],
  ])('%s', async (filter, logins) => {
    expect(await found(filter)).toEqual(logins);
  });

  it.each([
    'userName',
    'userName eq',
    'userName eq x',
    'userName is "x"',
    '(userName pr',
    'userName pr)',
    'userName pr and',
    'password eq "x"',
    'passwords.hash pr',
    'constructor pr',
    'emails.constructor pr',
    '__proto__[value pr]',
    'active gt true',
    'active eq "true"',
    'meta.created co "2020"',
    'userName eq "x"; DROP TABLE users',
    'userName eq "x" union select 1',
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    `userName eq "${'x'.repeat(5000)}"`,
    Array.from({ length: 150 }, () => 'userName pr').join(' or '),
  ])('refuses %s', async (filter) => {
    const { status, body } = await scim('POST', '/Users/.search', { filter });
    expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
  });

  it('pages in a stable order, shows what is wanted, and sorts', async () => {
    const { body: all } = await scim('GET', '/Users?count=500');
    const { body: page } = await scim('GET', '/Users?startIndex=3&count=2');
    expect(page).toMatchObject({ startIndex: 3, itemsPerPage: 2, totalResults: all.totalResults });
    expect(page.Resources).toEqual((all.Resources as Json[]).slice(2, 4));
    const { body: none } = await scim('GET', '/Users?count=0');
    expect([none.Resources, none.totalResults]).toEqual([[], all.totalResults]);
    const wanted = await filtered(
      'Users',
      'userName eq "filter.one"',
      '&attributes=userName,NAME.givenName',
    );
    expect(wanted.body.Resources).toEqual([
      {
        schemas: expect.anything(),
        id: expect.any(String),
        userName: 'filter.one',
        name: { givenName: 'Fil' },
      },
    ]);
    const sorted = await filtered(
      'Users',
      'title eq "Filtered"',
      '&sortBy=userName&sortOrder=descending',
    );
    expect((sorted.body.Resources as Json[]).map(({ userName }) => userName)).toEqual([
      'filter.two',
      'filter.one',
    ]);
    const { body: searched } = await scim('POST', '/Users/.search', {
      filter: 'title eq "Filtered"',
      count: 1,
      excludedAttributes: ['meta', 'name'],
    });
    expect(searched).toMatchObject({ totalResults: 2, itemsPerPage: 1 });
    expect(Object.keys((searched.Resources as Json[])[0]!)).not.toContain('meta');
  });

  it('lists users, then groups, page by page in a search over both', async () => {
    const names = (body: Json) =>
      (body.Resources as Json[]).map(({ meta }) => (meta as Json).location);
    const filter = 'displayName sw "Both "';
    const made = [];
    for (const [path, body] of [
      ['/Users', { userName: 'both.1', displayName: 'Both 1' }],
      ['/Users', { userName: 'both.2', displayName: 'Both 2' }],
      ['/Groups', { displayName: 'Both 3' }],
      ['/Groups', { displayName: 'Both 4' }],
    ] as const)
      made.push(((await scim('POST', path, body)).body.meta as Json).location);
    for (const [startIndex, expected] of [
      [1, made.slice(0, 3)],
      [2, made.slice(1, 4)],
      [3, made.slice(2)],
      [5, []],
    ] as const) {
      const { body } = await scim('POST', '/.search', { filter, startIndex, count: 3 });
      expect(body).toMatchObject({ totalResults: 4, startIndex, itemsPerPage: expected.length });
      expect(names(body)).toEqual(expected);
    }
  });
});
