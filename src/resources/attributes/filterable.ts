import type { SqlViewer } from '../visibility.js';
import type { Operator } from './operators.js';
import type { Reason } from '../../errors/reason.js';

/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {
  constructor(readonly reason: Reason) {
    super(reason.message);
  }
}

/** Where the values that match a filter are looked for before the rows that have them. */
export interface ValueSource {
  /** A query of each `value`, and whether it `fits` the filter, or the opposite of a negated one. */
  query: string;
  /** The SQL of the value of a row. */
  expression: (alias: string) => string;
  type: 'bigint' | 'text';
  isNegated: boolean;
  /** The most values that are looked through, where they are fewer than usual. */
  most?: number;
  /** Values of this length are only the beginnings of others: where there are any, none is known. */
  cutAt?: number;
}

/** The comparison of a filter. SQL never contains the value itself. */
export interface Comparison {
  operator: Operator;
  /** The SQL of the bound value, e.g. `:filter0`; of an array for `in`. */
  value: string;
  /** The SQL of the other bound values, for known ones. */
  others?: string;
  /** The property of the value on which the SQL depends, from `variantOf`. */
  variant?: string | undefined;
  /** Whether only a few rows are checked, each by itself. */
  each?: boolean;
}

/** An indexed condition that every row fulfils which fulfils the filter's own condition. */
export interface IndexPrefilter {
  /** The SQL condition on the table with this alias. */
  condition(alias: string): string;
  /** Whether PostgreSQL has statistics of the filter's own expression, because that has an index too. */
  hasStatistics: boolean;
}

/**
 * Anything that a filter can name: an attribute, an attribute of a linked object, the caller's groups. Its
 * column names come from code. The SQL depends on the comparison and on the viewer's role, never on a value.
 */
export interface Filterable {
  readonly name: string;
  readonly operators: readonly Operator[];

  /** Whether it is a long text, which takes long to compare with a row: a microsecond, or more with accents. */
  readonly isLong?: boolean;

  /** Whether hardly any two rows have the same value. */
  readonly isIdentifying?: boolean;

  /**
   * Parses the value of a filter, or one of `in`.
   * @throws InvalidValue
   */
  parseFilter(text: string, operator: Operator): unknown;

  /** The property of a filter's values on which the SQL depends, beside the operator; only `in` has several. */
  variantOf(texts: string[]): string | undefined;

  /** The SQL condition on the table with this alias. */
  condition(alias: string, comparison: Comparison, viewer: SqlViewer): string;

  /**
   * The indexed condition that narrows this one down, if any.
   * @param counting rows are counted but not read; another index alone may then be faster
   */
  indexPrefilter(comparison: Comparison, counting: boolean): IndexPrefilter | undefined;

  /** Where the values that match are looked for first; undefined where there may be many. */
  valueSource?(comparison: Comparison, viewer: SqlViewer): ValueSource | undefined;

  /**
   * The distinct values of a table, looked through where the order of the list does not have matching rows soon;
   * undefined where no index begins with them.
   */
  distinctValues?(comparison: Comparison, table: string): ValueSource | undefined;

  /** Whether the condition contains a prefilter of a linked object. */
  findsByNgrams?(comparison: Comparison): boolean;

  /**
   * The same condition on the table with this alias, where the index of the value alone tells which rows match, although
   * all of its entries may have to be read; undefined where it does not. Several conditions where several indexes do: a
   * row fulfils one of them.
   */
  ownIndexCondition?(
    alias: string,
    comparison: Comparison,
    viewer: SqlViewer,
  ): string | string[] | undefined;

  /** A query of the ids of matching rows that reads only the table, with this alias, that joins them with what they link to. */
  ownersOf?(alias: string, comparison: Comparison, viewer: SqlViewer): string | undefined;

  /** The conditions of the rows outside of a range, or of those that are empty, each of which reads a range of the index; undefined without one. */
  outsideOfRange?(alias: string, comparison: Comparison, viewer: SqlViewer): string[] | undefined;
}

/** The condition of a filter, with its index prefilter if any. */
export function prefilteredCondition(
  attribute: Filterable,
  [alias, comparison, viewer]: Parameters<Filterable['condition']>,
  counting = false,
): string {
  const prefilter = attribute.indexPrefilter(comparison, counting);
  const condition = attribute.condition(alias, comparison, viewer);
  return prefilter ? `${prefilter.condition(alias)} AND ${condition}` : condition;
}
