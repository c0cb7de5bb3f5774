import { type Answer, type TestServer } from '../support/test-server.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** A provider that calls by SCIM with the key of its service account. */
export interface Connector {
  id: string;
  key: string;
  scim: (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>;
}

export const PROVIDERS = '/api/v2/directory/providers';
const ACCOUNTS = '/api/v2/directory/service-accounts';

/** A server with a provider. */
export async function startScimServer(): Promise<WritingServer & Connector> {
  const writing = await startWritingServer();
  return { ...writing, ...(await connect(writing, 'entra')) };
}

/** Makes a provider, with a service account that may provision. */
export async function connect(
  { create, server }: Pick<WritingServer, 'create' | 'server'>,
  login: string,
): Promise<Connector> {
  await create(ACCOUNTS, { login, title: login });
  const role = await create('/api/v2/directory/roles', {
    label: login,
    permissions: ['scim:provision'],
  });
  await create('/api/v2/directory/role-assignments', { user: login, role: role.uri });
  const { key } = await create(`${ACCOUNTS}/${login}/api-keys`, {
    name: 'SCIM',
    expiration: '2099-01-01T00:00:00Z',
  });
  const body = { label: `Directory of ${login}`, kind: 'scim', serviceAccount: login };
  const { id } = await create(PROVIDERS, body);
  return { id, key: String(key), scim: caller(server, String(key)) };
}

export const caller =
  (server: TestServer, key: string): Connector['scim'] =>
  async (method, path, body, headers = {}) => {
    const answer = await server.call(`/scim/v2${path}`, {
      method,
      body,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/scim+json' }),
        ...headers,
      },
    });
    const parsed = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { ...answer, body: parsed };
  };

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The body of a patch. */
export const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

export const error = (status: number, detail: string, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});
