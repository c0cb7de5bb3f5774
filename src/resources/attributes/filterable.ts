import type { SqlViewer } from '../visibility.js';
import type { Operator } from './operators.js';
import type { Reason } from '../../base/errors/reason.js';

/** A value that an attribute cannot have; `message` says what it must be. */
export class InvalidValue extends Error {
  constructor(readonly reason: Reason) {
    super(reason.message);
  }
}

/** The comparison of a filter. SQL never contains the value itself. */
export interface Comparison {
  operator: Operator;
  /** The SQL of the bound value, e.g. `:filter0`; of an array for `in`. */
  value: string;
  /** The property of the value on which the SQL depends, from `variantOf`. */
  variant?: string | undefined;
  /** Whether only a few rows are checked, each by itself. */
  each?: boolean;
}

/**
 * Anything that a filter can name: an attribute, an attribute of a linked object, the caller's groups. Its
 * column names come from code. The SQL depends on the comparison and on the viewer's role, never on a value.
 */
export interface Filterable {
  readonly name: string;
  readonly operators: readonly Operator[];

  /** Whether hardly any two rows have the same value. */
  readonly isIdentifying?: boolean;

  /** Whether linked objects have the value: PostgreSQL has no statistics of how many rows link one. */
  readonly isOfLinked?: boolean;

  /**
   * Parses the value of a filter, or one of `in`.
   * @throws InvalidValue
   */
  parseFilter(text: string, operator: Operator): unknown;

  /** The property of a filter's values on which the SQL depends, beside the operator; only `in` has several. */
  variantOf?(texts: string[]): string | undefined;

  /** The SQL condition on the table with this alias. */
  condition(alias: string, comparison: Comparison, viewer: SqlViewer): string;

  /** The SQL of a condition that an n-gram index answers and every row fulfils that fulfils this one; undefined without one. */
  ngramCondition?(alias: string, comparison: Comparison): string | undefined;

  /**
   * The same condition on the table with this alias, where the index of the value alone tells which rows match, although
   * all of its entries may have to be read; undefined where it does not.
   */
  ownIndexCondition?(alias: string, comparison: Comparison, viewer: SqlViewer): string | undefined;
}

/** The condition of a filter, with that of its n-grams if any. */
export function withNgrams(
  attribute: Filterable,
  [alias, comparison, viewer]: Parameters<Filterable['condition']>,
): string {
  const ngrams = attribute.ngramCondition?.(alias, comparison);
  const condition = attribute.condition(alias, comparison, viewer);
  return ngrams === undefined ? condition : `${ngrams} AND ${condition}`;
}
