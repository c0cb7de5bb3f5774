import type { SqlViewer } from '../visibility.js';
import type { Operator } from './operators.js';

/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {}

/** What a filter compares an attribute with. SQL never holds the value itself. */
export interface Comparison {
  operator: Operator;
  /** SQL of the bound value, e.g. `:filter0`. */
  value: string;
  /** What about the value decides the SQL, as `variantOf` says. */
  variant?: string | undefined;
}

/** A condition that holds wherever another one does, and that an index answers. */
export interface IndexPrefilter {
  /** The SQL condition on the table known as `alias`. */
  condition(alias: string): string;
  /** Whether PostgreSQL has statistics of what the other one looks at: it has an index of its own. */
  hasStatistics: boolean;
}

/**
 * What a filter can name: an attribute, one of a linked object, the caller's groups. Its SQL names
 * columns from code; it depends on the comparison and on the viewer's role, never on a value.
 */
export interface Filterable {
  readonly name: string;
  readonly operators: readonly Operator[];

  /**
   * Reads the value of a filter.
   * @throws InvalidValue
   */
  parseFilter(text: string, operator: Operator): unknown;

  /** What about the text of a filter's value decides the SQL, beside the operator. */
  variantOf(text: string): string | undefined;

  /** The SQL condition on the table known as `alias`. */
  condition(alias: string, comparison: Comparison, viewer: SqlViewer): string;

  /**
   * The indexed condition that narrows this one down, if there is one.
   * @param counting rows are counted and none is read, so that another index may be faster alone
   */
  indexPrefilter(comparison: Comparison, counting: boolean): IndexPrefilter | undefined;
}

/** The condition of an attribute together with the indexed one that narrows it down. */
export function prefilteredCondition(
  attribute: Filterable,
  [alias, comparison, viewer]: Parameters<Filterable['condition']>,
  counting = false,
): string {
  const prefilter = attribute.indexPrefilter(comparison, counting);
  const condition = attribute.condition(alias, comparison, viewer);
  return prefilter ? `${prefilter.condition(alias)} AND ${condition}` : condition;
}
