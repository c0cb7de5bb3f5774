import {
  finderAlias,
  type Finder,
  findersOf,
  EVERY_ROW,
  hasOwnIndex,
  isEstimated,
  isNegated,
  NARROWING,
  ngramAlias,
} from './conditions.js';
import { filteredTableOf } from './list-builder.js';
import type { ListSql, Read } from './list-sql.js';
import type { ListPlan } from './plan-list.js';
import { LISTED } from '../resource.js';

/**
 * Above this number of n-gram matches, scanning the text's own index (about 120 ms per million rows) is cheaper than
 * fetching each match (6 µs).
 */
const MAX_NGRAM_ROWS = 20_000;

/** The same for a text without an index, where a scan reads every row and folds its text (0.4 to 3 µs). */
const MAX_UNINDEXED_NGRAM_ROWS = 100_000;

/**
 * Above this number of rows, checking the linked objects of each (5 µs) takes longer than finding the rows by the
 * linked objects: 50 ms and more, or over a second where nearly all rows match.
 */
const UNKNOWN_ROWS = 10_000;
const UNKNOWN_NEGATED_ROWS = 300_000;

/** The finders of a list, by PostgreSQL's estimates. */
export interface Estimate {
  /** The finder with the fewest rows. */
  finder: Finder;
  rows: number;
  /** The fraction of all rows that the list contains. */
  share: number;
  /** How many rows there are. */
  all: number;
  /** Whether PostgreSQL has statistics for the finder. */
  isKnown: boolean;
}

/** A finder, and PostgreSQL's estimate of its rows. */
interface Estimated extends Finder {
  rows: number;
  /** Whether PostgreSQL has statistics of the values. */
  isKnown: boolean;
}

/** Asks PostgreSQL for its estimates of all finders of a list in one statement. */
export async function estimateOf(read: Read, sql: ListSql, plan: ListPlan): Promise<Estimate> {
  const finders = findersOf(plan);
  const [row] = await read(sql.estimate(plan, finders));
  const [[{ Plan: union }]] = row as [[{ Plan: PlanStep }]];
  const all = rowsOf(union, EVERY_ROW);
  const estimated = finders.map((finder) => estimatedIn(union, plan, finder));
  const isAny = plan.filterMode === 'or';
  const ways = isAny ? [unionOf(estimated)] : estimated;
  if (plan.within) ways.push({ ...NARROWING, isKnown: true, rows: rowsOf(union, LISTED) });
  const { rows, isKnown, ...finder } = ways.reduce((best, one) =>
    one.rows < best.rows ? one : best,
  );
  const share = ways.reduce(
    (part, one) => part * (one.isKnown ? Math.min(1, one.rows / all) : 1),
    1,
  );
  return { finder, rows, isKnown, share, all };
}

const unionOf = (finders: Estimated[]): Estimated => ({
  places: finders.flatMap(({ places }) => places),
  ngrams: finders.flatMap(({ ngrams }) => ngrams),
  rows: finders.reduce((sum, { rows }) => sum + rows, 0),
  isKnown: finders.every(({ isKnown }) => isKnown),
});

/** A node of a plan, with the property names of EXPLAIN. */
interface PlanStep {
  'Plan Rows': number;
  Alias?: string;
  'Node Type': string;
  Plans?: PlanStep[];
}

/** PostgreSQL's estimate of the rows of a finder: by n-grams, unless too many other rows share these. */
function estimatedIn(union: PlanStep, plan: ListPlan, { places, ngrams }: Finder): Estimated {
  const unknown = places.map((place) => plan.filters[place]!).filter((one) => !isEstimated(one));
  const isKnown = unknown.length === 0;
  const unknownRows = unknown.every(isNegated) ? UNKNOWN_NEGATED_ROWS : UNKNOWN_ROWS;
  const rows = isKnown ? rowsOf(union, finderAlias(places[0]!)) : unknownRows;
  if (ngrams.length === 0) return { places, ngrams, rows, isKnown };
  const filtered = filteredTableOf(plan);
  const isIndexed = ngrams.every((place) => hasOwnIndex(filtered, place));
  const withNgrams = rowsOf(union, ngramAlias(ngrams[0]!));
  // PostgreSQL assumes that the n-grams of a word are independent, and so underestimates the rows that have all.
  const read = isIndexed ? Math.max(rows, withNgrams) : withNgrams;
  const isSelective = read <= (isIndexed ? MAX_NGRAM_ROWS : MAX_UNINDEXED_NGRAM_ROWS);
  return {
    places,
    ngrams: isSelective ? ngrams : [],
    rows: Math.min(rows, read),
    // PostgreSQL has statistics for the expressions of an index.
    isKnown: isKnown && isIndexed,
  };
}

/**
 * PostgreSQL's estimate for the parts of a union that read a table by an alias. Plans omit parts that no row can match.
 */
const rowsOf = (union: PlanStep, alias: string): number =>
  (union['Node Type'] === 'Append' ? union.Plans! : [union])
    .filter((part) => stepsIn(part).some((step) => isNamed(step, alias)))
    .reduce((sum, part) => sum + part['Plan Rows'], 0);

/** Whether a step reads a table by an alias: where several do, PostgreSQL numbers them (`i0_1`). */
const isNamed = ({ Alias: name = '' }: PlanStep, alias: string): boolean =>
  name === alias || name.startsWith(`${alias}_`);

const stepsIn = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];
