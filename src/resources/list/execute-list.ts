import type { Row } from '../../database/database.js';
import { LISTED } from '../resource.js';
import type { Projection } from './list-builder.js';
import type { ListSql, Statement } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/** Runs a statement and answers its rows. */
export type Read = (statement: Statement) => Promise<Row[]>;

/** The rows of a page and the one behind it, and how many there are in all, if that was asked for. */
export interface ListedRows {
  shown: Row[];
  total?: number;
}

/**
 * What the n-gram index costs, at least and for each row that it finds, in the units of the planner's
 * own estimates (docs/decisions/0017).
 */
const NGRAM_STARTUP_COST = 50;
const NGRAM_ROW_COST = 0.2;

/** How far an ordered scan goes where rows that fit come late: some 50 ms, or 10 by an index alone. */
const MAX_SCANNED_ROWS = 10_000;
const MAX_SCANNED_ENTRIES = 100_000;

/**
 * Step 4 of a list: reads one page.
 *
 * Filters may look inside texts, for which there is an n-gram index. It finds rare texts at once, but for
 * common ones all rows, to be sorted, while an ordered scan meets a page of them soon. The planner cannot
 * weigh one against the other, since it takes the n-grams of a word for independent; so it is asked what
 * it would do without that index. And a scan is long where common texts come late in the order, which
 * the planner does not know either; so a scan ends early.
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
    }
  }
  return page(sql.page(plan, projection));
}

/** A step of a plan, as EXPLAIN names its parts. */
interface PlanStep {
  'Node Type': string;
  'Total Cost': number;
  'Plan Rows': number;
  Alias?: string;
  'Index Cond'?: string;
  Plans?: PlanStep[];
}

/** What EXPLAIN says of a page, and of the list that it is cut out of. */
interface Estimate {
  page: PlanStep;
  list: PlanStep;
}

function estimateIn([row]: Row[]): Estimate {
  const [[{ Plan: page }]] = row as [[{ Plan: PlanStep }]];
  return { page, list: page.Plans?.[0] ?? page };
}

/** Whether it is cheaper than the n-gram index, by which all rows of the list would be read. */
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

/** Takes apart what a list with its exact count reads: [count, present, …columns, place]. */
function countedRows(rows: Row[]): ListedRows {
  return {
    shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
    total: Number(rows[0]?.[0] ?? 0),
  };
}
