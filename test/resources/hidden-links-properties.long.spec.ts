import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { query } from '../support/call.js';
import { compareText, fold } from '../support/fold.js';
import {
  fillPortal,
  giveRoles,
  isOwnTask,
  isShown,
  type Item,
  LINKS,
  PATHS,
  type Person,
  readPerson,
  readWorld,
  type Ref,
  sees,
  seesWithoutRole,
  shownTo,
  type World,
} from '../support/hidden-world.js';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/event-stream.js';
import { FeedConsumer } from '../support/feed-consumer.js';
import { PROPERTY_TIMEOUT, propertyRuns } from '../support/property-runs.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { Random } from '../support/random.js';

/** Compares lists of callers without roles and with random ones to an oracle in memory in which hidden objects do not exist. */

const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
const CALLERS = ['bruno.keller', 'chloe.lefevre', 'adele.ashdown', 'alice.martin'];
const ENGINE = 'adele.ashdown';
/** How many further callers have random roles. */
const HOLDERS = 4;
/** The attributes of a Ref, by which a process engine filters. */
const IN_REF = ['id', 'uri', 'reference', 'label'];

interface Described {
  name: string;
  type: string;
  sortable: boolean;
  operators: string[];
}
interface Condition {
  name: string;
  /** The attribute of the linked object behind the dot. */
  inner: Described | undefined;
  type: string;
  operator: string;
  value: string | undefined;
  /** Another text of the same value, for `in`. */
  other?: string;
}

let server: TestServer;
let world: World;
const people: Person[] = [];
const attributes: Record<string, Described[]> = {};

beforeAll(async () => {
  process.stderr.write(`PROPERTY_SEED=${SEED} repeats this run\n`);
  server = await startTestServer();
  await server.database.query('UPDATE users SET process_engine = true WHERE login = $1', [ENGINE]);
  // The oracle reads one language, the callers three.
  for (const table of ['applications', 'categories', 'views'])
    await server.database.query(`UPDATE ${table} SET translations = NULL`);
  await fillPortal(server, SEED);
  const holders = await server.database.query<{ login: string }>(
    `SELECT login FROM users WHERE id BETWEEN 23 AND 32 AND rights = '[]' AND status = 1 AND login <> ALL ($1)
     ORDER BY id LIMIT ${HOLDERS}`,
    [CALLERS],
  );
  const given = await giveRoles(
    server,
    SEED,
    holders.map(({ login }) => login),
  );
  for (const login of [...CALLERS, ...given.keys()])
    people.push(await readPerson(server, login, given.get(login)));
  expect(people).toHaveLength(CALLERS.length + HOLDERS);
  const [ordinary] = people;
  world = await readWorld(server, people.find(({ administrator }) => administrator)!.token);
  for (const [name, path] of Object.entries(PATHS)) {
    const { body } = await server.call(`${path}/attributes`, { token: ordinary!.token });
    attributes[name] = (body as Described[]).filter(({ operators }) => operators.length > 0);
  }
});
afterAll(() => server.close());

const POSITIVE: Record<string, string> = {
  neq: 'eq',
  notcontains: 'contains',
  isempty: 'isnotempty',
};

/** A text, number or boolean as text. */
const plain = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Whether a value meets a condition. */
function fits(found: unknown, type: string, operator: string, value: string | undefined): boolean {
  if (operator in POSITIVE) return !fits(found, type, POSITIVE[operator]!, value);
  if (found === null || found === undefined) return false;
  const mine = typeof found === 'object' ? (found as Ref).id : plain(found);
  if (operator === 'isnotempty') return type !== 'text' || mine !== '';
  const theirs = value!;
  if (type === 'link') return mine.split('/').at(-1) === theirs.split('/').at(-1);
  if (operator === 'starts') return fold(mine).startsWith(fold(theirs));
  if (operator === 'ends') return fold(mine).endsWith(fold(theirs));
  if (operator === 'contains') return fold(mine).includes(fold(theirs));
  const order = compared(type, mine, theirs);
  const results: Record<string, boolean> = {
    eq: order === 0,
    in: order === 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return results[operator]!;
}

function compared(type: string, a: string, b: string): number {
  if (type === 'text') return compareText(a, b);
  if (type === 'number') return Number(a) - Number(b);
  if (type === 'timestamp') return Date.parse(a) - Date.parse(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The Refs of an item's attribute. */
const refsIn = (item: Item, name: string): Ref[] =>
  [item[name] as Ref | Ref[] | null].flat().filter((ref) => ref !== null);

/** @param shown the item as the person sees it */
function holds(shown: Item, one: Condition, resource: string, person: Person): boolean {
  const { name, inner, type, operator, value } = one;
  if (!inner && type !== 'links') return fits(shown[name], type, operator, value);
  const target = LINKS[resource]![name]!;
  const positive = POSITIVE[operator] ?? operator;
  const found = refsIn(shown, name).some((ref) => {
    if (!inner) return positive === 'isnotempty' || isLink(ref, value!);
    const linked = world[target]!.get(ref.id)!;
    const isReadable = IN_REF.includes(inner.name) || sees(person, target, linked, world);
    return isReadable && fits(linked[inner.name], inner.type, positive, value);
  });
  return operator in POSITIVE ? !found : found;
}

const isLink = ({ id, uri }: Ref, value: string): boolean =>
  value.startsWith('/') ? uri === value : id === value;

/** The order of a list: nulls last ascending, first descending, then the id. */
function sorted(items: Item[], resource: string, sorter: string[]): Item[] {
  const keys = sorter.map((key) => {
    const name = key.replace(/^-/, '');
    const { type } = attributes[resource]!.find((one) => one.name === name)!;
    return { name, sign: key.startsWith('-') ? -1 : 1, type };
  });
  const keyOf = (item: Item, name: string, type: string): string | null => {
    const value = item[name];
    if (value === null || value === undefined) return null;
    if (type !== 'link') return plain(value);
    return typeof value === 'object' ? (value as Ref).id : item.id;
  };
  return [...items].sort((a, b) => {
    for (const { name, sign, type } of keys) {
      const [x, y] = [keyOf(a, name, type), keyOf(b, name, type)];
      if (x === null || y === null) {
        if (x === y) continue;
        return x === null ? sign : -sign;
      }
      const order = compared(type === 'link' ? 'number' : type, x, y);
      if (order !== 0) return order * sign;
    }
    return (Number(a.id) - Number(b.id)) * (keys.at(-1)?.sign ?? 1);
  });
}

/** Draws from all objects, hidden ones included, so that filters target hidden objects. */
function conditionFor(resource: string, draw: (most: number) => number): Condition[] {
  const pick = <T>(values: T[]): T => values[draw(values.length)]!;
  const links = Object.keys(LINKS[resource]!);
  const isLinked = links.length > 0 && draw(4) > 0;
  const attribute = attributes[resource]!.find(({ name }) => isLinked && name === pick(links));
  const { name, type, operators } = attribute ?? pick(attributes[resource]!);
  const target = LINKS[resource]![name];
  const item = pick([...world[resource]!.values()]);
  if (!target || draw(2) === 0) {
    const operator = pick(operators);
    const found = links.includes(name) ? pick(refsIn(item, name)) : item[name];
    return written({ name, inner: undefined, type, operator }, found, draw);
  }
  const inner = pick(
    attributes[target]!.filter((one) => one.name === 'uri' || !one.type.startsWith('link')),
  );
  const ref = pick(refsIn(item, name));
  const linked = ref && world[target]!.get(ref.id)!;
  const operator = pick(inner.operators);
  return written({ name, inner, type: inner.type, operator }, linked?.[inner.name], draw);
}

function written(
  one: Omit<Condition, 'value'>,
  found: unknown,
  draw: (most: number) => number,
): Condition[] {
  if (one.operator.startsWith('is')) return [{ ...one, value: undefined }];
  if (found === null || found === undefined || found === '') return [];
  if (typeof found === 'object') {
    const { id, uri, reference } = found as Ref;
    return [{ ...one, value: draw(2) === 0 ? id : uri, other: draw(2) === 0 ? reference : uri }];
  }
  const whole = plain(found);
  const isPiece = ['starts', 'ends', 'contains', 'notcontains'].includes(one.operator);
  const from = one.operator === 'starts' ? 0 : draw(4);
  const piece = [...whole].slice(from, from + 1 + draw(4)).join('');
  return [{ ...one, value: isPiece ? piece || whole : [...whole].slice(0, 100).join('') }];
}

const textOf = ({ name, inner, operator, value, other = value }: Condition): string => {
  const values = [value, other].map((one = '') => one.replace(/[\\,]/g, '\\$&')).join(',');
  const text = operator === 'in' ? values : value;
  return [inner ? `${name}.${inner.name}` : name, operator, text ?? []].flat().join(':');
};

/** The links of an item as a person sees them. */
const displayed = (value: unknown): unknown =>
  Array.isArray(value)
    ? (value as Ref[]).map(({ label }) => label)
    : ((value as Ref | null)?.label ?? null);

/** The searches whose records are those of a list. */
const SEARCHES = {
  documents: 'workplace_documents_search',
  news: 'workplace_news_search',
  faqs: 'workplace_faq_search',
  customers: 'workplace_customers_search',
};

/** The ids of all records of a search, page by page. */
async function searchAll({ token }: Person, searchName: string): Promise<string[]> {
  const ids: string[] = [];
  for (let marker = ''; ;) {
    const address = `/navigation/search/workplace${query({
      query: '',
      searchName,
      searchField: 'quickSearch',
      ...(marker !== '' && { searchIndexTop: marker }),
    })}`;
    const { body } = await server.call(address, { token });
    const { data, searchIndexTop } = body as { data: { ID: string }[]; searchIndexTop: string };
    if (data.length === 0) return ids.sort();
    ids.push(...data.map(({ ID }) => ID));
    marker = searchIndexTop;
  }
}

const onlyLinks = (item: Item, resource: string, show: (value: unknown) => unknown) =>
  Object.keys(LINKS[resource]!).map((name) => show(item[name]));

const request = fc.record({
  resource: fc.constantFrom(...Object.keys(LINKS), 'tasks', 'tasks', 'applications'),
  person: fc.nat(CALLERS.length + HOLDERS - 1),
  choices: fc.nat(),
  conditions: fc.nat(3),
  filterMode: fc.constantFrom('and', 'or'),
  responseMode: fc.constantFrom('machine', 'machine', 'user'),
  keys: fc.nat(2),
  size: fc.integer({ min: 5, max: 120 }),
  isView: fc.boolean(),
});

describe('lists of objects that some users do not see', () => {
  it(
    'equal what an oracle finds from which hidden objects are removed',
    async () => {
      let [runs, hidden] = [0, 0];
      await fc.assert(
        fc.asyncProperty(request, async (given) => {
          runs++;
          const { resource, filterMode, responseMode, size } = given;
          const person = people[given.person]!;
          const random = new Random(given.choices);
          const draw = (most: number): number => random.below(most);
          const conditions = Array.from({ length: given.conditions }, () =>
            conditionFor(resource, draw),
          ).flat();
          const sortable = attributes[resource]!.filter(
            (one) => one.sortable && one.name !== 'icon',
          );
          const names = Array.from(
            { length: given.keys },
            () => sortable[draw(sortable.length)]!.name,
          );
          const sorter = [...new Set(names)].map((name) => (draw(2) ? `-${name}` : name));

          const all = [...world[resource]!.values()];
          // The records of a view are a list of tasks, too.
          const views = [...world.views!.values()].filter((view) =>
            sees(person, 'views', view, world),
          );
          const view = resource === 'tasks' && given.isView ? views[draw(views.length)] : undefined;
          const path = view ? `${PATHS.views}/${view.id}/records` : PATHS[resource]!;
          const inView = (item: Item): boolean =>
            !view ||
            (isOwnTask(item, person) &&
              (item.application as Ref).id === (view.application as Ref).id &&
              isShown(
                person,
                { from: 'views', target: 'applications' },
                (view.application as Ref).id,
                world,
              ));
          const expected = sorted(
            all
              .filter((item) => sees(person, resource, item, world) && inView(item))
              .map((item) => shownTo(person, resource, item, world))
              .filter((item) =>
                filterMode === 'and' || conditions.length === 0
                  ? conditions.every((one) => holds(item, one, resource, person))
                  : conditions.some((one) => holds(item, one, resource, person)),
              ),
            resource,
            sorter,
          );
          hidden += all.length - expected.length;

          const filters = conditions.map(textOf);
          const found: Item[] = [];
          for (let start = 0; ; start += size) {
            const parameters = {
              filters,
              filterMode,
              responseMode,
              range: `${start}-${size}`,
              ...(sorter.length > 0 && { sorter: sorter.join(',') }),
            };
            const address = path + query(parameters);
            const answer = await server.call(address, {
              token: person.token,
              headers: { Prefer: 'count=exact' },
            });
            const total = answer.headers['x-total-count'];
            const isListed = answer.status === 200 ? 'listed' : answer.text;
            expect([address, isListed, total]).toEqual([
              address,
              'listed',
              String(expected.length),
            ]);
            found.push(...(answer.body as Item[]));
            if (!String(answer.headers.link).includes('rel="next"')) break;
          }
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          if (responseMode === 'machine') expect(found).toEqual(expected);
          else
            expect(found.map((item) => onlyLinks(item, resource, (value) => value))).toEqual(
              expected.map((item) => onlyLinks(item, resource, displayed)),
            );

          const one = all[draw(all.length)]!;
          const detailed = await server.call(`${PATHS[resource]}/${one.id}`, {
            token: person.token,
          });
          if (!sees(person, resource, one, world)) expect(detailed.status).toBe(404);
          else expect(detailed.body).toMatchObject(shownTo(person, resource, one, world));
        }),
        { ...propertyRuns(150), seed: SEED },
      );
      expect(hidden).toBeGreaterThan(runs);
    },
    PROPERTY_TIMEOUT,
  );

  it('show the same as searches, the feed and live counters', async () => {
    for (const person of people) {
      const idsOf = (kind: string, isSeen: typeof sees): string[] =>
        [...world[kind]!.values()]
          .filter((item) => isSeen(person, kind, item, world))
          .map(({ id }) => id)
          .sort();
      // A search shows what is published for a person, whatever the roles.
      for (const [kind, searchName] of Object.entries(SEARCHES))
        expect([person.grants, kind, await searchAll(person, searchName)]).toEqual([
          person.grants,
          kind,
          idsOf(kind, seesWithoutRole),
        ]);

      // The feed leaves out what a confined role adds (docs/decisions/0052).
      const inFeed: typeof sees = (one, ...rest) =>
        sees({ ...one, grants: one.grants.filter(({ scope }) => !scope) }, ...rest);
      const kinds = Object.keys(PATHS);
      const consumer = new FeedConsumer(server, person.token, kinds.join());
      await consumer.catchUp();
      for (const kind of Object.keys(LINKS))
        expect([person.grants, kind, consumer.idsOf(kind).sort()]).toEqual([
          person.grants,
          kind,
          idsOf(kind, inFeed),
        ]);

      // A workplace is a person's own, whatever the roles.
      const stream = await openEvents(server.port, { token: person.token });
      await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
      const [counters] = stream.dataOf('counters') as {
        applications: Record<string, number | null>;
      }[];
      stream.close();
      const tiles = [...world.applications!.values()].filter((item) =>
        seesWithoutRole(person, 'applications', item, world),
      );
      expect(Object.keys(counters!.applications).sort()).toEqual(
        tiles.map(({ uri }) => uri as string).sort(),
      );
      for (const { uri, view } of tiles) {
        const shown = world.views!.get((view as Ref | null)?.id ?? '');
        if (shown?.application === undefined || (shown.application as Ref).uri !== uri) continue;
        const own = [...world.tasks!.values()].filter(
          (task) => isOwnTask(task, person) && (task.application as Ref).uri === uri,
        );
        expect([uri, counters!.applications[uri]]).toEqual([uri, own.length]);
      }
    }
  });

  it('are compared on a portal in which every caller has hidden links', () => {
    const withoutRole = ({ administrator, grants }: Person) =>
      !administrator && grants.length === 0;
    for (const person of people.filter(withoutRole)) {
      const tasks = [...world.tasks!.values()].filter((task) => sees(person, 'tasks', task, world));
      const applications = tasks.map((task) => (task.application as Ref).id);
      const seen = applications.filter((id) =>
        sees(person, 'applications', world.applications!.get(id)!, world),
      );
      const shown = applications.filter((id) =>
        isShown(person, { from: 'tasks', target: 'applications' }, id, world),
      );
      expect([seen.length > 0, seen.length < applications.length]).toEqual([true, true]);
      expect(shown).toEqual(person.processEngine ? applications : seen);
    }
  });
});
