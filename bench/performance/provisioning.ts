import { type BenchServer, newPassword, request } from '../support/bench-server.js';
import { compareAlternately, load, type Requests, type Rounds } from './load.js';
import { atLeast, ratioResult, type Result } from './result.js';
import { removeWritten, userPosts } from './workloads.js';

/** Measures creating users by SCIM, also compared with the same users by the main API. */
export async function provisioning(
  server: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const creates = scimPosts(await connectorKey(server));
  const comparison = await compareAlternately(
    {
      ours: () => load(server.port, creates, { seconds }),
      other: () => load(server.port, userPosts(server), { seconds }),
    },
    pairs,
  );
  await removeWritten(server);
  const { rate, p50, p99 } = comparison.ours;
  return [
    atLeast('SCIM POST of a user', rate, 200, 'a second', `p50 ${p50}, p99 ${p99} ms`),
    ratioResult('SCIM POST of a user', 'the main API', 0.5, comparison),
  ];
}

/** The key of a service account that provisions. */
async function connectorKey(server: BenchServer): Promise<string> {
  const login = `connector.${newPassword().slice(-6)}`;
  const directory = '/api/v2/directory';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const call = { method: 'POST', token: server.token, body };
    return JSON.parse(await request(server, `${directory}${path}`, call)) as Record<
      string,
      unknown
    >;
  };
  await post('/service-accounts', { login, title: login });
  const role = await post('/roles', { label: login, permissions: ['scim:provision'] });
  await post('/role-assignments', { user: login, role: role.uri });
  await post('/providers', { label: login, kind: 'scim', serviceAccount: login });
  const expiration = new Date(Date.now() + 86_400_000).toISOString();
  const { key } = await post(`/service-accounts/${login}/api-keys`, { name: login, expiration });
  return String(key);
}

let written = 0;

const scimPosts = (key: string): Requests => [
  {
    method: 'POST',
    path: '/scim/v2/Users',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/scim+json' },
    setupRequest: (asked) => {
      const userName = `written.scim.${process.pid}.${++written}`;
      return {
        ...asked,
        body: JSON.stringify({
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName,
          externalId: userName,
          name: { givenName: 'Brigitte', familyName: `Written ${written}` },
          displayName: `Brigitte Written ${written}`,
          emails: [{ value: `${userName}@company.example`, type: 'work', primary: true }],
          active: true,
        }),
      };
    },
  },
];
