import type pg from 'pg';
import { addUsers } from '../../test/support/many-users.js';
import { type BenchServer, request } from '../support/bench-server.js';
import { gets, type Requests } from './load.js';

/** The workloads that the report and the comparison of two builds share. */

export const USERS = '/api/v2/directory/users';
const WORKPLACE = '/navigation/workplace';
const DEMO_PASSWORD = 'Portal-Demo-2026';

type Caller = Pick<BenchServer, 'client' | 'token'>;

export const PAGE = `${USERS}?range=0-50`;

/** The first pages of users, each of 50. */
export const pages = ({ token }: Caller): Requests =>
  gets(
    Array.from({ length: 8 }, (_, page) => `${USERS}?range=${page * 50}-50`),
    token,
  );

/** The detailed representation of 500 users, in random order. */
export async function singleUsers({ client, token }: Caller): Promise<Requests> {
  const ids = await someUsers(client);
  return gets(
    ids.map((id) => `${USERS}/${id}`),
    token,
  );
}

async function someUsers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM users WHERE NOT sysadmin ORDER BY hashint8(id) LIMIT 500',
  );
  return rows.map(({ id }) => id);
}

export const constant = ({ token }: Caller): Requests => gets(['/api/v2'], token);

export const searchPath = (query: string, name = 'workplace_searchUsers'): string =>
  `/navigation/search/workplace?searchName=${name}&searchField=quickSearch&query=${encodeURIComponent(query)}`;

/** Pages of the search for people, by common words. */
export const searches = ({ token }: Caller): Requests =>
  gets(
    ['a', 'an', 'mar', 'er', 'manager'].map((query) => searchPath(query)),
    token,
  );

/** Reads whose time must not depend on the number of users. */
export const LIST_READS: Record<string, string> = {
  'page of users': PAGE,
  'page by last name': `${USERS}?range=0-50&sorter=lastName`,
  'page by filter and sorter': `${USERS}?range=0-20&filters=lastName:starts:mar&sorter=-creationDate`,
  'one user': `${USERS}/me`,
  'users by login': `${USERS}?filters=login:eq:sysadmin`,
};

/** Filters and a sorter together, as queries. */
export const FILTERS = [
  'filters=status:eq:1&filters=lastName:starts:ma&sorter=lastName',
  'filters=status:eq:2&sorter=-creationDate',
  'filters=organization.label:contains:sales&filters=status:eq:1&sorter=lastName',
  'filters=email:contains:quillfeather&sorter=firstName',
  'filters=creationDate:gte:2024-01-01T00:00:00.000Z&filters=userFunction:starts:project&sorter=creationDate',
  'filters=title:contains:martin&sorter=-creationDate',
  'filters=userFunction:contains:manager&filters=status:eq:1&sorter=lastName',
  // All matches come late in this order, which statistics do not show.
  'filters=firstName:contains:maria&sorter=email',
];

/** Exact counts by name; they need the header COUNT. */
export const COUNTS: Record<string, string> = {
  'of everything': PAGE,
  'by an indexed filter': `${PAGE}&filters=status:eq:1`,
  'by a common substring': `${PAGE}&filters=lastName:contains:er`,
};
export const COUNT = { Prefer: 'count=exact' };

const SORTERS = ['id', 'lastName', '-lastName', 'login', 'email', 'creationDate', 'status'];

/** Pages after nine tenths of the users, by sorter. */
export function deepPages(users: number): Record<string, string> {
  const start = Math.floor(users * 0.9);
  return Object.fromEntries(
    SORTERS.map((sorter) => [
      `range=${start}-50 by ${sorter}`,
      `${USERS}?range=${start}-50&sorter=${sorter}`,
    ]),
  );
}

/** The session of a token, which needs no statement. */
export const session = ({ token }: Caller): Requests => gets(['/api/v2/authentication'], token);

/** A search for a word that few rows contain. */
export const rareSearch = ({ token }: Caller): Requests =>
  gets([searchPath('quillfeather')], token);

/** A mix of reads for long runs. */
export const mixedReads = ({ token }: Caller): Requests =>
  gets(
    [
      PAGE,
      `${USERS}?range=20-20&sorter=lastName`,
      `${USERS}/me`,
      `${USERS}?filters=login:eq:sysadmin`,
      '/api/v2/directory/organizations?range=0-20',
      '/api/v2/content/documents?range=0-20',
      WORKPLACE,
      searchPath('ma'),
    ],
    token,
  );

/** The requests with which a portal shows people their tiles, on the demonstration portal. */
export async function navigationReads({
  client,
  token,
}: Caller): Promise<Record<string, Requests>> {
  const { rows } = await client.query<{ category: string; application: string }>(
    `SELECT ac.category_id AS category, a.id AS application FROM applications a
       JOIN application_categories ac ON ac.application_id = a.id
     WHERE a.type = 'PROCESS' AND a.view_id IS NOT NULL AND a.audience @> '{0}' ORDER BY a.id LIMIT 1`,
  );
  const { category, application } = rows[0]!;
  return {
    categories: gets([`${WORKPLACE}/categories`], token),
    'apps of a category': gets(
      [`${WORKPLACE}/apps?category=/navigation/categories/${category}`],
      token,
    ),
    indicator: gets(
      [`${WORKPLACE}/apps/indicator?applicationUri=/navigation/applications/${application}`],
      token,
    ),
    'whole workplace': gets([WORKPLACE], token),
  };
}

let written = 0;

/** Creates users, each with a login of its own. */
export const userPosts = ({ token }: Caller): Requests => [
  {
    method: 'POST',
    path: USERS,
    headers: jsonHeaders(token),
    setupRequest: (asked) => {
      const login = `written.${process.pid}.${++written}`;
      return {
        ...asked,
        body: JSON.stringify({
          login,
          firstName: 'Brigitte',
          lastName: `Written ${written}`,
          title: `Brigitte Written ${written}`,
          email: `${login}@company.example`,
          status: 1,
        }),
      };
    },
  },
];

/** Changes one attribute of 500 users. */
export async function userPatches({ client, token }: Caller): Promise<Requests> {
  return (await someUsers(client)).map((id) => ({
    method: 'PATCH',
    path: `${USERS}/${id}`,
    headers: jsonHeaders(token),
    setupRequest: (asked) => ({
      ...asked,
      body: JSON.stringify([
        { op: 'replace', path: '/userFunction', value: `Function ${++written}` },
      ]),
    }),
  }));
}

/** Removes the users that `userPosts` created. */
export const removeWritten = ({ client }: Caller): Promise<unknown> =>
  client.query(`DELETE FROM users WHERE login LIKE 'written.%'`);

const jsonHeaders = (token: string) => ({
  'X-AUTHENTICATION-KEY': token,
  'Content-Type': 'application/json',
});

/** Sign-ins of 100 people of the demonstration portal by password. */
export async function passwordSignIns({ client }: Caller): Promise<Requests> {
  const people = await ordinaryPeople(client);
  return people.map(({ login }) => signIn(login, DEMO_PASSWORD));
}

interface Person {
  id: string;
  login: string;
}

/** People without the caller: beyond 50 tokens of an account the oldest ends, and the caller's token is in use. */
async function ordinaryPeople(client: pg.Client): Promise<Person[]> {
  const { rows } = await client.query<Person>(
    `SELECT u.id, u.login FROM users u JOIN passwords p ON p.user_id = u.id
     WHERE u.status = 1 AND NOT u.sysadmin AND NOT u.administrator ORDER BY u.id LIMIT 100`,
  );
  return rows;
}

/** Sign-ins by API key, and their number of connections. */
export interface KeySignIns {
  work: string;
  requests: Requests;
  connections: number;
}

/** Number of added users; one in three is active. */
const ADDED_USERS = 3_600;

/**
 * Sign-ins by API key: of accounts with fewer than 50 tokens, and of accounts at that limit. Run it after
 * `passwordSignIns`, which gives the latter many tokens.
 */
export async function keySignIns(server: BenchServer): Promise<KeySignIns[]> {
  const { client } = server;
  await addUsers((text) => client.query(text), ADDED_USERS);
  const { rows } = await client.query<Person>(
    `SELECT id, login FROM users WHERE status = 1 AND login LIKE 'many.%' ORDER BY id LIMIT 1200`,
  );
  const withKeys = async (people: Person[]): Promise<Requests> => {
    const requests: Requests = [];
    for (const { id, login } of people) requests.push(signIn(login, await apiKeyOf(server, id)));
    return requests;
  };
  const some = await withKeys(rows.slice(0, 400));
  const many = await withKeys(rows.slice(400));
  const past = await withKeys((await ordinaryPeople(client)).slice(0, 50));
  return [
    { work: 'sign-in by API key, 400 accounts', requests: some, connections: 16 },
    { work: 'sign-in by API key, 50 accounts past 50 tokens', requests: past, connections: 16 },
    { work: 'sign-in by API key, 50 accounts past 50 tokens', requests: past, connections: 64 },
    { work: 'sign-in by API key, 800 accounts', requests: many, connections: 64 },
  ];
}

const signIn = (login: string, password: string): Requests[number] => ({
  method: 'POST',
  path: '/api/v2/authentication',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ login, password }),
});

async function apiKeyOf(server: BenchServer, id: string): Promise<string> {
  const { token } = server;
  const body = { name: 'benchmark' };
  const text = await request(server, `${USERS}/${id}/api-keys`, { method: 'POST', token, body });
  return (JSON.parse(text) as { key: string }).key;
}
