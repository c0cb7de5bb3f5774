import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

const USERS = '/api/v2/directory/users';
const ORGANIZATIONS = '/api/v2/directory/organizations';
const TASKS = '/api/v2/process/tasks';
const PASSWORD = 'Taken-Over-2026!';

let portal: WritingServer;
let made = 0;

beforeAll(async () => {
  portal = await startWritingServer();
});
afterAll(() => portal.close());

/** A person with one role, maybe within a place, who has just signed in. */
async function holderOf(role: string | string[], place: object = {}): Promise<string> {
  const login = `holder.${++made}`;
  const own = await portal.create(USERS, { login, lastName: login, password: PASSWORD });
  const reference = Array.isArray(role)
    ? (
        await portal.create('/api/v2/directory/roles', {
          reference: login,
          label: login,
          permissions: role,
        })
      ).uri
    : role;
  await portal.create('/api/v2/directory/role-assignments', {
    user: own.uri,
    role: reference,
    ...place,
  });
  const answer = await portal.server.call('/api/v2/authentication', {
    method: 'POST',
    body: { login, password: PASSWORD },
  });
  return answer.body.token as string;
}

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
const refusal = async (
  token: string,
  method: string,
  path: string,
  body: unknown,
  more: object = {},
) => {
  const { status, body: answer } = await portal.call(method, path, body, { token, ...more });
  return [status, answer.reason, answer.parameters];
};
const lacks = (permission: string) => [403, 'missing-permission', { permission }];
const forbiddenAttribute = (name: string) => [403, 'attributes-forbidden', { attributes: [name] }];

describe('a token with a part of the rights of its account', () => {
  const OWN = [
    ...['GET', 'DELETE'].flatMap((method) =>
      ['api-keys', 'identities', 'tokens'].map((kind) => [method, kind]),
    ),
    ['GET', 'second-steps'],
    ['PUT', 'password', { currentPassword: PASSWORD, password: `${PASSWORD}2` }],
  ] as [string, string, object?][];
  let person: string;
  let agent: string;

  beforeAll(async () => {
    const own = { login: 'acted.for', lastName: 'Acted', password: PASSWORD, status: 1 };
    person = `/api/v2${(await portal.create(USERS, own)).uri}`;
    await portal.create('/api/v2/directory/role-assignments', {
      ...{ user: 'acted.for', role: 'administrator' },
    });
    const accounts = '/api/v2/directory/service-accounts';
    await portal.create(accounts, { login: 'acts.for', title: 'Acts' });
    await portal.create('/api/v2/directory/roles', {
      ...{ reference: 'ACTS', label: 'Acts', permissions: ['users:act-for'] },
    });
    await portal.create('/api/v2/directory/role-assignments', { user: 'acts.for', role: 'ACTS' });
    const { key } = await portal.create(`${accounts}/acts.for/api-keys`, {
      ...{ name: 'Acts', expiration: '2099-01-01T00:00:00Z' },
    });
    agent = await signIn('acts.for', String(key));
  });

  const signIn = async (login: string, password: string) => {
    const body = { login, password };
    const answer = await portal.server.call('/api/v2/authentication', { method: 'POST', body });
    expect(answer.status).toBe(200);
    return answer.body.token as string;
  };
  const refused = OWN.map(([, kind]) =>
    lacks(kind === 'tokens' ? 'users:end-sessions' : 'users:set-credentials'),
  );
  const all = async (token: string) =>
    Promise.all(
      OWN.map(async ([method, kind, body]) => refusal(token, method, `${person}/${kind}`, body)),
    );

  it('on behalf of a person, leaves credentials and sessions alone', async () => {
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'acted.for',
      subject_token_type: 'urn:process-platform:token-type:login',
    };
    const exchange = '/api/v2/authentication/token-exchange';
    const { body } = await portal.call('POST', exchange, grant, { token: agent });
    expect(await all(body.access_token as string)).toEqual(refused);
  });

  it('of a limited key, leaves credentials and sessions alone', async () => {
    const token = await signIn('acted.for', PASSWORD);
    const made = await portal.call(
      'POST',
      `${person}/api-keys`,
      { name: 'News', expiration: '2099-01-01T00:00:00Z', permissions: ['news:read'] },
      { token },
    );
    expect(await all(await signIn('acted.for', String(made.body.key)))).toEqual(refused);
  });
});

describe('a role', () => {
  it('sets no password by the right to change other attributes', async () => {
    const { uri } = await portal.create(USERS, { login: 'victim', lastName: 'Victim' });
    const path = `/api/v2${uri}`;
    const partial = await holderOf(['users:read', 'users:change:phoneNumber']);
    const whole = await holderOf(['users:read', 'users:change']);
    const setsPassword = [{ op: 'add', path: '/password', value: PASSWORD }];
    expect(await refusal(partial, 'PATCH', path, replace('/phoneNumber', '1'))).toEqual([
      200,
      undefined,
      undefined,
    ]);
    const missing = [403, 'missing-permission', { permission: 'users:set-credentials' }];
    for (const token of [partial, whole])
      expect(await refusal(token, 'PATCH', path, setsPassword)).toEqual(missing);
    const { body: row } = await portal.call('GET', path);
    expect(await refusal(whole, 'PUT', path, { ...row, password: PASSWORD })).toEqual(missing);
    const signIn = { login: 'victim', password: PASSWORD };
    const tried = await portal.call('POST', '/api/v2/authentication', signIn, { token: undefined });
    expect(tried.status).toBe(401);
  });

  it('writes no write-only attribute beside those that it names', async () => {
    const { uri } = await portal.create('/api/v2/directory/providers', {
      label: 'Limits',
      kind: 'ldap',
      ldap: { urls: ['ldap://127.0.0.1:1'], peopleBase: 'dc=x' },
    });
    const token = await holderOf(['providers:read', 'providers:change:label']);
    expect(
      await refusal(token, 'PATCH', `/api/v2${uri}`, replace('/bindPassword', 'other')),
    ).toEqual(forbiddenAttribute('bindPassword'));
  });
});

describe('a login of another person', () => {
  it('changes only by who may set the password', async () => {
    const { uri } = await portal.create(USERS, { login: 'renamed', lastName: 'Renamed' });
    const rename = (token: string) =>
      refusal(token, 'PATCH', `/api/v2${uri}`, replace('/login', 'renamed.by.a.role'));
    expect(await rename(await holderOf(['users:read', 'users:change:login']))).toEqual([
      ...[403, 'missing-permission', { permission: 'users:set-credentials' }],
    ]);
    expect((await rename(await holderOf('people-administrator')))[0]).toBe(200);
  });
});

describe('an e-mail address of another person', () => {
  it('gets a forgotten password only from who may set one', async () => {
    const { id, uri } = await portal.create(USERS, { login: 'mailed', lastName: 'Mailed' });
    const unproven = () =>
      portal.server.database.query('SELECT 1 FROM unproven_emails WHERE user_id = $1', [id]);
    const change = async (token: string, address: string) =>
      (
        await refusal(...([token, 'PATCH', `/api/v2${uri}`] as const), [
          { op: 'add', path: '/email', value: address },
        ])
      )[0];
    const partial = await holderOf(['users:read', 'users:change:email']);
    expect(await change(partial, 'first@example.org')).toBe(200);
    expect(await unproven()).toHaveLength(1);
    expect(await change(await holderOf('people-administrator'), 'second@example.org')).toBe(200);
    expect(await unproven()).toHaveLength(0);
    expect(await change(partial, 'third@example.org')).toBe(200);
    expect(await unproven()).toHaveLength(1);
  });
});

describe('the right to change providers', () => {
  it('leaves directories, which say who somebody is, to those who may everything', async () => {
    const ldap = { urls: ['LDAP://127.0.0.1:1/'], peopleBase: 'dc=x' };
    const body = { reference: 'DIRECTORY', label: 'Directory', kind: 'ldap', ldap };
    const { uri, ldap: kept } = await portal.create('/api/v2/directory/providers', body);
    // One spelling of the scheme, by which StartTLS is chosen.
    expect(kept).toMatchObject({ urls: ['ldap://127.0.0.1:1'] });
    const token = await holderOf(['providers:*']);
    const change = replace('/ldap', { ...ldap, signIn: true });
    expect((await refusal(token, 'PATCH', `/api/v2${uri}`, change)).slice(0, 2)).toEqual([
      403,
      'more-than-own',
    ]);
    const another = { ...body, reference: 'ANOTHER' };
    expect(
      (await refusal(token, 'POST', '/api/v2/directory/providers', another)).slice(0, 2),
    ).toEqual([403, 'more-than-own']);
  });
});

describe('an assignment', () => {
  it('warns of the API keys of the person', async () => {
    const { id, uri } = await portal.create(USERS, { login: 'promoted', lastName: 'Promoted' });
    const assign = async (role: string) => {
      const body = { user: uri, role };
      const { status, headers } = await portal.call(
        'POST',
        '/api/v2/directory/role-assignments',
        body,
      );
      return [status, headers['x-warning']];
    };
    expect(await assign('auditor')).toEqual([201, undefined]);
    await portal.create(`${USERS}/${id}/api-keys`, { name: 'One' });
    expect(await assign('helpdesk')).toEqual([
      201,
      `/directory/users/${id} has 1 API key, with these rights too`,
    ]);
    await portal.create(`${USERS}/${id}/api-keys`, { name: 'Two', permissions: ['news:read'] });
    await portal.create(`${USERS}/${id}/api-keys`, { name: 'Three' });
    expect(await assign('editor')).toEqual([
      201,
      `/directory/users/${id} has 2 API keys, with these rights too`,
    ]);
  });
});

describe('a role within an organization', () => {
  it('moves an organization only between parents that it may change', async () => {
    const root = await portal.create(ORGANIZATIONS, { reference: 'ROOT-1', label: 'Root' });
    const below = await portal.create(ORGANIZATIONS, {
      ...{ reference: 'BELOW-1', label: 'Below', parent: 'ROOT-1' },
    });
    await portal.create(ORGANIZATIONS, { reference: 'BELOW-2', label: 'Other', parent: 'ROOT-1' });
    await portal.create(ORGANIZATIONS, { reference: 'FOREIGN-1', label: 'Foreign' });
    const token = await holderOf('people-administrator', { organization: 'ROOT-1' });
    const move = (uri: string, parent: string | null) =>
      refusal(token, 'PATCH', `/api/v2${uri}`, [{ op: 'add', path: '/parent', value: parent }]);
    expect(await move(root.uri, 'FOREIGN-1')).toEqual(forbiddenAttribute('parent'));
    expect(await move(below.uri, 'FOREIGN-1')).toEqual(forbiddenAttribute('parent'));
    expect(await move(below.uri, null)).toEqual(forbiddenAttribute('parent'));
    expect((await move(below.uri, 'BELOW-2'))[0]).toBe(200);
    expect((await portal.call('GET', `/api/v2${root.uri}`)).body.parent).toBeNull();
  });
});

describe('a role within an application', () => {
  it('gives no task to a source', async () => {
    await portal.create('/api/v2/process/sources', {
      ...{ reference: 'LIMITS', label: 'Limits', serviceAccount: 'process.engine' },
      applications: ['INVOICES'],
    });
    const task = await portal.create(TASKS, { title: 'Leave', application: 'LEAVE' });
    const path = `/api/v2${task.uri}`;
    const token = await holderOf('process-owner', { application: 'LEAVE' });
    const refused = [403, 'source-changed', {}];
    const given = [
      { op: 'add', path: '/source', value: 'LIMITS' },
      { op: 'add', path: '/externalId', value: 'x-1' },
    ];
    expect(await refusal(token, 'PATCH', path, given)).toEqual(refused);
    const own = { title: 'Own', application: 'LEAVE', source: 'LIMITS', externalId: 'x-1' };
    const creator = await holderOf(['tasks:create', 'tasks:read', 'tasks:change'], {
      application: 'LEAVE',
    });
    expect(await refusal(creator, 'POST', TASKS, own)).toEqual(refused);
    expect((await refusal(token, 'PATCH', path, replace('/title', 'Renamed')))[0]).toBe(200);
  });
});

describe('a process owner of one application', () => {
  let token: string;
  const status = async (method: string, path: string, body?: object) =>
    (await portal.call(method, path, body, { token })).status;

  beforeAll(async () => {
    for (const reference of ['OWNED', 'OTHER'])
      await portal.create('/api/v2/navigation/applications', {
        ...{ reference, title: reference, type: 'PROCESS', active: true },
      });
    token = await holderOf('process-owner', { application: 'OWNED' });
  });

  it('acts on the endpoints of that application alone', async () => {
    const endpoint = (label: string, applications: string[]) =>
      portal.create('/api/v2/process/endpoints', {
        ...{ label, applications, mode: 'pull' },
      });
    const own = `/api/v2${(await endpoint('Own', ['OWNED'])).uri}`;
    const shared = `/api/v2${(await endpoint('Shared', ['OWNED', 'OTHER'])).uri}`;
    const ofAll = `/api/v2${(await endpoint('Of all', [])).uri}`;
    const answers = async (path: string) => [
      await status('POST', `${path}/secrets`, {}),
      await status('POST', `${path}/test`),
      await status('POST', `${path}/retry`),
      await status('GET', `${path}/deliveries`),
    ];
    expect(await answers(own)).toEqual([409, 201, 200, 200]);
    for (const hidden of [shared, ofAll])
      expect(await answers(hidden)).toEqual([404, 404, 404, 404]);
    const reader = await holderOf(['endpoints:read'], { application: 'OWNED' });
    expect(await refusal(reader, 'POST', `${own}/retry`, undefined)).toEqual(
      lacks('endpoints:change'),
    );
  });

  it('reads and sends again, of the deliveries of an endpoint, those of tasks that it reads', async () => {
    const { id, uri } = await portal.create('/api/v2/process/endpoints', {
      ...{ label: 'Titles', applications: ['OWNED'], mode: 'pull' },
    });
    const reader = await holderOf(['endpoints:read'], { application: 'OWNED' });
    await portal.create('/api/v2/directory/role-assignments', {
      user: (await portal.call('GET', `${USERS}/me`, undefined, { token: reader })).body.uri,
      ...{ role: 'process-owner', application: 'OTHER' },
    });
    const { id: task } = await portal.create(TASKS, { title: 'Secret', application: 'OWNED' });
    const titles = async (by: string, filter = '') => {
      const path = `/api/v2/process/endpoints/${id}/deliveries${filter}`;
      const { body } = await portal.call('GET', path, undefined, { token: by });
      return (body as unknown as { task: { label: string } | null }[]).map(
        ({ task }) => task?.label,
      );
    };
    expect(uri).toContain(id);
    await eventually(async () => expect(await titles(token)).toEqual(['Secret']));
    expect(await titles(reader)).toEqual([undefined]);
    for (const filter of [`task:eq:${task}`, `task:in:${task}`, 'task:isnotempty']) {
      expect(await titles(token, `?filters=${filter}`)).toEqual(['Secret']);
      expect(await titles(reader, `?filters=${filter}`)).toEqual([]);
    }
    expect(await titles(reader, `?filters=task:neq:${task}`)).toEqual([undefined]);
    await portal.server.database.query(
      `UPDATE deliveries SET status = 'failed' WHERE endpoint_id = $1`,
      [id],
    );
    const partial = await holderOf(['endpoints:read', 'endpoints:change'], {
      application: 'OWNED',
    });
    const replayed = async (by: string) => {
      const path = `/api/v2/process/endpoints/${id}/replay`;
      return (await portal.call('POST', path, { failed: true }, { token: by })).body;
    };
    expect(await replayed(partial)).toEqual({ count: 0, next: null });
    expect(await replayed(token)).toEqual({ count: 1, next: null });
  });

  it('replaces the tile of that application alone', async () => {
    const tile = async (reference: string) => {
      const path = '/api/v2/navigation/applications';
      const { body } = await portal.call('GET', `${path}/${reference}`);
      const { id, title, type, active, audience } = body as Record<string, unknown>;
      const application = { reference, title, type, active, audience };
      return [
        `/api/v2/process/tiles/${String(id)}`,
        { application, view: { label: 'Own' } },
      ] as const;
    };
    expect(await status('PUT', ...(await tile('OWNED')))).toBe(200);
    expect(await refusal(token, 'PUT', ...(await tile('OTHER')))).toEqual(
      lacks('applications:change'),
    );
    const partial = await holderOf(['applications:change'], { application: 'OWNED' });
    expect(await refusal(partial, 'PUT', ...(await tile('OWNED')))).toEqual(lacks('views:create'));
  });

  it('counts the tasks of that application alone', async () => {
    const count = async (application: string, by?: string) => {
      const path = `/api/v2/navigation/applications/${application}`;
      const { body } = await portal.call('GET', path, undefined, by ? { token: by } : {});
      return body.taskCount as number;
    };
    await portal.create(TASKS, { title: 'Owned', application: 'OWNED' });
    await portal.create(TASKS, { title: 'Other', application: 'OTHER' });
    expect(await count('OTHER')).toBe(1);
    expect(await count('OTHER', token)).toBe(0);
    expect(await count('OWNED', token)).toBe(await count('OWNED'));
    expect(await count('OWNED')).toBeGreaterThan(0);
  });

  it('pushes for the sources of that application alone', async () => {
    const source = (reference: string, applications: string[]) =>
      portal.create('/api/v2/process/sources', {
        ...{ reference, applications, label: reference, serviceAccount: 'process.engine' },
      });
    await source('PUSH-OWN', ['OWNED']);
    await source('PUSH-SHARED', ['OWNED', 'OTHER']);
    const push = (by: string, name: string, application: string) =>
      refusal(by, 'PUT', `/api/v2/process/tasks?source=${name}`, [
        { externalId: 'p-1', title: 'Pushed', application },
      ]);
    expect((await push(token, 'PUSH-OWN', 'OWNED'))[0]).toBe(200);
    expect((await push(token, 'PUSH-SHARED', 'OWNED'))[0]).toBe(400);
    const reader = await holderOf(['sources:read'], { application: 'OWNED' });
    expect(await push(reader, 'PUSH-OWN', 'OWNED')).toEqual(lacks('sources:push'));
  });
});

describe('the account of an endpoint', () => {
  it('is another person only for who may work for endpoints', async () => {
    const { uri } = await portal.create('/api/v2/process/endpoints', {
      ...{ label: 'Account', applications: ['LEAVE'], mode: 'pull' },
    });
    const owner = await holderOf('process-owner', { application: 'LEAVE' });
    const appoint = (token: string, account: string) =>
      refusal(token, 'PATCH', `/api/v2${uri}`, [{ op: 'add', path: '/account', value: account }]);
    expect(await appoint(owner, 'bruno.keller')).toEqual([
      ...[403, 'more-than-own', { permissions: ['endpoints:work'] }],
    ]);
    await portal.create('/api/v2/directory/service-accounts', { login: 'worker', title: 'Worker' });
    expect((await appoint(owner, 'worker'))[0]).toBe(200);
    expect((await appoint(portal.admin, 'bruno.keller'))[0]).toBe(200);
    expect((await appoint(owner, 'worker'))[0]).toBe(200);
  });
});

describe('a limited key', () => {
  it('pushes for the source of its account only within its limit', async () => {
    const account = await portal.create('/api/v2/directory/service-accounts', {
      ...{ login: 'limited', title: 'Limited' },
    });
    await portal.create('/api/v2/process/sources', {
      ...{ reference: 'LIMITED', label: 'Limited', serviceAccount: 'limited' },
      applications: ['LEAVE'],
    });
    const push = async (permissions: string[] | null) => {
      const { key } = await portal.create(
        `/api/v2/directory/service-accounts/${account.id}/api-keys`,
        { name: `Key ${++made}`, expiration: '2099-01-01T00:00:00Z', permissions },
      );
      const { body } = await portal.server.call('/api/v2/authentication', {
        method: 'POST',
        body: { login: 'limited', password: key },
      });
      return refusal(body.token as string, 'PUT', '/api/v2/process/tasks?source=LIMITED', [
        { externalId: 'l-1', title: 'Limited', application: 'LEAVE' },
      ]);
    };
    expect(await push(['news:create'])).toEqual([
      ...[403, 'missing-permission', { permission: 'sources:push' }],
    ]);
    expect((await push(['sources:push']))[0]).toBe(200);
  });
});

describe('an open invitation', () => {
  it('ends when a source or an endpoint names its person', async () => {
    const helpdesk = await holderOf('helpdesk');
    const invited = async (login: string) => {
      const { uri } = await portal.create(USERS, { login, lastName: login });
      const answer = await portal.call('POST', `/api/v2${uri}/invitation`, undefined, {
        token: helpdesk,
      });
      return answer.body.code as string;
    };
    const use = async (code: string) =>
      (await portal.call('POST', '/api/v2/directory/invitations', { code, password: PASSWORD }))
        .status;
    const [ofSource, ofEndpoint, other] = await Promise.all(
      ['inv.1', 'inv.2', 'inv.3'].map(invited),
    );
    await portal.create('/api/v2/process/sources', {
      ...{ reference: 'INVITED', label: 'Invited', serviceAccount: 'inv.1' },
      applications: ['LEAVE'],
    });
    await portal.create('/api/v2/process/endpoints', {
      ...{ label: 'Invited', account: 'inv.2', applications: ['LEAVE'], mode: 'pull' },
    });
    expect([await use(ofSource!), await use(ofEndpoint!), await use(other!)]).toEqual([
      400, 400, 204,
    ]);
  });
});

describe('the right to import', () => {
  it('imports no sources without the right to act for their accounts', async () => {
    const token = await holderOf(['imports:create', 'sources:*']);
    const file =
      'reference,label,serviceAccount,applications\nIMPORTED,Imported,alice.martin,LEAVE\n';
    const headers = { 'Content-Type': 'text/csv' };
    expect(
      await refusal(token, 'POST', '/api/v2/administration/imports/sources', file, { headers }),
    ).toEqual([403, 'missing-permission', { permission: 'users:act-for' }]);
  });

  it('imports no tasks without the right to push those of all sources', async () => {
    const rights = ['tasks:read', 'tasks:create', 'tasks:change', 'imports:create'];
    const token = await holderOf(rights);
    const file = 'reference,title\nLIMITS-1,Title\n';
    const headers = { 'Content-Type': 'text/csv' };
    expect(
      await refusal(token, 'POST', '/api/v2/administration/imports/tasks', file, { headers }),
    ).toEqual([403, 'missing-permission', { permission: 'sources:push' }]);
  });
});
