import type { Comparison } from './filterable.js';
import { TextAttribute } from './text-attribute.js';

/** The text of a linked object: of which table, by which column of the row, from which column. */
interface LinkedText {
  table: string;
  linkColumn: string;
  textColumn: string;
  max?: number;
}

/**
 * A text of the object that a required link names. Everybody who sees the row reads it and filters by it, also where
 * the linked object is hidden (docs/decisions/0028). No index has the order of another table's texts, so
 * lists cannot be sorted by it.
 */
export class LinkedTextAttribute extends TextAttribute {
  constructor(private readonly linked: LinkedText) {
    const { table, linkColumn, textColumn, max } = linked;
    const sql = (alias: string) =>
      `(SELECT l.${textColumn} FROM ${table} l WHERE l.id = ${alias}.${linkColumn})`;
    super({ readOnly: true, max, sql });
  }

  override get sortable(): boolean {
    return false;
  }

  /** PostgreSQL compares each linked object once, not once for each row. */
  override condition(alias: string, comparison: Comparison): string {
    const { table, linkColumn, textColumn } = this.linked;
    const matches = new TextAttribute({ sql: () => `l.${textColumn}` }).condition('l', comparison);
    return `${alias}.${linkColumn} IN (SELECT l.id FROM ${table} l WHERE ${matches})`;
  }
}
