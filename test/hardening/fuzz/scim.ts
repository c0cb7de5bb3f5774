import { randomUUID } from 'node:crypto';
import { type AttackClass, type Attempt, bodyOf, type Reply } from './attempt.js';
import { injections, naughtyStrings, oddCharacters } from './payloads.js';
import type { Target } from './target.js';
import { mutate, type Random } from '../../support/random.js';

const DIRECTORY = '/api/v2/directory';
const TYPE = 'application/scim+json';

/** Makes a provider that keeps nothing, so that any change is a fault, and returns the key of its account. */
async function connect({ send, administrator: token }: Target): Promise<string> {
  const make = async (path: string, body: object) => {
    const more = { method: 'POST', token, body: JSON.stringify(body) };
    const answer = await send(`${DIRECTORY}/${path}`, more);
    if (answer.status !== 201) throw new Error(answer.text);
    return bodyOf<{ key: string }>(answer);
  };
  const login = `fuzz-${randomUUID()}`;
  await make('service-accounts', { login, title: login });
  await make('roles', { reference: login, label: login, permissions: ['scim:provision'] });
  await make('role-assignments', { user: login, role: login });
  await make('providers', { label: login, kind: 'scim', serviceAccount: login, dryRun: true });
  const expiration = '2099-01-01T00:00:00Z';
  return (await make(`service-accounts/${login}/api-keys`, { name: login, expiration })).key;
}

/** The answer is a success, or an error in the form of RFC 7644 section 3.12. */
function isScim(answer: Reply): string | undefined {
  const { status, text, headers } = answer;
  if (status === 204 || status === 304) return text === '' ? undefined : 'has a body';
  if (!String(headers['content-type']).startsWith(TYPE))
    return `${status} as ${String(headers['content-type'])}`;
  if (status < 400) return undefined;
  const body = bodyOf<{ schemas?: string[]; status?: string; detail?: string }>(answer);
  return body.schemas?.[0]?.endsWith(':Error') &&
    body.status === String(status) &&
    typeof body.detail === 'string'
    ? undefined
    : `no error of SCIM: ${text.slice(0, 80)}`;
}

/** A comparison with a text that nobody has finds nobody, whatever the text is. */
const findsNobody = (answer: Reply): string | undefined =>
  isScim(answer) ??
  (answer.status === 200 && bodyOf<{ totalResults?: number }>(answer).totalResults !== 0
    ? `finds ${answer.text.slice(0, 80)}`
    : undefined);

const NAMES = [
  ...[
    'userName',
    'externalId',
    'name',
    'name.givenName',
    'name.formatted',
    'displayName',
    'active',
  ],
  ...['emails', 'emails[type eq "work"].value', 'phoneNumbers', 'manager', 'department', 'title'],
  ...['id', 'meta', 'meta.lastModified', 'groups', 'members', 'members[value eq "1"]', 'schemas'],
  ...['locale', 'password', '__proto__', 'constructor', 'toString', 'urn:x:y', ''],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
];
const WORDS = ['eq', 'ne', 'co', 'sw', 'gt', 'pr', 'and', 'or', 'not', '(', ')', '[', ']', 'null'];
const PARAMETERS = [
  ...['filter', 'sortBy', 'sortOrder', 'startIndex', 'count', 'attributes', 'excludedAttributes'],
  ...['FILTER', 'nothing', '__proto__'],
];

/** A value of a wrong shape or a hostile text. */
function anything(texts: string[], random: Random, depth = 0): unknown {
  const text = random.pick(texts);
  const inner = (): unknown => (depth > 2 ? text : anything(texts, random, depth + 1));
  return random.pick<() => unknown>([
    ...Array.from({ length: 4 }, () => () => text),
    ...[null, true, 0, -1e300, '', 'False', [], {}].map((value) => () => value),
    () => [inner(), inner()],
    () => ({ value: inner(), type: random.pick(['work', 'mobile', text]) }),
    () => ({ [random.pick(NAMES)]: inner() }),
  ])();
}

const object = (texts: string[], random: Random): object =>
  Object.fromEntries(
    Array.from({ length: 1 + random.below(5) }, () => [
      random.pick(NAMES),
      anything(texts, random),
    ]),
  );

function filterOf(texts: string[], random: Random): string {
  const literal = (): string => JSON.stringify(random.pick(texts));
  const words = Array.from({ length: 1 + random.below(9) }, () =>
    random.pick([random.pick(WORDS), random.pick(NAMES), literal(), random.pick(texts)]),
  );
  return random.pick([words.join(' '), mutate(`userName eq ${literal()}`, random)]);
}

const operation = (texts: string[], random: Random): object => ({
  op: random.pick(['add', 'replace', 'remove', 'Add', random.pick(texts)]),
  path: random.pick<unknown>([
    ...[random.pick(NAMES), random.pick(NAMES), undefined, random.pick(texts)],
    `members[${filterOf(texts, random)}]`,
  ]),
  value: anything(texts, random),
});

/** A write: a resource, a patch or a bulk, sometimes with broken JSON. */
function write(ids: Record<string, string>, texts: string[], random: Random): Attempt {
  const kind = random.pick(['Users', 'Groups']);
  const id = random.pick([
    ids[kind],
    ids[kind],
    encodeURIComponent(random.pick(texts).toWellFormed()),
  ]);
  const method = random.pick(['POST', 'PUT', 'PATCH', 'DELETE', 'BULK', 'SEARCH']);
  const some = <T>(make: () => T): T[] => Array.from({ length: 1 + random.below(4) }, make);
  const bodies: Record<string, () => unknown> = {
    POST: () => ({ userName: `fuzz-${random.below(1e9)}`, ...object(texts, random) }),
    PUT: () => ({ userName: 'fuzz', displayName: 'fuzz', ...object(texts, random) }),
    PATCH: () => ({ Operations: some(() => operation(texts, random)) }),
    BULK: () => ({
      failOnErrors: anything(texts, random),
      Operations: some(() => ({
        method: random.pick(['POST', 'PATCH', 'DELETE', random.pick(texts)]),
        path: random.pick([`/${kind}`, `/${kind}/${id}`, `/${kind}/bulkId:a`, random.pick(texts)]),
        bulkId: random.pick(['a', anything(texts, random)]),
        data: random.pick([object(texts, random), anything(texts, random)]),
      })),
    }),
    SEARCH: () => ({ filter: filterOf(texts, random), ...object(texts, random) }),
  };
  const body = random.next() < 0.1 ? anything(texts, random) : bodies[method]?.();
  const json = JSON.stringify(body);
  const path = {
    POST: `/${kind}`,
    BULK: '/Bulk',
    SEARCH: `/${random.pick(['', `${kind}/`])}.search`,
  }[method];
  return {
    path: `/scim/v2${path ?? `/${kind}/${id}`}`,
    method: method === 'BULK' || method === 'SEARCH' ? 'POST' : method,
    type: TYPE,
    ...(json !== undefined && { body: random.next() < 0.05 ? mutate(json, random) : json }),
    ...(random.next() < 0.1 && { headers: { 'If-Match': 'W/"0"' } }),
    judge: isScim,
  };
}

function read(texts: string[], random: Random): Attempt {
  const kind = random.pick(['Users', 'Groups']);
  const text = random.pick(texts).toWellFormed();
  const own = random.pick([
    'userName',
    'externalId',
    'emails.value',
    'emails[type eq "work"].value',
  ]);
  const fits = `${own} eq ${JSON.stringify(`${text}${random.below(1e9)}`)}`;
  if (random.next() < 0.3)
    return { path: `/scim/v2/Users?filter=${encodeURIComponent(fits)}`, judge: findsNobody };
  const given = random.pick([filterOf(texts, random), random.pick(NAMES), text]).toWellFormed();
  const name = random.pick(PARAMETERS);
  return { path: `/scim/v2/${kind}?${name}=${encodeURIComponent(given)}`, judge: isScim };
}

export const scim: AttackClass = {
  id: 'A15',
  goal: 'SCIM: every parameter and body of a provider; a dry run changes nothing, a filter finds nobody it should not',
  size: 6_000,
  writes: ['provider_requests'],
  attempts: async (target, count, random) => {
    const headers = { Authorization: `Bearer ${await connect(target)}` };
    const [ids] = await target.query<Record<string, string>>(
      `SELECT (SELECT min(id)::text FROM groups) AS "Groups",
        (SELECT id::text FROM users WHERE login = 'chloe.lefevre') AS "Users"`,
    );
    const texts = [
      ...injections(count, random),
      ...naughtyStrings(count, random),
      ...oddCharacters(count, random),
    ];
    return Array.from({ length: count }, (): Attempt => {
      const attempt = random.next() < 0.5 ? read(texts, random) : write(ids!, texts, random);
      return { ...attempt, headers: { ...headers, ...attempt.headers } };
    });
  },
};
