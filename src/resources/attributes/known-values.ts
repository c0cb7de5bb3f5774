import type { Comparison, Filterable, ValueSource } from './filterable.js';
import { likePattern } from './folded-text.js';
import type { Operator } from './operators.js';

/** More texts than this are not looked through: finding them takes up to 10 ms. */
export const MAX_TEXTS = 1_000;

/** More values than this are not looked through: comparing them takes up to 10 ms. */
export const MAX_VALUES = 5_000;

/** About how many rows a table has, as PostgreSQL knows. */
const sizeOf = (table: string): string =>
  `(SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)`;

/** Comparing all rows of a smaller table takes no longer than looking for their distinct values, which may have no index. */
const LARGE_TABLE = 50_000;

/** The condition that a column of a large table has few distinct texts, as PostgreSQL's statistics know, and this index. */
export const hasFewTexts = (table: string, column: string, index: string): string =>
  `${sizeOf(table)} >= ${LARGE_TABLE} AND to_regclass('${index}') IS NOT NULL AND (SELECT n_distinct FROM pg_stats
    WHERE schemaname = current_schema() AND tablename = '${table}' AND attname = '${column}') BETWEEN 1 AND ${MAX_TEXTS}`;

/** The query of the objects of a table, unless there are too many: PostgreSQL knows about how many there are. */
export const valuesIn = (table: string, condition: string): string =>
  `SELECT l.id AS value, (${condition}) IS TRUE AS fits FROM ${table} l
    WHERE ${sizeOf(table)} <= ${MAX_VALUES}`;

/**
 * The query of the distinct texts of a table, of which the index finds one after the other, 5 to 10 µs each.
 * @param text the SQL that the index begins with, for the table with this alias
 * @param columns what is selected of each text, `v.value`
 * @param isWanted the condition without which there are none
 */
export function distinctTexts(
  table: string,
  text: (alias: string) => string,
  columns: string,
  isWanted = 'true',
): string {
  const first = (condition: string): string =>
    `(SELECT ${text('f')} FROM ${table} f WHERE ${text('f')} ${condition} ORDER BY 1 LIMIT 1)`;
  return `WITH RECURSIVE v (value) AS (${first(`IS NOT NULL AND ${isWanted}`)} UNION ALL SELECT ${first('> v.value')} FROM v WHERE v.value IS NOT NULL)
    SELECT ${columns} FROM v WHERE v.value IS NOT NULL`;
}

/** The columns of such a text, and whether it fits a filter that looks inside it, or the opposite of a negated one. */
export const textThatFits = (operator: Operator, value: string): string =>
  `v.value, v.value LIKE ${likePattern(operator, value)} AS fits`;

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
