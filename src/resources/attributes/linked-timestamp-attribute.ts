import { type AttributeOptions } from './attribute.js';
import { compare, typed } from './comparisons.js';
import type { Comparison } from './filterable.js';
import { OPPOSITE_OF } from './operators.js';
import { TimestampAttribute } from './timestamp-attribute.js';

/** Where the timestamp is kept: at most one row of a table for each row of the resource. */
interface LinkedTimestamp extends AttributeOptions {
  table: string;
  /** The column of the id of the resource's row. */
  ownerColumn: string;
  column: string;
}

/**
 * A timestamp in another table, which changes without a write of the object itself. No index has the order of another
 * table's values, so lists cannot be sorted by it; filters read that table by its index (docs/decisions/0036).
 */
export class LinkedTimestampAttribute extends TimestampAttribute {
  constructor(private readonly linked: LinkedTimestamp) {
    const { table, ownerColumn, column, ...options } = linked;
    super({
      ...options,
      readOnly: true,
      unsorted: true,
      sql: (alias) => `(SELECT s.${column} FROM ${table} s WHERE s.${ownerColumn} = ${alias}.id)`,
    });
  }

  /** A negated condition also matches rows without a timestamp. */
  protected override comparison(alias: string, { operator, value }: Comparison): string {
    const { table, ownerColumn, column } = this.linked;
    const positive = OPPOSITE_OF[operator];
    const condition = compare(
      `s.${column}`,
      positive ?? operator,
      typed(value, 'timestamptz', operator),
    );
    const exists = `EXISTS (SELECT 1 FROM ${table} s WHERE s.${ownerColumn} = ${alias}.id AND ${condition})`;
    return positive ? `NOT ${exists}` : exists;
  }
}
