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
  /** Whether the condition checks only a few rows, one by one. */
  each?: boolean;
}

/**
 * A target of filters: an attribute, an attribute of a linked object, the caller's groups. Its column names come from
 * code. The SQL depends on the comparison and on the viewer's rights, never on a value.
 */
export interface Filterable {
  readonly name: string;
  readonly operators: readonly Operator[];

  /** Whether hardly any two rows have the same value. */
  readonly isIdentifying?: boolean;

  /** Whether the value belongs to a linked object, for which PostgreSQL cannot estimate the number of rows. */
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

  /** The SQL of a necessary condition that an n-gram index answers; undefined without one. */
  ngramCondition?(alias: string, comparison: Comparison): string | undefined;

  /**
   * The same condition as an index-only scan, which may read all entries of the index; undefined where no index decides
   * it.
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
