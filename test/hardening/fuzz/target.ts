import { bodyOf, deliver, type Reply } from './attempt.js';

/** A running server that only the attack uses, with access to its internals. */
export interface TargetServer {
  port: number;
  /** Runs SQL on its database. */
  query: <T>(text: string, values?: unknown[]) => Promise<T[]>;
  /** The texts of all statements that its database has executed. */
  statements: () => Promise<string[]>;
  /** Whether the started process is still running. */
  isAlive: () => boolean;
  printed: () => string;
  sysadminPassword: string;
  issuer: Issuer;
  /** Secrets beside those planted over HTTP, e.g. the password of the database. */
  secrets: string[];
}

/** An identity provider with a known signing key. */
export interface Issuer {
  address: string;
  sign: (claims: Record<string, unknown>, header: Record<string, unknown>) => Promise<string>;
  stop: () => Promise<void>;
}

/** The server with planted canaries, and the attackers' accounts. */
export interface Target extends TargetServer {
  /** Texts that must not appear in any answer or log. */
  canaries: string[];
  administrator: string;
  person: string;
  personId: string;
  /** The tokens of the person, and of a holder of each role of the server but that of administrators. */
  people: string[];
  send: (path: string, more?: object) => Promise<Reply>;
}

const DEMO_PASSWORD = 'Portal-Demo-2026';
const USERS = '/api/v2/directory/users';
const PARAMETERS = '/api/v2/administration/parameters/com.platform';

/** A value that only sysadmin may read. */
const HIDDEN_ADDRESS = '192.0.2.177';

/** Plants the canaries: a stored hash, a live token, an API key, a hidden parameter, a path. */
export async function prepare(site: TargetServer): Promise<Target> {
  const send = (path: string, more: object = {}) => deliver(site.port, { path, ...more });
  const signIn = async (login: string, password = DEMO_PASSWORD): Promise<string> => {
    const body = JSON.stringify({ login, password });
    const answer = await send('/api/v2/authentication', { method: 'POST', body });
    if (answer.status !== 200) throw new Error(`${login} cannot sign in: ${answer.text}`);
    return bodyOf<{ token: string }>(answer).token;
  };
  const administrator = await signIn('alice.martin');
  const person = await signIn('bruno.keller');
  const victim = await signIn('chloe.lefevre');
  const sysadmin = await signIn('sysadmin', site.sysadminPassword);
  const set = async (key: string, value: string | number): Promise<void> => {
    const body = JSON.stringify({ value });
    const path = `${PARAMETERS}.security.${key}`;
    const { status, text } = await send(path, { method: 'PUT', token: sysadmin, body });
    if (status !== 200) throw new Error(text);
  };
  await set('Authentication.allowedAddresses.sysadmin', `127.0.0.1, ::1, ${HIDDEN_ADDRESS}`);
  await set('Throttle.failures', 1_000_000);
  const idOf = async (token: string): Promise<string> =>
    bodyOf<{ id: string }>(await send(`${USERS}/me`, { token })).id;
  const keys = `${USERS}/${await idOf(victim)}/api-keys`;
  const made = await send(keys, { method: 'POST', token: victim, body: '{"name":"Canary"}' });
  const [stored] = await site.query<{ hash: string }>(
    'SELECT hash FROM passwords ORDER BY user_id LIMIT 1',
  );
  return {
    ...site,
    query: compose((text, values) => site.query(text, values)),
    send,
    administrator,
    person,
    personId: await idOf(person),
    people: [person, ...(await signInRoles(site, signIn))],
    canaries: [
      victim,
      sysadmin,
      bodyOf<{ key: string }>(made).key,
      stored!.hash.split('$').at(-1)!,
      HIDDEN_ADDRESS,
      process.cwd(),
      ...site.secrets,
    ],
  };
}

/** Signs in a person for each role of the server but that of administrators. */
async function signInRoles(
  { query }: TargetServer,
  signIn: (login: string) => Promise<string>,
): Promise<string[]> {
  const holders = await query<{ login: string }>(
    `WITH holders AS (
       SELECT r.id AS role_id, p.id AS user_id, p.login
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM roles WHERE shipped AND reference <> 'administrator') r
       JOIN (SELECT id, login, row_number() OVER (ORDER BY id) AS n FROM users
         WHERE rights = '[]' AND status = 1 AND login NOT IN ('bruno.keller', 'chloe.lefevre')) p USING (n)),
     given AS (INSERT INTO role_assignments (user_id, role_id) SELECT user_id, role_id FROM holders)
     SELECT login FROM holders`,
  );
  const tokens: string[] = [];
  for (const { login } of holders) tokens.push(await signIn(login));
  return tokens;
}

/** Queues statements, because a single connection runs one at a time. */
function compose(query: TargetServer['query']): TargetServer['query'] {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(text: string, values?: unknown[]): Promise<T[]> => {
    const result = last.then(() => query<T>(text, values));
    last = result.catch(() => undefined);
    return result;
  };
}

/** Tables that change with every request (sign-ins, denied access) or every second (the sender of deliveries). */
const VOLATILE = [
  ...['tokens', 'sign_ins', 'address_attempts', 'known_addresses', 'api_keys'],
  'dispatching',
];

/** The audit trail and its parts, which have a line for each denied access. */
const AUDIT = /^audit(_|$)/;

/** The journal, which has a row for each write. */
const JOURNAL = /^changes(_\d+)?$/;

/** A digest of every table, except those that change with every request and those in `writes`. */
export async function digests(target: Target, writes: string[]): Promise<Map<string, string>> {
  const tables = await target.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    if (VOLATILE.includes(name) || AUDIT.test(name) || writes.includes(name)) continue;
    if (writes.length > 0 && JOURNAL.test(name)) continue;
    const [row] = await target.query<{ sum: string }>(
      `SELECT coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS sum FROM ${name} t`,
    );
    found.set(name, row!.sum);
  }
  return found;
}

/** Answers that depend only on the process, which a polluted prototype would change. */
export async function controlAnswers(target: Target): Promise<string> {
  const paths = ['/api/v2', '/api/v2/directory/password-rules', '/nothing', '/health/ready'];
  const answers = await Promise.all(
    [...paths, `${USERS}/attributes`].map((path) => target.send(path, { token: target.person })),
  );
  return answers.map(({ status, text }) => `${status} ${text}`).join('\n');
}
