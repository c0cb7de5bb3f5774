import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Rights } from '../../src/base/rights/rights.js';
import type { Config } from '../../src/base/config/config.js';
import type { BoundStatement, Database, Row } from '../../src/database/database.js';
import { formatTimestamp } from '../../src/database/pg-types.js';
import { groups } from '../../src/directory/group.resource.js';
import { organizations } from '../../src/directory/organization.resource.js';
import { users as directoryUsers } from '../../src/directory/user.resource.js';
import { WorkplaceOverviewService } from '../../src/navigation/workplace-overview.service.js';
import { WorkplaceService } from '../../src/navigation/workplace.service.js';
import { applications } from '../../src/process/applications/application.resource.js';
import { categories } from '../../src/process/applications/category.resource.js';
import { tasks } from '../../src/process/tasks/task.resource.js';
import { views } from '../../src/process/tiles/view.resource.js';
import { connectLinks } from '../../src/resources/connect-links.js';
import { markersOf } from '../../src/search/cursor.js';
import { SearchEngine } from '../../src/search/search-engine.js';
import { usersSearch } from '../../src/search/users.search.js';
import type { Caller } from '../../src/security/caller.js';
import type { ParametersService } from '../../src/security/parameters/parameters.service.js';
import { COLUMNS, FROM, PAGE, SESSION } from './statements.js';

/**
 * A hand-written server that only produces the answers: node:http and pg, without framework, token, IP
 * allowlist, log or validation. The benchmark first checks that its answers equal the server's byte by byte.
 * It has two variants: `plain` uses the defaults of pg, `best` every known optimization (named statements, rows
 * as arrays, timestamps as text).
 *
 * Navigation and search run the server's own statements and presenters, so the comparison there covers
 * everything around them.
 *
 * Usage: node plain-server.js SOCKET_FOLDER plain|best CALLER_ID; prints its port.
 */
const [host, way, callerId] = process.argv.slice(2);
const isBest = way === 'best';
const { TIMESTAMPTZ } = pg.types.builtins;
// By default pg parses each timestamp to a Date, which the answer converts back to text.
pg.types.setTypeParser(TIMESTAMPTZ, isBest ? formatTimestamp : (text) => new Date(text));
const pool = new pg.Pool({
  host,
  user: 'platform',
  database: 'platform',
  max: 16,
  options: SESSION,
});

const DETAILED = `SELECT ${COLUMNS},
  (SELECT json_agg(json_build_object('id', l.id::text, 'uri', '/directory/groups/' || l.id, 'reference', l.reference, 'label', l.label)
    ORDER BY fold(l.label COLLATE "C"), l.id) FROM group_members j JOIN groups l ON l.id = j.group_id WHERE j.user_id = t.id) AS groups,
  (SELECT json_agg(json_build_object('id', p.id::text, 'uri', '/directory/organizations/' || p.id, 'reference', p.reference, 'label', p.label)
    ORDER BY path.place) FROM organizations mine, unnest(mine.path) WITH ORDINALITY AS path(id, place)
    JOIN organizations p ON p.id = path.id WHERE mine.id = t.organization_id) AS organization_path,
  (SELECT s.locked_until FROM sign_ins s WHERE s.user_id = t.id AND s.locked_until > now()) AS locked_until
  ${FROM} WHERE t.id = $1`;

interface Link {
  id: string;
  uri: string;
  reference: string;
  label: string;
}

type Values = Record<string, unknown>;

/** Presents a row that is an object. */
function presentUser(row: Values): Values {
  const { id } = row as { id: string };
  return {
    id,
    uri: `/directory/users/${id}`,
    reference: row.login,
    label: row.title,
    login: row.login,
    firstName: row.first_name,
    lastName: row.last_name,
    nickName: row.nick_name,
    title: row.title,
    email: row.email,
    phoneNumber: row.phone_number,
    mobilePhoneNumber: row.mobile_phone_number,
    userFunction: row.user_function,
    description: row.description,
    locale: row.locale,
    organization: link(
      'organizations',
      row.organization_id,
      row.organization_reference,
      row.organization_label,
    ),
    manager: link('users', row.manager_id, row.manager_reference, row.manager_label),
    status: row.status,
    administrator: row.administrator,
    processEngine: row.process_engine,
    externalId: row.external_id,
    photo: `/navigation/directory/users/${id}/photo`,
    creationDate: row.creation_date,
    modificationDate: row.modification_date,
    lastLoginDate: row.last_login_date,
  };
}

/** Presents a row that is an array in the order of COLUMNS. */
function presentArray(row: Row): Values {
  const id = row[0] as string;
  return {
    id,
    uri: `/directory/users/${id}`,
    reference: row[1],
    label: row[5],
    login: row[1],
    firstName: row[2],
    lastName: row[3],
    nickName: row[4],
    title: row[5],
    email: row[6],
    phoneNumber: row[7],
    mobilePhoneNumber: row[8],
    userFunction: row[9],
    description: row[10],
    locale: row[11],
    organization: link('organizations', row[12], row[13], row[14]),
    manager: link('users', row[15], row[16], row[17]),
    status: row[18],
    administrator: row[19],
    processEngine: row[20],
    externalId: row[21],
    photo: `/navigation/directory/users/${id}/photo`,
    creationDate: row[22],
    modificationDate: row[23],
    lastLoginDate: row[24],
  };
}

const link = (kind: string, id: unknown, reference: unknown, label: unknown): Link | null =>
  id === null
    ? null
    : {
        id: id as string,
        uri: `/directory/${kind}/${id as string}`,
        reference: reference as string,
        label: label as string,
      };

async function users(count: number, start: number): Promise<Values[]> {
  const values = [count + 1, start];
  if (!isBest)
    return (await pool.query<Values>(PAGE, values)).rows.slice(0, count).map(presentUser);
  const { rows } = await pool.query<Row>({ name: 'page', text: PAGE, values, rowMode: 'array' });
  return rows.slice(0, count).map(presentArray);
}

async function user(id: string, client: pg.Pool | pg.PoolClient = pool): Promise<Values> {
  const query = { text: DETAILED, values: [id] };
  if (!isBest) {
    const row = (await client.query<Values>(query)).rows[0]!;
    return detailed(presentUser(row), row.groups, row.organization_path, row.locked_until);
  }
  const row = (await client.query<Row>({ ...query, name: 'detailed', rowMode: 'array' })).rows[0]!;
  return detailed(presentArray(row), row[25], row[26], row[27]);
}

const detailed = (shown: Values, groups: unknown, path: unknown, lockedUntil: unknown): Values => ({
  ...shown,
  groups: groups ?? [],
  organizationPath: path ?? [],
  lockedUntil,
});

/** Does the server's writes in one transaction: the row, its representation, the line of the audit trail. */
async function inTransaction(work: (client: pg.PoolClient) => Promise<Values>): Promise<Values> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const answer = await work(client);
    await client.query('COMMIT');
    return answer;
  } finally {
    client.release();
  }
}

const AUDIT = `INSERT INTO audit (action, actor_uri, actor_login, object_uri, address, before, after)
  VALUES ($1, '/directory/users/1', 'sysadmin', $2, '127.0.0.1', $3, $4)`;

const createUser = ({ login, firstName, lastName, email }: Values): Promise<Values> =>
  inTransaction(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO users (login, first_name, last_name, title, email, status) VALUES ($1, $2, $3, $4, $5, 1) RETURNING id`,
      [login, firstName, lastName, `${String(firstName)} ${String(lastName)}`, email],
    );
    const { id } = rows[0]!;
    const after = await user(id, client);
    await client.query(AUDIT, ['create', `/directory/users/${id}`, null, JSON.stringify(after)]);
    return after;
  });

const patchUser = (id: string, [operation]: { value: string }[]): Promise<Values> =>
  inTransaction(async (client) => {
    await client.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [id]);
    const { userFunction } = await user(id, client);
    await client.query(
      `UPDATE users SET user_function = $2, revision = revision + 1, modification_date = date_trunc('milliseconds', now()) WHERE id = $1`,
      [id, operation!.value],
    );
    const after = await user(id, client);
    const changed = { userFunction: after.userFunction };
    await client.query(AUDIT, [
      'update',
      `/directory/users/${id}`,
      JSON.stringify({ userFunction }),
      JSON.stringify(changed),
    ]);
    return after;
  });

/** Names of the server's own statements by text: `best` names each that may be prepared, `plain` none. */
const names = new Map<string, string>();
const database = {
  rows: async ({ text, values, prepared = true }: BoundStatement): Promise<Row[]> => {
    const name = isBest && prepared ? (names.get(text) ?? `s${names.size}`) : undefined;
    if (name !== undefined) names.set(text, name);
    return (await pool.query<Row>({ text, values, name, rowMode: 'array' })).rows;
  },
  rowsWithin: (_limit: number, statement: BoundStatement): Promise<Row[]> =>
    database.rows({ ...statement, prepared: false }),
};
const asDatabase = database as unknown as Database;
const config = { env: { BASE_PATH: '' } } as Config;
const parameters = {
  current: () => Promise.resolve({ text: () => 'UTC' }),
} as unknown as ParametersService;
// The conditions of a view ask which objects the caller sees of those that a task links.
connectLinks(
  [directoryUsers, organizations, groups, applications, categories, tasks, views],
  ['sources', 'providers'],
);
const workplace = new WorkplaceService(asDatabase, config);
const snapshot = new WorkplaceOverviewService(asDatabase, config);
const engine = new SearchEngine(asDatabase, parameters, config);
const caller = { id: callerId, rights: Rights.ofAdministrator, locale: 'en' } as Caller;

async function search(query: URLSearchParams): Promise<unknown> {
  const terms = query.get('query')!.split(' ').filter(Boolean);
  const found = { description: usersSearch, terms, field: 'quickSearch' };
  const { records, places } = await engine.find(found, caller);
  return {
    type: 'success',
    data: records,
    template: '',
    ...markersOf('Users', places),
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

const CONSTANT = {
  name: 'Process Platform',
  version: '1.0.0',
  platformVersion: '18.1',
  interfaces: {
    main: '/api/v2',
    navigation: '/navigation/workplace',
    search: '/navigation/search/workplace',
  },
};

async function answer(request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url!, 'http://x');
  const [, id] = /^\/api\/v2\/directory\/users\/(\d+)$/.exec(pathname) ?? [];
  if (id !== undefined)
    return request.method === 'PATCH'
      ? patchUser(id, (await bodyOf(request)) as { value: string }[])
      : user(id);
  switch (pathname) {
    case '/api/v2':
      return CONSTANT;
    case '/api/v2/directory/users': {
      if (request.method === 'POST') return createUser((await bodyOf(request)) as Values);
      const [start = '0', count = '50'] = (searchParams.get('range') ?? '0-50').split('-');
      return users(Number(count), Number(start));
    }
    case '/navigation/workplace':
      return snapshot.load(caller);
    case '/navigation/workplace/categories':
      return workplace.categories(caller);
    case '/navigation/workplace/apps':
      return workplace.applications(searchParams.get('category')!, caller);
    case '/navigation/workplace/apps/indicator':
      return workplace.indicator(searchParams.get('applicationUri')!, caller);
    case '/navigation/search/workplace':
      return search(searchParams);
    default:
      return null;
  }
}

function send(request: IncomingMessage, response: ServerResponse): void {
  answer(request).then(
    (body) => {
      const text = JSON.stringify(body);
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: Error) => response.writeHead(500).end(error.message),
  );
}

const server = createServer(send);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.once('SIGTERM', () => process.exit(0));
