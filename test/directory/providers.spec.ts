import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Providers of the directory, and what they manage (docs/api-contract.md#providers). */

const PROVIDERS = '/api/v2/directory/providers';
const USERS = '/api/v2/directory/users';
const GROUPS = '/api/v2/directory/groups';

type Json = Record<string, unknown>;

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];
let provider: Json;
let person: Json & { id: string };
let group: Json & { id: string };

beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create } = writing);
  provider = await create(PROVIDERS, { label: 'Entra ID', kind: 'ldap', reference: 'ENTRA' });
  person = await create(USERS, { login: 'managed', lastName: 'Person', email: 'a@b.example' });
  group = await create(GROUPS, { label: 'Managed', reference: 'MANAGED' });
  await manage();
});
afterAll(() => writing.close());

const database = () => writing.server.database;

/** Gives the person and the group to the provider. */
async function manage(): Promise<void> {
  for (const [table, { id }] of [
    ['users', person],
    ['groups', group],
  ] as const)
    await database().query(`UPDATE ${table} SET managed_by_id = $1 WHERE id = $2`, [
      provider.id,
      id,
    ]);
}

const refused = (attributes: string[]) => ({
  code: 409,
  message: `Entra ID manages ${attributes.join(', ')}: change it there, or release the object from the provider`,
  reason: 'managed-by-provider',
  parameters: { provider: 'Entra ID', attributes },
});

const patch = (path: string, ...changes: [string, unknown][]) =>
  call(
    'PATCH',
    path,
    changes.map(([attribute, value]) => ({ op: 'replace', path: `/${attribute}`, value })),
  );

const ref = () => ({
  id: provider.id,
  uri: `/directory/providers/${provider.id as string}`,
  reference: 'ENTRA',
  label: 'Entra ID',
});

describe('a provider', () => {
  it('is written by administrators', async () => {
    expect(provider).toMatchObject({ kind: 'ldap', active: true, dryRun: false });
    const { status, body } = await call(
      'POST',
      PROVIDERS,
      { label: 'X', kind: 'ldap' },
      {
        token: writing.bruno,
      },
    );
    expect([status, body.reason]).toEqual([403, 'missing-permission']);
  });

  it('has a service account of its own where it calls', async () => {
    const account = await create('/api/v2/directory/service-accounts', {
      login: 'scim',
      title: 'SCIM',
    });
    const fields = async (body: Json) =>
      (await call('POST', PROVIDERS, { label: 'X', kind: 'scim', ...body })).body.fields as unknown;
    expect(await fields({})).toEqual([
      { name: 'serviceAccount', message: 'is required', code: 'required', parameters: {} },
    ]);
    expect(await fields({ serviceAccount: 'bruno.keller' })).toMatchObject([
      { name: 'serviceAccount', code: 'not-a-service-account' },
    ]);
    const body = { label: 'X', kind: 'scim', serviceAccount: account.login };
    const made = await create(PROVIDERS, body);
    expect((made.serviceAccount as Json).reference).toBe('scim');
    const second = await call('POST', PROVIDERS, body);
    expect([second.status, second.body.reason]).toEqual([409, 'taken']);
  });
});

describe('what a provider manages', () => {
  const userPath = () => `${USERS}/${person.id}`;
  const groupPath = () => `${GROUPS}/${group.id}`;

  it('names it to everybody', async () => {
    for (const path of [userPath(), groupPath()]) {
      const { body } = await call('GET', path, undefined, { token: writing.bruno });
      expect(body.managedBy).toEqual(ref());
    }
    expect((await call('GET', `${USERS}/me`)).body.managedBy).toBeNull();
  });

  it('keeps what its provider manages', async () => {
    const changed = await patch(
      userPath(),
      ['lastName', 'Other'],
      ['email', null],
      ['nickName', 'N'],
    );
    expect([changed.status, changed.body]).toEqual([409, refused(['lastName', 'email'])]);
    expect((await call('DELETE', userPath())).body).toMatchObject({
      reason: 'managed-by-provider',
      parameters: { provider: 'Entra ID' },
    });
    const { body: same } = await call('GET', userPath());
    const replaced = await call('PUT', userPath(), { ...(same as Json), nickName: 'Nick' });
    expect([replaced.status, replaced.body.nickName]).toEqual([200, 'Nick']);
    expect((await patch(groupPath(), ['label', 'Other'])).body).toEqual(refused(['label']));
    expect((await patch(groupPath(), ['description', 'Ours'])).status).toBe(200);
  });

  it('keeps the members of a managed group', async () => {
    const member = `${groupPath()}/members/${person.id}`;
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await call(method, member);
      expect([status, body]).toEqual([409, refused(['members'])]);
    }
  });

  it('is not changed by an import', async () => {
    const report = async (kind: string, file: string) => {
      const path = `/api/v2/administration/imports/${kind}`;
      const headers = { 'Content-Type': 'text/csv' };
      return (await call('POST', path, Buffer.from(file), { headers })).body as Json;
    };
    expect(await report('users', 'login,lastName,nickName\nmanaged,Other,Nick\n')).toMatchObject({
      fields: [
        {
          line: 2,
          name: 'login',
          code: 'managed-by-provider',
          parameters: { provider: 'Entra ID', attributes: ['lastName'] },
        },
      ],
    });
    expect(await report('users', 'login,lastName,nickName\nmanaged,Person,New\n')).toMatchObject({
      updated: 1,
    });
    expect(await report('groups', 'reference,label\nMANAGED,Other\n')).toMatchObject({
      fields: [{ line: 2, code: 'managed-by-provider' }],
    });
  });

  it('is released alone, or with its provider', async () => {
    const release = (path: string, token?: string) =>
      call('DELETE', `${path}/managed-by`, undefined, token === undefined ? {} : { token });
    expect((await release(userPath(), writing.bruno)).status).toBe(403);
    expect((await release(userPath())).status).toBe(204);
    expect((await patch(userPath(), ['lastName', 'Other'])).status).toBe(200);
    const [line] = await database().query<{ before: Json; after: Json }>(
      'SELECT before, after FROM audit WHERE object_uri = $1 ORDER BY id DESC OFFSET 1 LIMIT 1',
      [person.uri],
    );
    expect(line).toEqual({ before: { managedBy: ref() }, after: { managedBy: null } });
    await manage();
    expect((await call('DELETE', `${PROVIDERS}/${provider.id as string}`)).status).toBe(204);
    for (const path of [userPath(), groupPath()])
      expect((await call('GET', path)).body.managedBy).toBeNull();
  });
});
