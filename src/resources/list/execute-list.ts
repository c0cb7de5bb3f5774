import type { Row } from '../../database/database.js';
import { LISTED } from '../resource.js';
import {
  comparesTexts,
  type Finding,
  findingBy,
  hasOtherIds,
  hasPrefilter,
  isFoundByOwnIndex,
  isNegated,
  matchingAlias,
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
import { type ListSql, MAX_COLLECTED_ROWS, type Statement } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/** Runs a statement and returns its rows. */
export type Read = (statement: Statement) => Promise<Row[]>;

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

/** More rows than these of one of several filters take longer to look up than to check the others on each row. */
const MAX_LOOKED_UP_ROWS = 300_000;

/**
 * How long PostgreSQL may look for matching rows, in milliseconds: the slowest list of a million rows takes a fifth of
 * it. The planner's costs do not tell: 285,000 are 185 ms, 345,000 are 1.3 s and 25 million are 1 s.
 */
const MAX_LATE_TIME = 3_000;

/** What the names of the n-gram indexes end with (migrations/schema-helpers.ts). */
const NGRAM_INDEX = '_quick_search_idx';

/** Limits of an ordered scan whose matching rows come late: about 35 ms, or 10 ms for an index-only scan. */
const MAX_SCANNED_ROWS = 5_000;
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
  const page = async (statement: Statement): Promise<ListedRows> => {
    const rows = await read(statement);
    return plan.exactCount ? countedRows(rows) : { shown: rows };
  };
  // The server refuses a list that cannot be read in time well before PostgreSQL ends every statement.
  const late = (manner: Manner): Promise<ListedRows> =>
    page({ ...sql.page(plan, projection, manner), limit: MAX_LATE_TIME });
  if (await seesFew(read, sql, plan)) return page(sql.page(plan, projection, 'seen'));
  if (plan.strategy === 'page' || plan.strategy === 'deferred-join')
    return page(sql.page(plan, projection));
  if (plan.strategy === 'find') {
    const { finding, rows } = await findingFor(read, sql, plan);
    if (rows > MAX_COLLECTED_ROWS) {
      const found = await page(sql.orderedScan(plan, MAX_SCANNED_ROWS, projection));
      if (found.shown.length > plan.range.count) return found;
      return late(`lookup ${finding}`);
    }
    return page(sql.page(plan, projection, finding));
  }
  const estimate = estimateIn(await read(sql.estimate(plan)));
  const { list } = estimate;
  // The planner expects hardly any row without a linked object, although nearly all rows fulfil a negated filter.
  const isNegative = plan.filters.some(isNegated);
  if (isCheap(estimate) && usesSelectiveIndex(list))
    return page(sql.page(plan, projection, 'none'));
  if (isCheap(estimate) || isNegative) {
    const found = await page(sql.orderedScan(plan, scannedEntries(list), projection));
    if (found.shown.length > plan.range.count) return found;
  }
  const isRare = list['Plan Rows'] <= MAX_COLLECTED_ROWS;
  const { finding, reads } = await findingFor(read, sql, plan);
  if (!isRare) return late(await lookupFor(read, sql, plan, finding));
  // The ids of a whole index are kept: PostgreSQL might read it again for each row of another filter.
  return reads ? late(`lookup ${finding}`) : page(sql.page(plan, projection, finding));
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

/**
 * How to look up many rows in the order of the list: their ids are found first, or those of the other rows where most
 * rows match. Where their ids do not fit into memory, each row is compared.
 */
async function lookupFor(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  finding: Finding,
): Promise<Lookup | Exception | 'none'> {
  const isSingle = plan.filters.length === 1;
  if (!isSingle && hasOtherIds(plan)) return `except ${finding}`;
  const lookup: Lookup = `lookup ${finding}`;
  const { page } = estimateIn(await read(sql.estimate(plan, lookup)));
  const steps = stepsIn(page);
  // PostgreSQL expects half of the rows to have one of the ids.
  const half = steps.find(isLookedUp)?.['Plan Rows'] ?? Infinity;
  const found = steps.find((step) => step['Subplan Name'] === 'CTE found')?.['Plan Rows'] ?? 0;
  if (!isSingle && plan.filterMode === 'and' && found > MAX_LOOKED_UP_ROWS) return 'none';
  if (isSingle && found > half)
    return comparesTexts(plan.filters[0]!) ? `except ${finding}` : 'none';
  return steps.some(isRepeated) ? 'none' : lookup;
}

const isLookedUp = ({ Filter = '' }: PlanStep): boolean => /ANY \([^()]* = \(hashed/.test(Filter);

/** Whether PostgreSQL runs a subquery for each row: it keeps no hash table that needs too much memory. */
const isRepeated = ({ Filter = '' }: PlanStep): boolean => /ANY \([^()]* = \(SubPlan/.test(Filter);

/** How to find the rows that match. */
interface Found {
  finding: Finding;
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
  const candidates = variableFilters(filtered);
  const asked =
    isAll && candidates.length > 1
      ? candidates
      : candidates.filter((index) => hasPrefilter(plan.filters[index]!));
  const found = asked.length === 0 ? [] : await estimatesOf(read, sql, plan, asked);
  const ngrams = found.filter(({ ngramRows }) => ngramRows <= MAX_NGRAM_ROWS);
  const [first] = [...found].sort((one, other) => one.rows - other.rows);
  const firstIndex = first?.index ?? candidates[0];
  const finding = findingBy(
    ngrams.map(({ index }) => index),
    isAll ? firstIndex : undefined,
  );
  const reads =
    !isAll || (firstIndex !== undefined && isFoundByOwnIndex(filtered, finding, firstIndex));
  const hasNgrams = found.filter(({ index }) => hasPrefilter(plan.filters[index]!));
  return { finding, reads, rows: Math.max(0, ...hasNgrams.map(({ ngramRows }) => ngramRows)) };
}

/** How many rows each of these filters finds, and how many rows the n-gram index finds for it. */
async function estimatesOf(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  indexes: number[],
): Promise<{ index: number; rows: number; ngramRows: number }[]> {
  const { page } = estimateIn(await read(sql.estimateOfEach(plan, indexes)));
  const each = page['Node Type'] === 'Append' ? page.Plans! : [page];
  return indexes.map((index) => {
    const reading = (step: PlanStep): boolean => step.Alias === matchingAlias(index);
    const found = each.find((step) => stepsIn(step).some(reading));
    // PostgreSQL leaves out what no row can match.
    if (!found) return { index, rows: 0, ngramRows: 0 };
    const ngrams = stepsIn(found).find((step) => step['Index Name']?.endsWith(NGRAM_INDEX));
    return { index, rows: found['Plan Rows'], ngramRows: ngrams?.['Plan Rows'] ?? Infinity };
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
  page['Total Cost'] <= NGRAM_STARTUP_COST + NGRAM_ROW_COST * list['Plan Rows'];

const stepsIn = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];

/** Whether a plan finds the rows by another filter instead of scanning in the order of the list. */
const usesSelectiveIndex = (list: PlanStep): boolean =>
  stepsIn(list).some(
    (step) =>
      step['Node Type'] === 'Sort' || (step.Alias === LISTED && step['Index Cond'] !== undefined),
  );

const scannedEntries = (list: PlanStep): number =>
  list['Node Type'] === 'Index Only Scan' ? MAX_SCANNED_ENTRIES : MAX_SCANNED_ROWS;

/** Splits the rows of a list with its exact count: [count, present, …columns, place]. */
function countedRows(rows: Row[]): ListedRows {
  return {
    shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
    total: Number(rows[0]?.[0] ?? 0),
  };
}
