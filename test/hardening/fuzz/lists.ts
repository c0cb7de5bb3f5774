import { type AttackClass, type Attempt, bodyOf, refusedWith } from './attempt.js';
import type { Target } from './target.js';
import { loginKey } from '../../support/fold.js';
import { pairs, type Random } from '../../support/random.js';

const USERS = '/api/v2/directory/users';

/** A row of the oracle: numbers as numbers, texts folded by the database beforehand, logins and addresses also as keys. */
type ReportRow = Record<string, string | number | boolean | null>;

const TEXTS = ['login', 'firstName', 'lastName', 'title', 'email', 'nickName', 'userFunction'];
const KEYS = ['login', 'email'];
const NUMBERS = ['id'];
const TEXT_OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'starts',
  'ends',
  'contains',
  'notcontains',
  'isempty',
  'isnotempty',
];
const NUMBER_OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isempty', 'isnotempty'];
const CODED_OPERATORS = ['eq', 'neq', 'isempty', 'isnotempty'];

interface Condition {
  name: string;
  operator: string;
  value: string;
}

interface Question {
  range: [number, number];
  sorter: { name: string; descending: boolean }[];
  filters: Condition[];
  filterMode: 'and' | 'or';
}

/** The order of the database's collation "C": by bytes of UTF-8. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareValues(a: ReportRow[string], b: ReportRow[string]): number {
  if (typeof a === 'string' && typeof b === 'string') return byBytes(a, b);
  return a === b ? 0 : a! < b! ? -1 : 1;
}

/** Whether a row matches a filter (docs/api-contract.md#filters), evaluated without the database. */
function meets(
  row: ReportRow,
  { name, operator, value }: Condition,
  folds: Map<string, string>,
): boolean {
  const is = row[name]!;
  const isText = TEXTS.includes(name);
  const isEmpty = is === null || is === '';
  if (operator === 'isempty') return isEmpty;
  if (operator === 'isnotempty') return !isEmpty;
  const wanted = isText
    ? folds.get(value)!
    : name === 'administrator'
      ? value === 'true'
      : Number(value);
  if (is === null) return operator === 'neq' || operator === 'notcontains';
  const key = row[`${name} key`];
  const order =
    typeof key === 'string' && operator.endsWith('eq')
      ? byBytes(key, loginKey(value))
      : compareValues(is, wanted);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'neq':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'starts':
      return String(is).startsWith(String(wanted));
    case 'ends':
      return String(is).endsWith(String(wanted));
    case 'contains':
      return String(is).includes(String(wanted));
    default:
      return !String(is).includes(String(wanted));
  }
}

/** The ids of the expected answer to a question. */
function oracle(rows: ReportRow[], question: Question, folds: Map<string, string>): string[] {
  const { filters, filterMode, sorter, range } = question;
  const met = (row: ReportRow): boolean =>
    filters.length === 0 ||
    (filterMode === 'or'
      ? filters.some((filter) => meets(row, filter, folds))
      : filters.every((filter) => meets(row, filter, folds)));
  const keys = [...sorter, { name: 'id', descending: sorter.at(-1)?.descending ?? false }];
  const compare = (a: ReportRow, b: ReportRow): number => {
    for (const { name, descending } of keys) {
      const [left, right] = [a[name]!, b[name]!];
      const order =
        left === null || right === null
          ? Number(left === null) - Number(right === null)
          : compareValues(left, right);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  return rows
    .filter(met)
    .sort(compare)
    .slice(range[0], range[0] + range[1])
    .map(({ id }) => String(id));
}

/** A stored text, a part of one, or one with wildcards. */
function randomText(texts: string[], random: Random): string {
  const text = [...random.pick(texts)];
  const from = random.below(text.length);
  const part = text.slice(from, from + 1 + random.below(6)).join('');
  const chance = random.next();
  if (chance < 0.35) return random.pick(texts);
  if (chance < 0.75) return part;
  const wild = random.pick(['%', '_', '\\', '\\%', '%%', '\\_', '__', '\\\\', ':', "'", '*', '.*']);
  return random.pick([wild, part + wild, wild + part, part.slice(0, 1) + wild + part.slice(1)]);
}

function randomQuestion(texts: string[], random: Random): Question {
  const filter = (): Condition => {
    const kind = random.next();
    if (kind < 0.7)
      return {
        name: random.pick(TEXTS),
        operator: random.pick(TEXT_OPERATORS),
        value: randomText(texts, random),
      };
    if (kind < 0.8)
      return {
        name: 'administrator',
        operator: random.pick(CODED_OPERATORS),
        value: random.pick(['true', 'false']),
      };
    if (kind < 0.9)
      return {
        name: 'status',
        operator: random.pick(CODED_OPERATORS),
        value: random.pick(['0', '1', '2', '3']),
      };
    return {
      name: 'id',
      operator: random.pick(NUMBER_OPERATORS),
      value: String(1 + random.below(300)),
    };
  };
  const names = random.sample([...TEXTS, ...NUMBERS, 'status', 'administrator'], random.below(4));
  return {
    range: [
      random.below(random.pick([1, 5, 60, 400])),
      1 + random.below(random.pick([5, 60, 500])),
    ],
    sorter: names.map((name) => ({ name, descending: random.next() < 0.5 })),
    filters: Array.from({ length: random.below(random.pick([2, 4, 6])) }, filter),
    filterMode: random.pick(['and', 'or']),
  };
}

function written({ range, sorter, filters, filterMode }: Question): string[] {
  const order = sorter.map(({ name, descending }) => (descending ? '-' : '') + name).join(',');
  return [
    `range=${range.join('-')}`,
    `filterMode=${filterMode}`,
    ...(order === '' ? [] : [`sorter=${order}`]),
    ...filters.map(({ name, operator, value }) => {
      const text = operator.includes('empty') ? '' : `:${value}`;
      return `filters=${encodeURIComponent(`${name}:${operator}${text}`)}`;
    }),
  ];
}

/** Changes that make any question invalid. */
const BREAKERS = [
  ...['range=0-501', 'range=-1-5', 'range=5', 'range=0-0', 'range=1e1-5', 'range=0-5-5', 'range='],
  ...[
    'filterMode=xor',
    'filterMode=xor',
    'filterMode=',
    'responseMode=x',
    'page=1',
    'filter=id:eq:1',
  ],
  ...[
    'sorter=',
    'sorter=-',
    'sorter=passwordHash',
    'sorter=id desc',
    'sorter=ID',
    'sorter=id,id',
    'sorter=groups',
  ],
  ...[
    'filters=',
    'filters=login',
    'filters=login:like:x',
    'filters=login:eq:',
    'filters=id:contains:1',
  ],
  ...['filters=hash:eq:x', 'filters=status:gt:1', 'filters=login:isempty:x', 'filters=id:eq:x'],
  ...['filters=administrator:eq:1', 'filters=login:EQ:x', 'filters=:eq:x'],
  ...['filters=creationDate:gt:tomorrow', 'filters=login:eq:%00', 'filters=login:eq:%ff'],
  ...[`filters=login:contains:${'x'.repeat(129)}`, `filters=login:eq:${'x'.repeat(257)}`],
  ...['filters=id:in:1,,2', 'filters=id:in:1,x', 'filters=login:in:a%5C', 'filters=status:in:1,9'],
  `filters=id:in:${Array(101).fill(1).join()}`,
  Array(21).fill('filters=id:gt:0').join('&'),
];

async function readRows({ query }: Target): Promise<ReportRow[]> {
  const folded = TEXTS.map((name) => {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `fold(${column}) AS "${name}"`;
  });
  const keys = KEYS.map((name) => `login_key(${name}) AS "${name} key"`);
  return query<ReportRow>(
    `SELECT id::int, status::int, administrator, ${[...folded, ...keys].join(', ')} FROM users`,
  );
}

export const grammar: AttackClass = {
  id: 'A6',
  asEachRole: true,
  goal: 'filters, sorters, ranges: what is accepted is answered as an oracle in memory says; broken ones are refused',
  size: 15_000,
  attempts: async (target, count, random) => {
    const rows = await readRows(target);
    const texts = rows
      .flatMap((row) => TEXTS.map((name) => row[name]))
      .filter((text) => typeof text === 'string' && text !== '');
    const questions = Array.from({ length: count }, () =>
      randomQuestion(texts as string[], random),
    );
    const values = [
      ...new Set(questions.flatMap(({ filters }) => filters.map(({ value }) => value))),
    ];
    const folded = await target.query<{ value: string; folded: string }>(
      'SELECT value, fold(value) AS folded FROM unnest($1::text[]) AS value',
      [values],
    );
    const folds = new Map(folded.map((pair) => [pair.value, pair.folded]));
    return questions.map((question): Attempt => {
      const parts = written(question);
      const isBroken = random.next() < 0.25;
      if (isBroken) {
        const breaker = random.pick(BREAKERS);
        const name = /^\w+/.exec(breaker)![0];
        const kept = parts.filter((part) => name === 'filters' || !part.startsWith(`${name}=`));
        const all = random.sample([...kept, breaker], kept.length + 1);
        return { path: `${USERS}?${all.join('&')}`, token: target.person, judge: refusedWith(400) };
      }
      return {
        path: `${USERS}?${random.sample(parts, parts.length).join('&')}`,
        token: target.person,
        judge: (answer) => {
          const expected = oracle(rows, question, folds);
          if (answer.status !== 200) return `status ${answer.status}: ${answer.text.slice(0, 200)}`;
          const ids = bodyOf<{ id: string }[]>(answer).map(({ id }) => id);
          return ids.join() === expected.join()
            ? undefined
            : `${ids.length} rows ${ids.slice(0, 8).join()}, expected ${expected.length}: ${expected.slice(0, 8).join()}`;
        },
      };
    });
  },
};

const LISTS = ['users', 'organizations', 'groups'].map((name) => `/api/v2/directory/${name}`);

/** Query strings that every list of the main API rejects. */
function badQueries(): string[] {
  const names = ['range', 'sorter', 'filterMode', 'responseMode'];
  const good: Record<string, string> = {
    range: '0-5',
    sorter: 'id',
    filterMode: 'or',
    responseMode: 'user',
  };
  const twice = names.map((name) => `${name}=${good[name]}&${name}=x`);
  // Clients write the items of an array so: only filters are one.
  const items = ['[]', '[0]', '%5B%5D'];
  const shapes = ['[a]', '[__proto__]', '.a', '%00', ' ', '+', '%20'];
  const bracketed = [...pairs([...names, 'filters'], shapes), ...pairs(names, items)].map(
    ([name, shape]) => `${name}${shape}=${good[name] ?? 'id:eq:1'}`,
  );
  const cased = names.flatMap((name) => [
    `${name.toUpperCase()}=${good[name]}`,
    `${name[0]!.toUpperCase()}${name.slice(1)}=${good[name]}`,
  ]);
  const foreign = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '__proto__[polluted]',
    'constructor[prototype][polluted]',
    'polluted',
    'callback',
    'limit',
    'page',
    '_AuthenticationKey',
    'X-AUTHENTICATION-KEY',
  ].map((name) => `${name}=1`);
  const many = [65, 66, 100, 500, 999, 1_000, 1_001, 1_500, 2_000].map((n) =>
    Array(n).fill('filters=id:gt:0').join('&'),
  );
  const bytes = [
    '%00',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%f8%88%80%80%80',
    '%',
    '%4',
    '%zz',
    '%u0041',
    '%c3%28',
    '%e2%82',
    '%fe%ff',
  ];
  const encoded = pairs([...names, 'filters'], bytes).map(
    ([name, byte]) => `${name}=id:eq:${byte}`,
  );
  const inNames = bytes.map((byte) => `${byte}=1`);
  const separated = [
    'range=0-5;sorter=id',
    'range=0-5%26sorter=id',
    'range=0-5,sorter=id',
    'range=0-5?sorter=id',
    'range==0-5',
    'range=0-5&&=x',
    '=',
    '=1',
    '&=&',
    'range',
    'sorter',
    'filters',
    'range=+0-5',
    'sorter=+id',
  ];
  const long = [2_049, 4_000, 10_000].map((n) => `filters=login:eq:${'x'.repeat(n)}`);
  return [
    ...twice,
    ...bracketed,
    ...cased,
    ...foreign,
    ...many,
    ...encoded,
    ...inNames,
    ...separated,
    ...long,
  ];
}

export const queryShapes: AttackClass = {
  id: 'A7',
  asEachRole: true,
  goal: 'query strings: nothing vanishes; twice, bracketed, too many, no UTF-8 is refused; two tokens are none',
  size: 620,
  attempts: (target, count, random) => {
    const { person, administrator } = target;
    const token = encodeURIComponent(person);
    const bad = pairs(badQueries(), LISTS).map(([text, path]): Attempt => ({
      path: `${path}?${text}`,
      token: person,
      judge: refusedWith(400, 431),
    }));
    const navigation = [
      '/navigation/workplace/categories',
      '/navigation/workplace/apps',
      '/navigation/workplace/apps/indicator',
    ];
    const twice = navigation.flatMap((path): Attempt[] => [
      {
        path: `${path}?_AuthenticationKey=${token}&_AuthenticationKey=${administrator}`,
        judge: refusedWith(401),
      },
      {
        path: `${path}?_AuthenticationKey=${token}`,
        token: administrator,
        judge: refusedWith(401),
      },
      { path: `${path}?_AuthenticationKey[]=${token}`, judge: refusedWith(401) },
      { path: `${path}?_authenticationkey=${token}`, judge: refusedWith(401) },
      { path: `${path}?_AuthenticationKey=${token}%00`, judge: refusedWith(400, 401) },
      {
        path: `${path}?_AuthenticationKey=${token}`,
        headers: { 'X-AUTHENTICATION-KEY': [person, administrator] },
        judge: refusedWith(401),
      },
    ]);
    return Promise.resolve([...twice, ...random.sample(bad, Math.max(0, count - twice.length))]);
  },
};
