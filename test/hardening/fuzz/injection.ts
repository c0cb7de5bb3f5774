import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Rights } from '../../../src/base/rights/rights.js';
import { text as textAttribute } from '../../../src/resources/attributes/attributes.js';
import { ListSql } from '../../../src/resources/list/list-sql.js';
import { planFirstPage } from '../../../src/resources/list/plan-list.js';
import { Resource } from '../../../src/resources/resource.js';
import type { Caller } from '../../../src/security/caller.js';
import { type AttackClass, type Attempt } from './attempt.js';
import { injections } from './payloads.js';
import { controlAnswers, digests, type Target } from './target.js';
import { pairs } from '../../support/random.js';

const encode = encodeURIComponent;
const USERS = '/api/v2/directory/users';
const SEARCH = '/navigation/search/workplace';
/** Wait until the audit trail has stored denied access, which it sums for two seconds; in milliseconds. */
const REFUSALS_ARE_STORED = 2_500;

/** Statements that the server runs periodically: one instance deletes old rows in batches. */
const TIMED = [
  /^DELETE FROM (\w+) WHERE ctid = ANY \(ARRAY\(SELECT ctid FROM \1 WHERE /,
  /^SELECT pg_try_advisory_xact_lock\(\$1\)$/,
];
const BENIGN = 'martin';

/** Every input of a caller that is used near SQL. */
const PLACES: Record<string, (text: string) => string> = {
  sorter: (text) => `${USERS}?sorter=${encode(text)}`,
  'descending sorter': (text) => `${USERS}?sorter=-login,${encode(text)}`,
  'filter value': (text) => `${USERS}?filters=login:eq:${encode(text)}`,
  'contained text': (text) => `${USERS}?filters=title:contains:${encode(text)}`,
  'filter attribute': (text) => `${USERS}?filters=${encode(text)}:eq:1`,
  'filter operator': (text) => `${USERS}?filters=login:${encode(text)}:1`,
  'linked attribute': (text) => `${USERS}?filters=organization.${encode(text)}:eq:1`,
  range: (text) => `${USERS}?range=${encode(text)}`,
  filterMode: (text) => `${USERS}?filterMode=${encode(text)}`,
  responseMode: (text) => `${USERS}?responseMode=${encode(text)}`,
  id: (text) => `${USERS}/${encode(text)}`,
  query: (text) =>
    `${SEARCH}?query=${encode(text)}&searchName=workplace_searchUsers&searchField=login`,
  searchName: (text) => `${SEARCH}?query=a&searchName=${encode(text)}&searchField=quickSearch`,
  searchField: (text) =>
    `${SEARCH}?query=a&searchName=workplace_searchUsers&searchField=${encode(text)}`,
  searchIndexTop: (text) =>
    `${SEARCH}?query=a&searchName=workplace_searchUsers&searchField=quickSearch&searchIndexTop=${encode(`Users¤${Buffer.from(`1\n${text}`).toString('base64url')}`)}`,
  searchIndexBottom: (text) =>
    `${SEARCH}?query=a&searchName=workplace_searchUsers&searchField=quickSearch&searchIndexTop=${encode('Users¤MQph')}&searchIndexBottom=${encode(text)}`,
  category: (text) => `/navigation/workplace/apps?category=${encode(text)}`,
  applicationUri: (text) => `/navigation/workplace/apps/indicator?applicationUri=${encode(text)}`,
};

/** A search has one condition per term, so each number of terms has its own statement. */
const WORD_COUNTS = Array.from({ length: 64 }, (_, n) =>
  Array(n + 1)
    .fill('x')
    .map((x, i) => `${x}${i}`)
    .join(' '),
);

const signIn = (login: string): Attempt => ({
  path: '/api/v2/authentication',
  method: 'POST',
  body: JSON.stringify({ login, password: 'x' }),
});

const known = new WeakMap<Target, Set<string>>();

/** A list whose order is the caller's own text: the vulnerability that the check must find. */
function planted(text: string): string {
  const attribute = textAttribute({ sql: () => text });
  attribute.order = () => text;
  const users = new Resource({
    name: 'users',
    uri: '/directory/users',
    labelColumn: 'title',
    attributes: {},
  });
  const plan = planFirstPage(users, {
    id: '1',
    rights: Rights.ofAdministrator,
  } as Caller);
  const sql = new ListSql(new DataSource({ type: 'postgres' }));
  const statement = sql.page({ ...plan, sorter: [{ attribute, descending: false }] });
  return statement.text.replace('$1', '2').replace('$2', '0');
}

async function unknownStatements(target: Target): Promise<string[]> {
  const before = known.get(target)!;
  return (await target.statements()).filter(
    (text) => !before.has(text) && !TIMED.some((timed) => timed.test(text)),
  );
}

export const sqlInjection: AttackClass = {
  id: 'A5',
  goal: 'SQL injection: pg_stat_statements sees no statement that harmless texts do not cause; a planted hole is seen',
  size: 11_400,
  attempts: async (target, count, random) => {
    const places = Object.values(PLACES);
    const harmless = [BENIGN, '1', "O'Neill", ...WORD_COUNTS];
    for (const text of harmless)
      for (const place of [PLACES.query!, ...(text.includes(' ') ? [] : places)])
        await target.send(place(text), { token: target.person });
    await target.send('/api/v2/authentication', signIn(BENIGN));
    const payloads = injections(Math.ceil(count / (places.length + 1)), random);
    // The harness's own statements are known too.
    await digests(target, []);
    await controlAnswers(target);
    await delay(REFUSALS_ARE_STORED);
    await target.statements();
    known.set(target, new Set(await target.statements()));
    return [
      ...pairs(payloads, places).map(([text, place]) => ({
        path: place(text),
        token: target.person,
      })),
      ...payloads.map(signIn),
    ];
  },
  after: async (target) => {
    const found = await unknownStatements(target);
    await target.query(planted(`(CASE WHEN 1 = 1 THEN t.id ELSE t.status END)`));
    const withHole = await unknownStatements(target);
    const wrong = found.map((text) => `a statement that nothing harmless causes: ${text}`);
    if (withHole.length !== found.length + 1) wrong.push('the planted hole was not seen');
    return { wrong, remark: 'a planted hole was seen' };
  },
};
