import { type BenchServer, newPassword, request } from '../support/bench-server.js';
import { compareAlternately, load, type Requests, type Rounds } from './load.js';
import { atLeast, atMost, ratioResult, type Result } from './result.js';
import { removeWritten, userPosts } from './workloads.js';

/** Members of the large group. */
const MEMBERS = 100_000;

/** Measures creating users by SCIM, also compared with the same users by the main API, and members of a large group. */
export async function provisioning(
  server: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const key = await connectorKey(server);
  const creates = scimPosts(key);
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
    ...(await memberPatches(server, key, { seconds, pairs })),
  ];
}

/** Adds members one by one to a large group and to a small one. */
async function memberPatches(
  { client, port }: BenchServer,
  key: string,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM users WHERE status = 1 AND NOT sysadmin AND NOT service ORDER BY id DESC LIMIT $1`,
    [MEMBERS],
  );
  const users = rows.map(({ id }) => id);
  const [large, small] = await Promise.all(
    ['large', 'small'].map(async (name) => {
      const { rows: made } = await client.query<{ id: string }>(
        `INSERT INTO groups (reference, label) VALUES ($1, $1) RETURNING id`,
        [`written.${name}`],
      );
      return made[0]!.id;
    }),
  );
  await client.query(
    'INSERT INTO group_members (group_id, user_id) SELECT $1, unnest($2::bigint[])',
    [large, users],
  );
  await client.query('ANALYZE group_members');
  const patch = (group: string) => () =>
    load(port, memberChanges(key, group, users), { seconds, connections: 1 });
  const comparison = await compareAlternately({ ours: patch(large!), other: patch(small!) }, pairs);
  await client.query(`DELETE FROM groups WHERE reference LIKE 'written.%'`);
  const name = `SCIM PATCH of a member of a group of ${MEMBERS}`;
  return [
    atMost(`${name}, median`, comparison.ours.p50, 20, 'ms', `p99 ${comparison.ours.p99} ms`),
    ratioResult(name, 'a small group', 0.8, comparison),
  ];
}

/** Removes a user from a group and adds them again, one after another. */
const memberChanges = (key: string, group: string, users: string[]): Requests =>
  users.slice(0, 500).flatMap((value) =>
    ['remove', 'add'].map((op) => ({
      method: 'PATCH' as const,
      path: `/scim/v2/Groups/${group}`,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [
          op === 'add'
            ? { op, path: 'members', value: [{ value }] }
            : { op, path: `members[value eq "${value}"]` },
        ],
      }),
    })),
  );

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
