import { type Attempt, bodyOf, type Reply } from './attempt.js';
import type { Target } from './target.js';

/** Makes an attempt with a text in one place. */
export type InjectionPoint = (text: string) => Attempt;

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
const USERS = '/api/v2/directory/users';
const SEARCH = '/navigation/search/workplace';

/** Checks that a text comes back unchanged or is rejected; half characters and NUL are always rejected. */
export const keeps =
  (name: string, text: string) =>
  (answer: Reply): string | undefined => {
    const canBeKept = text.isWellFormed() && !text.includes('\0');
    if (answer.status === 400 || answer.status === 409) return undefined;
    if (answer.status !== 200 || !canBeKept) return `status ${answer.status}`;
    const kept = bodyOf(answer)[name];
    // An empty reference keeps the former one (docs/api-contract.md#names).
    return kept === text || (text === '' && (kept === null || name === 'reference'))
      ? undefined
      : `became ${JSON.stringify(kept)}`;
  };

/** Checks that the status is a success or an error of the contract. */
const refusedOrEmpty = (answer: Reply): string | undefined =>
  [200, 400, 401, 404, 406, 412].includes(answer.status) ? undefined : `status ${answer.status}`;

/** Places of stored texts: a PATCH writes each, and its answer returns it. */
export async function storedPoints(target: Target): Promise<InjectionPoint[]> {
  const idOf = async (table: string): Promise<string> =>
    (await target.query<{ id: string }>(`SELECT id::text FROM ${table} ORDER BY id LIMIT 1`))[0]!
      .id;
  const fields: [resource: string, table: string, names: string[]][] = [
    [
      'content/documents',
      'documents',
      ['title', 'description', 'fileName', 'mimeType', 'category', 'keywords', 'downloadUrl'],
    ],
    ['content/faqs', 'faqs', ['question', 'answer', 'reference']],
    ['content/customers', 'customers', ['name', 'city', 'address']],
    ['navigation/applications', 'applications', ['title', 'icon', 'link', 'keywords']],
  ];
  const places = await Promise.all(
    fields.map(async ([resource, table, names]) => {
      const path = `/api/v2/${resource}/${await idOf(table)}`;
      return names.map((name): InjectionPoint => (text) => ({
        path,
        method: 'PATCH',
        token: target.administrator,
        body: JSON.stringify([{ op: 'replace', path: `/${name}`, value: text }]),
        judge: keeps(name, text),
      }));
    }),
  );
  return places.flat();
}

/** The tables that `storedPoints` write. */
export const STORED_TABLES = ['documents', 'faqs', 'customers', 'applications'];

const OPERATORS = [
  'eq',
  'neq',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'starts',
  'ends',
  'contains',
  'notcontains',
];

/** Places of texts that are only compared: filters, searches, credentials, headers. */
export function comparedPoints({ person }: Target): InjectionPoint[] {
  const get = (path: string): Attempt => ({ path, token: person, judge: refusedOrEmpty });
  const search = (more: Record<string, string>): Attempt => {
    const all = { query: 'a', searchName: 'workplace_searchUsers', searchField: 'quickSearch' };
    const query = Object.entries({ ...all, ...more }).map(
      ([name, text]) => `${name}=${encode(text)}`,
    );
    return get(`${SEARCH}?${query.join('&')}`);
  };
  const signIn = (body: object): Attempt => ({
    path: '/api/v2/authentication',
    method: 'POST',
    body: JSON.stringify(body),
    judge: ({ status }) => ([400, 401].includes(status) ? undefined : `status ${status}`),
  });
  // A text that no header can carry is sent in its encoded form.
  const header =
    (name: string, more: Partial<Attempt> = {}): InjectionPoint =>
    (text) => ({
      ...get(`${USERS}/me`),
      headers: { [name]: encode(text).slice(0, 2000) },
      ...more,
    });
  return [
    ...OPERATORS.map(
      (operator): InjectionPoint =>
        (text) =>
          get(`${USERS}?range=0-3&filters=login:${operator}:${encode(text)}`),
    ),
    (text) => get(`${USERS}?range=0-3&filters=login:isempty${encode(text)}`),
    (text) => search({ query: text }),
    (text) => search({ searchField: text }),
    (text) => search({ searchName: text }),
    (text) => search({ searchIndexTop: text }),
    (text) => search({ searchIndexTop: `Users¤${text}`, searchIndexBottom: text }),
    (text) => signIn({ login: text, password: 'x' }),
    (text) => signIn({ login: 'nobody.at.all', password: text }),
    header('If-Match'),
    header('Prefer'),
    header('Accept'),
    header('X-Request-Id'),
    header('X-AUTHENTICATION-KEY', {
      token: undefined,
      judge: ({ status }) => (status === 401 ? undefined : `status ${status}`),
    }),
  ];
}
