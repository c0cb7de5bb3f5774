import type { Comparison, Filterable, ValueSource } from './filterable.js';
import type { Operator } from './operators.js';

/** More values than this are not looked through: that would take longer than a millisecond. */
export const MAX_VALUES = 1_000;

/** The query of the objects of a table, unless there are too many: PostgreSQL knows about how many there are. */
export const valuesIn = (table: string, condition: string): string =>
  `SELECT l.id AS value, (${condition}) IS TRUE AS fits FROM ${table} l
    WHERE (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass) <= ${MAX_VALUES}`;

/** The variant of a filter that some values fit, or none. */
const SOME = 'some';
const NONE = 'none';

/**
 * Compares rows with the values that fit a filter, all of which were found before: PostgreSQL knows how many rows have
 * them, and their index finds the others too (docs/decisions/0036).
 */
export class KnownValues implements Filterable {
  readonly operators: readonly Operator[] = ['eq', 'neq'];

  constructor(
    readonly name: string,
    private readonly source: ValueSource,
  ) {}

  parseFilter(text: string): unknown {
    return text;
  }

  variantOf(): undefined {
    return undefined;
  }

  indexPrefilter(): undefined {
    return undefined;
  }

  /** The variant of the filter by these values. */
  static variantFor(values: string[]): string {
    return values.length > 0 ? SOME : NONE;
  }

  /** A negated condition also matches rows without a value. */
  condition(alias: string, { operator, value, variant }: Comparison): string {
    if (variant === NONE) return operator === 'neq' ? 'true' : 'false';
    const among = this.isAmong(alias, value);
    return operator === 'neq' ? `(${among}) IS NOT TRUE` : among;
  }

  ownIndexCondition(alias: string, comparison: Comparison): string[] | undefined {
    return comparison.operator === 'neq' ? this.others(alias, comparison) : undefined;
  }

  outsideOfRange(alias: string, comparison: Comparison): string[] | undefined {
    return comparison.operator === 'eq' ? this.others(alias, comparison) : undefined;
  }

  /** The conditions of the rows that have another value, and of those without one. */
  private others(alias: string, { others }: Comparison): string[] {
    return [this.isAmong(alias, others!), `${this.source.expression(alias)} IS NULL`];
  }

  private isAmong(alias: string, values: string): string {
    const { expression, type } = this.source;
    return `${expression(alias)} = ANY (${values}::${type}[])`;
  }
}
