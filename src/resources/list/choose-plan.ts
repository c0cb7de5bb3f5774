import type { Bind } from '../../database/bindings.js';
import {
  LISTED,
  type ListSource,
  listStatement,
  indexPrefiltersOf,
  type Statement,
  planStatement,
  orderedScanStatement,
} from './list-query.js';
import type { ListRequest } from './list-request.js';

/** The rows of a page and the one behind it, and how many there are in all, if that was asked for. */
export interface ListedRows {
  shown: unknown[][];
  total?: number;
}

/**
 * What the index of pieces costs, at least and for each row that it finds, in the units in which
 * PostgreSQL tells what a walk would cost (docs/decisions/0017).
 */
const NGRAM_STARTUP_COST = 50;
const NGRAM_ROW_COST = 0.2;

/** How far a walk goes where what fits comes later than expected: some 50 ms, or 10 by an index alone. */
const MAX_SCANNED_ROWS = 10_000;
const MAX_SCANNED_ENTRIES = 100_000;

/**
 * Reads one page of a list.
 *
 * Filters may look inside texts, for which there is an index of pieces. It finds rare texts at once, but
 * of common ones all rows, to be sorted, while a walk in the order of the list meets a page of them soon.
 * PostgreSQL cannot weigh one against the other, since it takes pieces of the same word for independent;
 * so it is asked what it would do without that index. And a walk is long where common ones come late in
 * the order, which it does not know either; so a walk ends early.
 * @param read runs a statement and answers its rows
 */
export async function readList(
  read: (statement: Statement) => Promise<unknown[][]>,
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
): Promise<ListedRows> {
  const page = async (statement: Statement): Promise<ListedRows> => {
    const rows = await read(statement);
    return request.exactCount ? countedRows(rows) : { shown: rows };
  };
  const plan = canPrefilter(request)
    ? planIn(await read(planStatement(sourceFor, request)))
    : undefined;
  if (plan && isCheap(plan)) {
    if (usesSelectiveIndex(plan.list)) return page(listStatement(sourceFor, request, false));
    const found = await page(orderedScanStatement(sourceFor, request, scannedEntries(plan.list)));
    if (found.shown.length > request.range.count) return found;
  }
  return page(listStatement(sourceFor, request));
}

/** Whether the index of pieces may find the rows, and what else could be compared with that. */
function canPrefilter(request: ListRequest): boolean {
  const narrowings = indexPrefiltersOf(request);
  return narrowings.length > 0 && narrowings.every(({ hasStatistics }) => hasStatistics);
}

/** A step of a plan as EXPLAIN tells it. */
interface PlanStep {
  'Node Type': string;
  'Total Cost': number;
  'Plan Rows': number;
  Alias?: string;
  'Index Cond'?: string;
  Plans?: PlanStep[];
}

/** What EXPLAIN tells of a page, and of the list that it is cut out of. */
interface Plan {
  page: PlanStep;
  list: PlanStep;
}

function planIn([row]: unknown[][]): Plan {
  const [[{ Plan: page }]] = row as [[{ Plan: PlanStep }]];
  return { page, list: page.Plans?.[0] ?? page };
}

/** Whether it is cheaper than the index of pieces, by which all rows of the list would be read. */
const isCheap = ({ page, list }: Plan): boolean =>
  page['Total Cost'] <= NGRAM_STARTUP_COST + NGRAM_ROW_COST * list['Plan Rows'];

const stepsIn = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];

/** Whether a plan finds the rows by another filter instead of walking in the order of the list. */
const usesSelectiveIndex = (list: PlanStep): boolean =>
  stepsIn(list).some(
    (step) =>
      step['Node Type'] === 'Sort' || (step.Alias === LISTED && step['Index Cond'] !== undefined),
  );

const scannedEntries = (list: PlanStep): number =>
  list['Node Type'] === 'Index Only Scan' ? MAX_SCANNED_ENTRIES : MAX_SCANNED_ROWS;

/** Takes apart what a list with its exact count reads: [count, present, …columns, place]. */
function countedRows(rows: unknown[][]): ListedRows {
  return {
    shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
    total: Number(rows[0]?.[0] ?? 0),
  };
}
