import type { Row } from '../../database/database.js';
import { LISTED } from '../resource.js';
import { type Finding, hasPrefilter } from './conditions.js';
import type { Projection } from './list-builder.js';
import type { ListSql, Statement } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/** Runs a statement and returns its rows. */
export type Read = (statement: Statement) => Promise<Row[]>;

/** The rows of a page plus the next one, and the exact count if the request asks for it. */
export interface ListedRows {
  shown: Row[];
  total?: number;
}

/**
 * The cost of the n-gram index, per query and per row that it finds, in the planner's cost units
 * (docs/decisions/0017).
 */
const NGRAM_STARTUP_COST = 50;
const NGRAM_ROW_COST = 0.2;

/** More rows than this take longer to read than the index of a text of every row, about 100 ms. */
const MAX_NGRAM_ROWS = 40_000;

/** To collect and sort more rows than this takes longer than to scan on in the order of the list. */
const MAX_COLLECTED_ROWS = 100_000;

/** What the names of the n-gram indexes end with (migrations/schema-helpers.ts). */
const NGRAM_INDEX = '_quick_search_idx';

/** Limits of an ordered scan whose matching rows come late: about 50 ms, or 10 ms for an index-only scan. */
const MAX_SCANNED_ROWS = 10_000;
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
  if (plan.strategy === 'estimate') {
    const estimate = estimateIn(await read(sql.estimate(plan)));
    if (isCheap(estimate)) {
      if (usesSelectiveIndex(estimate.list)) return page(sql.page(plan, projection, 'none'));
      const scan = sql.orderedScan(plan, scannedEntries(estimate.list), projection);
      const found = await page(scan);
      if (found.shown.length > plan.range.count) return found;
      if (estimate.list['Plan Rows'] > MAX_COLLECTED_ROWS)
        return page(sql.page(plan, projection, 'none'));
    }
    return page(sql.page(plan, projection, await findingOf(read, sql, plan)));
  }
  if (plan.strategy === 'find') return page(sql.page(plan, projection, 'by-ngrams'));
  return page(sql.page(plan, projection));
}

/**
 * How to find the few rows that match: the n-gram index may find far more, because other texts of a row have the same
 * n-grams.
 */
async function findingOf(read: Read, sql: ListSql, plan: ListPlan): Promise<Finding> {
  if (!plan.filters.some(hasPrefilter)) return 'by-indexes';
  const { page } = estimateIn(await read(sql.estimate(plan, 'by-ngrams')));
  const isNgramScan = (step: PlanStep) => step['Index Name']?.endsWith(NGRAM_INDEX);
  const found = stepsIn(page).filter(isNgramScan);
  return found.every((step) => step['Plan Rows'] <= MAX_NGRAM_ROWS) ? 'by-ngrams' : 'by-indexes';
}

/** A node of a plan, with the property names of EXPLAIN. */
interface PlanStep {
  'Node Type': string;
  'Total Cost': number;
  'Plan Rows': number;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
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
