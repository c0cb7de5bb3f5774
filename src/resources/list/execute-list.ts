import type { Row } from '../../database/database.js';
import { Attribute } from '../attributes/attribute.js';
import type { Operator } from '../attributes/operators.js';
import { estimateOf } from './estimate.js';
import { type Finder, isPlain, NARROWING, viewerOf } from './conditions.js';
import type { Filter } from './filters.js';
import { MAX_SEEN_IDS, type Projection } from './list-builder.js';
import type { ListSql, Read, Statement } from './list-sql.js';
import type { ListPlan } from './plan-list.js';
import { LISTED } from '../resource.js';
import { orderOf } from './sort-order.js';

/** The rows of a page plus the next one, and the exact count if the request asks for it. */
export interface ListedRows {
  shown: Row[];
  total?: number | undefined;
  /** Whether a next row exists, where the rows do not include it. */
  hasNext?: boolean;
}

/** The facts by which a strategy is chosen. */
interface ListFacts {
  plan: ListPlan;
  /** Whether reading and sorting all objects that the caller sees is faster than an ordered scan. */
  seesFew: boolean;
  /** Whether an index gives PostgreSQL the rows of any page at once. */
  isDirect: boolean;
  /** How many rows an ordered scan may compare, and whether PostgreSQL expects the page among them. */
  scanned: number;
  isExpectedSoon: boolean;
  /** The finder with the fewest rows, and whether these are few. */
  finder: Finder;
  findsFew: boolean;
}

/** One way to find the rows of a page. */
interface Strategy {
  when: (list: ListFacts) => boolean;
  statement: (sql: ListSql, list: ListFacts, projection: Projection) => Statement;
  /** Whether the page may be incomplete: then another strategy finds it. */
  mayMissRows?: boolean;
}

/** The strategies for a page, of which the first applicable one runs (docs/decisions/0036). */
const STRATEGIES: Strategy[] = [
  {
    // Sorting the 395 tasks that a person sees of ten million takes 11 ms; an ordered scan takes over 5 s.
    when: ({ seesFew }) => seesFew,
    statement: (sql, { plan }, projection) => sql.seenPage(plan, projection),
  },
  {
    // The index of the order or of an identifying value yields the page in 1 ms; an estimate alone takes as long.
    when: ({ isDirect }) => isDirect,
    statement: (sql, { plan }, projection) => sql.page(plan, projection),
  },
  {
    // Most lists match many rows, some of them early in the order: a page takes 3 ms, finding all rows 100 ms.
    when: ({ isExpectedSoon }) => isExpectedSoon,
    statement: (sql, { plan, scanned, finder }, projection) =>
      sql.orderedScan(plan, { places: orderedPlaces(plan), scanned, finder }, projection),
    mayMissRows: true,
  },
  {
    // Finding and sorting few rows takes milliseconds.
    when: ({ findsFew }) => findsFew,
    statement: (sql, { plan, finder }, projection) => sql.lookup(plan, finder, projection),
  },
  {
    // Collecting the ids of all matches takes 100 ms per million rows, whatever the filter and the distribution.
    when: () => true,
    statement: (sql, { plan, finder }, projection) => ({
      ...sql.lookup(plan, finder, projection),
      searching: true,
      isLong: true,
      limit: MAX_LOOKUP_TIME,
    }),
  },
];

/**
 * Step 4 of a list: reads one page.
 */
export async function executeList(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  projection: Projection = 'items',
): Promise<ListedRows> {
  const list = await factsOf(read, sql, plan);
  for (const { when, statement, mayMissRows } of STRATEGIES) {
    if (!when(list)) continue;
    const rows = await read(statement(sql, list, projection));
    const found = plan.exactCount ? countedRows(rows) : { shown: rows };
    if (!mayMissRows || found.shown.length > plan.range.count) return found;
  }
  throw new Error('the last strategy finds every page');
}

/** Statement timeout of a list in milliseconds. No list of a million rows needs it. */
const MAX_LOOKUP_TIME = 3_000;

/** Most rows that an ordered scan compares: 17 ms with folded texts, 10 ms with plain values alone. */
const MAX_SCANNED_ROWS = 2_500;
const MAX_PLAIN_ROWS = 10_000;
const MAX_ENTRIES = 100_000;

async function factsOf(read: Read, sql: ListSql, plan: ListPlan): Promise<ListFacts> {
  const seesFew = await seesFewObjects(read, sql, plan);
  const isDirect = isFoundAtOnce(plan);
  const scanned = scannedRows(plan);
  const facts = { plan, seesFew, isDirect, scanned, isExpectedSoon: false };
  if (seesFew || isDirect) return { ...facts, finder: NARROWING, findsFew: false };
  const { finder, rows, isKnown, share, all } = await estimateOf(read, sql, plan);
  const isExpectedSoon = share * Math.min(scanned, all) > plan.range.start + plan.range.count;
  return { ...facts, isExpectedSoon, finder, findsFew: isKnown && rows <= MAX_FEW };
}

/** Rows that are found and sorted in less than 100 ms. */
const MAX_FEW = 10_000;

/** How many rows an ordered scan compares. More if the index alone both filters and sorts. */
function scannedRows(plan: ListPlan): number {
  const { filters, sorter } = plan;
  if (sorter.length === 1 && filters.every(isOfOrder(plan))) return MAX_ENTRIES;
  return filters.every(isPlain) ? MAX_PLAIN_ROWS : MAX_SCANNED_ROWS;
}

/** With `seen` of `all` objects, any order has one of the caller's for every `all / seen` rows. */
async function seesFewObjects(read: Read, sql: ListSql, plan: ListPlan): Promise<boolean> {
  const statement = sql.countSeen(plan);
  if (!statement) return false;
  const [row] = await read(statement);
  const [seen, all] = row!.map(Number) as [number, number];
  const { start, count } = plan.range;
  return seen <= MAX_SEEN_IDS && seen ** 2 <= (start + count + 1) * all;
}

function isFoundAtOnce(plan: ListPlan): boolean {
  const { filters, filterMode, resource, within } = plan;
  if (filters.length === 0 || resource.definition.withoutId) return true;
  if (filterMode === 'or' && filters.length > 1) return false;
  if (filters.some(isIdentifying)) return true;
  return !within && orderedPlaces(plan).length === filters.length;
}

const isIdentifying = ({ attribute, operator }: Filter): boolean =>
  (operator === 'eq' || operator === 'in') && attribute.isIdentifying === true;

/** Operators whose matches are contiguous in the order of the attribute. */
const RANGES: ReadonlySet<Operator> = new Set<Operator>([
  ...(['eq', 'gt', 'gte', 'lt', 'lte', 'starts', 'isnotempty'] as const),
]);

/** Whether a filter compares the first sort key. Several attributes may share its column. */
function isOfOrder(plan: ListPlan): (filter: Filter) => boolean {
  const [order] = orderOf(plan).keys();
  const viewer = viewerOf(plan.caller);
  return ({ attribute }) =>
    attribute instanceof Attribute && attribute.order(LISTED, viewer) === order;
}

/**
 * The indexes of the filters that select a range of the list's order, for an AND. Within one value, each database index
 * orders rows by id.
 */
function orderedPlaces(plan: ListPlan): number[] {
  const { filters, filterMode, sorter } = plan;
  if (filterMode === 'or' && filters.length > 1) return [];
  const isOrdered = isOfOrder(plan);
  const ranges = [...filters.keys()].filter(
    (place) => RANGES.has(filters[place]!.operator) && isOrdered(filters[place]!),
  );
  const equal = filters.findIndex(
    ({ attribute, operator, variant }) =>
      operator === 'eq' && attribute instanceof Attribute && attribute.sortable && !variant,
  );
  return sorter.length > 0 || equal < 0 ? ranges : [...new Set([equal, ...ranges])];
}

/** Splits the rows of a list with its exact count: [count, present, …columns, place]. */
function countedRows(rows: Row[]): ListedRows {
  return {
    shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
    total: Number(rows[0]?.[0] ?? 0),
  };
}
