import type { Row } from '../../database/database.js';
import { LISTED } from '../resource.js';
import {
  type Finding,
  findingBy,
  hasOutside,
  hasPrefilter,
  isAlike,
  isEstimated,
  isFoundByOwnIndex,
  isNegated,
  isPlain,
  matchingAlias,
  outsideAlias,
  scansOwnIndex,
  variableFilters,
} from './conditions.js';
import {
  type Exception,
  filteredTableOf,
  type Lookup,
  type Manner,
  MAX_SEEN_IDS,
  type Projection,
} from './list-builder.js';
import { MAX_COLLECTED_ROWS } from './id-bitmap.js';
import { withDistinctValues, withKnownValues } from './known-filters.js';
import type { ListSql, Read, Statement } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/** The rows of a page plus the next one, and the exact count if the request asks for it. */
export interface ListedRows {
  shown: Row[];
  total?: number | undefined;
  /** Whether there is a next row, where it is not among those shown. */
  hasNext?: boolean;
}

/**
 * The cost of the n-gram index, per query and per row that it finds, in the planner's cost units
 * (docs/decisions/0017).
 */
const NGRAM_STARTUP_COST = 50;
const NGRAM_ROW_COST = 0.2;

/** More rows than this take longer to read (6 µs each) than the index of a text of a million rows (120 ms). */
const MAX_NGRAM_ROWS = 20_000;

/** The same of a text that no index has: every row would have to be read, and the text folded (0.4 to 3 µs). */
const MAX_UNINDEXED_NGRAM_ROWS = 100_000;

/** More rows than this take longer to read (2 µs each) than an index of a million rows that tells which of them match. */
const MAX_CHECKED_ROWS = 50_000;

/**
 * How long PostgreSQL may look for matching rows, in milliseconds: the slowest list of a million rows takes a ninth of
 * it. The planner's costs do not tell: 285,000 are 185 ms, 345,000 are 1.3 s and 25 million are 1 s.
 */
const MAX_LATE_TIME = 3_000;

/** What the names of the n-gram indexes end with (migrations/schema-helpers.ts). */
const NGRAM_INDEX = '_quick_search_idx';

/** Limits of an ordered scan whose matching rows come late: about 17 ms, or 10 ms for an index-only scan. */
const MAX_SCANNED_ROWS = 2_500;
const MAX_PLAIN_ROWS = 10_000;
const MAX_SCANNED_ENTRIES = 100_000;

/**
 * Step 4 of a list: reads one page.
 *
 * A substring filter can use an n-gram index or an ordered scan. The index finds rare texts immediately, but
 * for common texts it returns every match, which must then be sorted, while an ordered scan soon fills a page.
 * The planner cannot compare the two, because it assumes that the n-grams of a word are independent. So we
 * ask it for its estimate without that index. Nor does it know when common texts come late in the order,
 * which makes the scan long; so the scan has a limit.
 */
export async function executeList(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  projection: Projection = 'items',
): Promise<ListedRows> {
  const page = (statement: Statement): Promise<ListedRows> => readPage(read, plan, statement);
  if (await seesFew(read, sql, plan)) return page(sql.page(plan, projection, 'seen'));
  if (plan.strategy === 'page' || plan.strategy === 'deferred-join')
    return page(sql.page(plan, projection));
  return findKnownRows(read, sql, await withKnownValues(read, sql, plan), { projection });
}

/** How rows are found: what is selected, and whether the first rows in the order of the list were looked at in vain. */
interface FindOptions {
  projection: Projection;
  isScanned?: boolean;
}

/** A page of the rows that match filters of which some may be known to fit all rows, or none. */
async function findKnownRows(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  options: FindOptions,
): Promise<ListedRows> {
  const filters = variableFilters(filteredTableOf(plan));
  if (filters === false) return { shown: [], ...(plan.exactCount && { total: 0 }) };
  if (filters === true) {
    const all: ListPlan = { ...plan, filters: [], strategy: 'deferred-join' };
    return readPage(read, plan, sql.page(all, options.projection));
  }
  return findRows(read, sql, { ...plan, filters }, options);
}

async function readPage(read: Read, plan: ListPlan, statement: Statement): Promise<ListedRows> {
  const rows = await read(statement);
  return plan.exactCount ? countedRows(rows) : { shown: rows };
}

/** A page of the rows that match filters of which nobody knows how many rows match, and where they are in the order. */
async function findRows(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  { projection, isScanned = false }: FindOptions,
): Promise<ListedRows> {
  const page = (statement: Statement): Promise<ListedRows> => readPage(read, plan, statement);
  // The server refuses a list that cannot be read in time well before PostgreSQL ends every statement.
  const late = (manner: Manner): Promise<ListedRows> =>
    page({
      ...sql.page(plan, projection, manner),
      searching: true,
      isLong: true,
      limit: MAX_LATE_TIME,
    });
  if (plan.strategy === 'find') {
    const { finding, lookup, rows } = await findingFor(read, sql, plan);
    if (rows > MAX_COLLECTED_ROWS) {
      const found = await page(sql.orderedScan(plan, MAX_SCANNED_ROWS, projection));
      if (found.shown.length > plan.range.count) return found;
      return (await byDistinctValues(read, sql, plan, projection)) ?? late(lookup);
    }
    return page(sql.page(plan, projection, finding));
  }
  const estimate = estimateIn(await read(sql.estimate(plan)));
  const { list } = estimate;
  // The planner expects hardly any row without a linked object, although nearly all rows fulfil a negated filter.
  const isNegative = plan.filters.some(isNegated);
  if (isCheap(estimate) && usesSelectiveIndex(list))
    return page(sql.page(plan, projection, 'none'));
  if (!isScanned && (isCheap(estimate) || isNegative)) {
    const found = await page(sql.orderedScan(plan, scannedEntries(list, plan), projection));
    if (found.shown.length > plan.range.count) return found;
  }
  const isRare = list['Plan Rows'] <= MAX_COLLECTED_ROWS;
  const { finding, lookup, reads } = await findingFor(read, sql, plan);
  // The ids of a whole index are kept: PostgreSQL might read it again for each row of another filter.
  if (isRare && !reads) return page(sql.page(plan, projection, finding));
  const distinct = isScanned ? undefined : await byDistinctValues(read, sql, plan, projection);
  return distinct ?? late(lookup);
}

/** A page of the rows that have one of the texts that match; undefined where the texts are many. */
async function byDistinctValues(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  projection: Projection,
): Promise<ListedRows | undefined> {
  const known = await withDistinctValues(read, sql, plan);
  if (known === plan) return undefined;
  const estimated: ListPlan = { ...known, strategy: 'estimate' };
  return findKnownRows(read, sql, estimated, { projection, isScanned: true });
}

/**
 * Whether the caller sees so few of the objects that it is faster to read and sort them all than to look for them in the
 * order of the list. With `seen` of `all`, that order has one for every `all / seen` rows.
 */
async function seesFew(read: Read, sql: ListSql, plan: ListPlan): Promise<boolean> {
  const statement = sql.countSeen(plan);
  if (!statement) return false;
  const [row] = await read(statement);
  const [seen, all] = row!.map(Number) as [number, number];
  const { start, count } = plan.range;
  return seen <= MAX_SEEN_IDS && seen ** 2 <= (start + count + 1) * all;
}

/** How to find the rows that match. */
interface Found {
  finding: Finding;
  /** How to look them up where they are many: by their ids, or by those of the other rows where these are fewer. */
  lookup: Lookup | Exception;
  /** How many rows the n-gram index finds for it. */
  rows: number;
  /** Whether a filter reads a whole index. */
  reads: boolean;
}

/**
 * How to find the rows that match: the n-gram index may find far more, because other texts of a row have the same
 * n-grams, and a value such as a space has none.
 */
async function findingFor(read: Read, sql: ListSql, plan: ListPlan): Promise<Found> {
  const filtered = filteredTableOf(plan);
  const isAll = plan.filterMode === 'and' || plan.filters.length === 1;
  const found = await estimatesOf(read, sql, plan);
  const ngrams = found.filter(
    ({ index, ngramRows }) =>
      ngramRows <=
      (scansOwnIndex(plan.filters[index]!, filtered.viewer)
        ? MAX_NGRAM_ROWS
        : MAX_UNINDEXED_NGRAM_ROWS),
  );
  const first = firstOf(found);
  const byNgrams = placesOf(ngrams);
  const finding = findingBy(byNgrams, isAll ? first : undefined);
  const reads = !isAll || (first !== undefined && isFoundByOwnIndex(filtered, finding, first));
  const hasNgrams = found.filter(({ index }) => hasPrefilter(plan.filters[index]!));
  const rows = Math.max(0, ...hasNgrams.map(({ ngramRows }) => ngramRows));
  return { finding, lookup: lookupFor(plan, isAll, byNgrams, found), reads, rows };
}

/**
 * The ids of matching rows are looked up, or those of the other rows where all, or any of several filters, match most
 * rows. Where all have to match, those that few rows do not match are looked up too, and any others on which many rows
 * would have to be checked.
 */
function lookupFor(
  { filters }: ListPlan,
  isAll: boolean,
  ngrams: number[],
  found: Estimated[],
): Lookup | Exception {
  const wide = found.filter(isWide);
  const first = firstOf(found);
  const ofFirst = filters[first ?? 0]!;
  const others = found.filter(({ index }) => index !== first && !isAlike(filters[index]!, ofFirst));
  const hasAlike = others.length < filters.length - 1;
  const isException = isAll ? wide.length === filters.length && !hasAlike : wide.length > 0;
  if (isException)
    return `except ${findingBy(
      ngrams,
      fewest(wide, ({ outsideRows }) => outsideRows),
    )}`;
  if (!isAll) return `lookup ${findingBy(ngrams)}`;
  const checked = found.find(({ index }) => index === first)?.rows ?? 0;
  const isMany = checked > MAX_CHECKED_ROWS || !isEstimated(ofFirst);
  const within = isMany ? others.filter((one) => !isWide(one)) : [];
  const outside = others.filter(
    (one) => isWide(one) && (isMany || one.outsideRows <= MAX_CHECKED_ROWS),
  );
  return `lookup ${findingBy(ngrams, first, { within: placesOf(within), outside: placesOf(outside) })}`;
}

/** Whether fewer rows are outside of a filter than within. */
const isWide = ({ rows, outsideRows }: Estimated): boolean => outsideRows < rows;

const placesOf = (found: Estimated[]): number[] => found.map(({ index }) => index);

/** The place of the filter that finds the rows: the others leave out what is outside of those that most rows match. */
const firstOf = (found: Estimated[]): number | undefined => {
  const narrow = found.filter((one) => !isWide(one));
  return fewest(narrow.length > 0 ? narrow : found, ({ rows }) => rows);
};

/** The place of the filter with the fewest rows. */
const fewest = (found: Estimated[], rowsOf: (one: Estimated) => number): number | undefined =>
  [...found].sort((one, other) => rowsOf(one) - rowsOf(other))[0]?.index;

/** PostgreSQL's estimate of a filter. */
interface Estimated {
  /** The place of the filter. */
  index: number;
  rows: number;
  /** The rows that the n-gram index finds for it, and those outside of it that an index finds. */
  ngramRows: number;
  outsideRows: number;
}

/** How many rows each filter finds, and how many are outside of it. */
async function estimatesOf(read: Read, sql: ListSql, plan: ListPlan): Promise<Estimated[]> {
  const indexes = plan.filters.map((_, index) => index);
  const { page } = estimateIn(await read(sql.estimateOfEach(plan, indexes)));
  const each = page['Node Type'] === 'Append' ? page.Plans! : [page];
  const stepsOf = (alias: string): PlanStep[] =>
    each.filter((step) => stepsIn(step).some((one) => isNamed(one, alias)));
  // PostgreSQL leaves out what no row can match. Where no index finds the rows, each row of the table is read.
  const rowsOf = (steps: PlanStep[], alias: string, mostRead = 0): number => {
    const rows = steps.reduce((sum, step) => sum + step['Plan Rows'], 0);
    const scan = steps
      .flatMap(stepsIn)
      .find((step) => step['Node Type'] === 'Seq Scan' && isNamed(step, alias));
    return scan && rows > mostRead ? Infinity : rows;
  };
  return indexes.map((index) => {
    const filter = plan.filters[index]!;
    const [matching, outside] = [matchingAlias(index), outsideAlias(index)].map(stepsOf) as [
      PlanStep[],
      PlanStep[],
    ];
    const ngrams = [...matching, ...outside]
      .flatMap(stepsIn)
      .find((step) => step['Index Name']?.endsWith(NGRAM_INDEX));
    return {
      index,
      // PostgreSQL expects few rows, although nearly all rows fulfil it.
      rows:
        isNegated(filter) && !isEstimated(filter)
          ? Infinity
          : rowsOf(matching, matchingAlias(index), MAX_CHECKED_ROWS),
      ngramRows: ngrams?.['Plan Rows'] ?? (matching.length === 0 ? 0 : Infinity),
      outsideRows: hasOutside(filteredTableOf(plan), index)
        ? rowsOf(outside, outsideAlias(index))
        : Infinity,
    };
  });
}

/** A node of a plan, with the property names of EXPLAIN. */
interface PlanStep {
  'Node Type': string;
  'Total Cost': number;
  'Plan Rows': number;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Subplan Name'?: string;
  Plans?: PlanStep[];
}

/** Whether a step reads a table by an alias: where several do, PostgreSQL numbers them (`x0_1`). */
const isNamed = ({ Alias: name = '' }: PlanStep, alias: string): boolean =>
  name === alias || name.startsWith(`${alias}_`);

/** EXPLAIN's plan of a page, and of the list below its LIMIT. */
interface Estimate {
  page: PlanStep;
  list: PlanStep;
}

function estimateIn([row]: Row[]): Estimate {
  const [[{ Plan: page }]] = row as [[{ Plan: PlanStep }]];
  return { page, list: page.Plans?.[0] ?? page };
}

/** Whether the plan is cheaper than the n-gram index, which would read every row of the list. */
const isCheap = ({ page, list }: Estimate): boolean =>
  page['Total Cost'] - costOnce(page) <= NGRAM_STARTUP_COST + NGRAM_ROW_COST * list['Plan Rows'];

/** The cost of what a plan computes once, such as the values that a filter finds: any other plan has it, too. */
const costOnce = (page: PlanStep): number =>
  stepsIn(page)
    .filter((step) => step['Subplan Name']?.startsWith('InitPlan'))
    .reduce((sum, step) => sum + step['Total Cost'], 0);

const stepsIn = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];

/** Whether a plan finds the rows by another filter instead of scanning in the order of the list. */
const usesSelectiveIndex = (list: PlanStep): boolean =>
  stepsIn(list).some(
    (step) =>
      step['Node Type'] === 'Sort' || (step.Alias === LISTED && step['Index Cond'] !== undefined),
  );

function scannedEntries(list: PlanStep, { filters }: ListPlan): number {
  if (list['Node Type'] === 'Index Only Scan') return MAX_SCANNED_ENTRIES;
  return filters.every(isPlain) ? MAX_PLAIN_ROWS : MAX_SCANNED_ROWS;
}

/** Splits the rows of a list with its exact count: [count, present, …columns, place]. */
function countedRows(rows: Row[]): ListedRows {
  return {
    shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
    total: Number(rows[0]?.[0] ?? 0),
  };
}
