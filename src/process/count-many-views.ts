import type { Database } from '../database/database.js';
import { Bindings } from '../database/bindings.js';
import { searchesTexts } from '../resources/list/filters.js';
import { LISTED } from '../resources/resource.js';
import type { Viewer } from '../security/caller.js';
import { tasks } from './task.resource.js';
import { type ParsedView, parseView, type StoredView, UnreadableView } from './parse-view.js';
import { boundValues, rowsOf } from './view-rows.js';

/** Time for the counters of all tiles, then for each half of them, in milliseconds. */
const FIRST_LIMIT = 1_000;
const LEAST_LIMIT = 100;

/** After this time what is not counted stays uncounted: a portal's page is not held up longer. */
const TOTAL_LIMIT = 3_000;

/** SQLSTATEs (or their class) that blame the statement: too long, locked, values, too complex. */
const STATEMENT_FAULT = /^(57014|55P03|22|54)/;

/** A view that can be executed, and its place among the views that were asked for. */
interface Counter {
  at: number;
  view: StoredView;
  parsed: ParsedView;
  /** Equal where two views differ by their application alone. */
  shape: string;
}

/**
 * The rows of many views for a person, in the order of the views: one statement, in which views
 * that read alike share a branch. A view that cannot be read, or that takes too long to count, is
 * null and costs no other its count: a statement that fails is halved, each half with half the
 * time, until the fault is alone. The time limits bound the number of statements.
 */
export async function countViews(
  database: Database,
  views: StoredView[],
  viewer: Viewer,
): Promise<(number | null)[]> {
  const counts = views.map((): number | null => null);
  const readable = views.flatMap((view, at) => readCounter(view, at, viewer));
  const deadline = Date.now() + TOTAL_LIMIT;
  const count = async (counters: Counter[], limit: number): Promise<void> => {
    if (counters.length === 0 || Date.now() + limit > deadline) return;
    try {
      await countTogether(database, counters, viewer, limit, counts);
    } catch (error) {
      if (!blamesStatement(error)) throw error;
      if (counters.length === 1) return;
      const middle = Math.ceil(counters.length / 2);
      const half = Math.max(LEAST_LIMIT, limit / 2);
      await count(counters.slice(0, middle), half);
      await count(counters.slice(middle), half);
    }
  };
  await count(readable.sort(byShape), FIRST_LIMIT);
  return counts;
}

function readCounter(view: StoredView, at: number, viewer: Viewer): Counter[] {
  try {
    const parsed = parseView(view, viewer);
    return [{ at, view, parsed, shape: JSON.stringify([view.filterMode, view.filters]) }];
  } catch (error) {
    if (error instanceof UnreadableView) return [];
    throw error;
  }
}

/** The same views make the same text, whatever the order in which they were asked for. */
const byShape = (a: Counter, b: Counter): number =>
  a.shape < b.shape ? -1 : a.shape > b.shape ? 1 : a.at - b.at;

/** Counts within a time limit, and writes the counts to their places. */
async function countTogether(
  database: Database,
  counters: Counter[],
  viewer: Viewer,
  limit: number,
  counts: (number | null)[],
): Promise<void> {
  const branches = groupByShape(counters);
  const { bind, values } = new Bindings();
  const text = branches
    .map((alike, branch) => {
      const applicationIds = alike.map(({ view }) => view.applicationId);
      const rows = rowsOf(alike[0]!.parsed, boundValues(applicationIds, viewer, bind));
      return `SELECT ${branch}, ${LISTED}.application_id, count(*) FROM ${tasks.ref.table} ${LISTED} WHERE ${rows} GROUP BY ${LISTED}.application_id`;
    })
    .join(' UNION ALL ');
  // Planning takes ten times as long as counting; a search inside texts depends on its value.
  const prepared = !counters.some(({ parsed }) => searchesTexts(parsed.filters));
  const found = await database.rowsWithin(limit, { text, values, prepared });
  const countOf = new Map(
    found.map(([branch, id, count]) => [`${String(branch)} ${String(id)}`, Number(count)]),
  );
  branches.forEach((alike, branch) => {
    for (const { at, view } of alike)
      counts[at] = countOf.get(`${branch} ${view.applicationId}`) ?? 0;
  });
}

function groupByShape(counters: Counter[]): Counter[][] {
  const groups = new Map<string, Counter[]>();
  for (const counter of counters) {
    const group = groups.get(counter.shape);
    if (group) group.push(counter);
    else groups.set(counter.shape, [counter]);
  }
  return [...groups.values()];
}

/** Whether an error is the fault of the statement, so that another one can succeed. */
export function blamesStatement(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && STATEMENT_FAULT.test(code);
}
