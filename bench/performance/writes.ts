import { hash, verify } from '@node-rs/argon2';
import { addUsers } from '../security/load/many-users.js';
import { compareByTurns, load, type Requests } from './load.js';
import { atLeast, ratioResult, type Result } from './result.js';
import type { Turns } from './reads.js';
import type { Site, Started } from './site.js';

/** Creating and changing users: validated, audited, one transaction each. */
export async function userWrites(site: Site, { seconds, pairs }: Turns): Promise<Result[]> {
  const { rows } = await site.client.query<{ id: string }>(
    'SELECT id FROM users WHERE NOT sysadmin ORDER BY hashint8(id) LIMIT 500',
  );
  let made = 0;
  const headers = { 'X-AUTHENTICATION-KEY': site.token, 'Content-Type': 'application/json' };
  const posts: Requests = [
    {
      method: 'POST',
      path: '/api/v2/directory/users',
      headers,
      setupRequest: (request) => {
        const login = `written.${process.pid}.${++made}`;
        return {
          ...request,
          body: JSON.stringify({
            login,
            firstName: 'Brigitte',
            lastName: `Written ${made}`,
            title: `Brigitte Written ${made}`,
            email: `${login}@company.example`,
            status: 1,
          }),
        };
      },
    },
  ];
  const patches: Requests = rows.map(({ id }) => ({
    method: 'PATCH',
    path: `/api/v2/directory/users/${id}`,
    headers,
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify([{ op: 'replace', path: '/userFunction', value: `Function ${++made}` }]),
    }),
  }));
  const by = (requests: Requests) =>
    compareByTurns(
      {
        ours: () => load(site.server.port, requests, { seconds }),
        other: () => load(site.best.port, requests, { seconds }),
      },
      pairs,
    );
  const name = 'hand-written with the same writes';
  const results = [
    ratioResult('POST of a user', name, 0.5, await by(posts)),
    ratioResult('PATCH of a user', name, 0.5, await by(patches)),
  ];
  await site.client.query(`DELETE FROM users WHERE login LIKE 'written.%'`);
  return results;
}

/** The two passwords that are compared, as the server stores them. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;

/** Signing in by password against argon2 alone, and by API key. */
export async function signIns(
  site: Site,
  password: string,
  { seconds, pairs }: Turns,
): Promise<Result[]> {
  // Not the site's own user: the oldest of more than 50 tokens ends, and with it all that follows.
  const { rows } = await site.client.query<{ id: string; login: string }>(
    `SELECT u.id, u.login FROM users u JOIN passwords p ON p.user_id = u.id
     WHERE u.status = 1 AND NOT u.sysadmin AND NOT u.administrator ORDER BY u.id LIMIT 100`,
  );
  const stored = await hash(password, SETTINGS);
  const bare = async () => {
    const until = performance.now() + seconds * 1_000;
    let evaluated = 0;
    const work = async (): Promise<void> => {
      for (; performance.now() < until; evaluated++) await verify(stored, password, SETTINGS);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { rate: evaluated / seconds, p50: 0, p99: 0 };
  };
  const byPassword = rows.map(({ login }) => signIn(login, password));
  const comparison = await compareByTurns(
    { ours: () => load(site.server.port, byPassword, { seconds }), other: bare },
    pairs,
  );
  // So many that none of them has 50 tokens in the end; with one more the oldest ends, everywhere.
  await addUsers((text) => site.client.query(text), 1_500);
  const manyOf = (count: number, offset: number) =>
    site.client.query<{ id: string; login: string }>(
      `SELECT id, login FROM users WHERE status = 1 AND login LIKE 'many.%' ORDER BY id LIMIT ${count} OFFSET ${offset}`,
    );
  const [many, more] = [await manyOf(400, 0), await manyOf(800, 400)];
  const withKeys = async (people: typeof rows): Promise<Requests> => {
    const requests: Requests = [];
    for (const { id, login } of people)
      requests.push(signIn(login, await apiKeyOf(site.server, site.token, id)));
    return requests;
  };
  const byKey = async (who: string, requests: Requests, connections: number): Promise<Result> => {
    await load(site.server.port, requests, { seconds, connections });
    const { rate, p50, p99 } = await load(site.server.port, requests, { seconds, connections });
    const work = `sign-in by API key, ${who}, ${connections} connections`;
    return atLeast(work, rate, 3_000, 'a second', `p50 ${p50}, p99 ${p99} ms`);
  };
  const few = await withKeys(many.rows);
  const past = await withKeys(rows.slice(0, 50));
  return [
    ratioResult('sign-in by password', 'argon2 alone', 0.9, comparison),
    await byKey('400 accounts', few, 16),
    await byKey('50 accounts past their 50 tokens', past, 16),
    await byKey('50 accounts past their 50 tokens', past, 64),
    await byKey('800 accounts', await withKeys(more.rows), 64),
  ];
}

const signIn = (login: string, password: string): Requests[number] => ({
  method: 'POST',
  path: '/api/v2/authentication',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ login, password }),
});

async function apiKeyOf({ port }: Started, token: string, id: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/directory/users/${id}/api-keys`, {
    method: 'POST',
    headers: { 'X-AUTHENTICATION-KEY': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'benchmark' }),
  });
  if (!answer.ok) throw new Error(`no API key: ${await answer.text()}`);
  return ((await answer.json()) as { key: string }).key;
}
