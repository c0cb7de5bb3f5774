import type { Row } from '../../database/database.js';
import type { SqlViewer } from '../visibility.js';
import type { PresentContext } from './attribute.js';
import type { Comparison } from './filterable.js';
import { TextAttribute } from './text-attribute.js';
import { translated, translatedText } from './translations-attribute.js';

/** The text of a linked object: of which table, by which column of the row, from which column. */
interface LinkedText {
  /** Has translations. */
  table: string;
  linkColumn: string;
  textColumn: string;
  max?: number;
}

/**
 * A text of the object that a required link names, in the caller's language. Every viewer of the row may read it and
 * filter by it, even if the linked object is hidden (docs/decisions/0028). No index has the order of another table's
 * texts, so lists cannot be sorted by it.
 */
export class LinkedTextAttribute extends TextAttribute {
  readonly isOfLinked = true;

  constructor(private readonly linked: LinkedText) {
    super({ readOnly: true, neverEmpty: true, max: linked.max });
  }

  override get sortable(): boolean {
    return false;
  }

  /** The text and its translations, so that people of all languages share the statement of a list. */
  override columns(alias: string): string[] {
    const { table, linkColumn, textColumn } = this.linked;
    return [textColumn, 'translations'].map(
      (column) => `(SELECT l.${column} FROM ${table} l WHERE l.id = ${alias}.${linkColumn})`,
    );
  }

  override present(row: Row, at: number, { locale }: PresentContext): unknown {
    return translatedText(row[at], this.linked.textColumn, row[at + 1], locale);
  }

  override display(row: Row, at: number, context: PresentContext): unknown {
    return this.present(row, at, context);
  }

  /** Finds the linked objects first, and then the rows by the index of the link. */
  override ownIndexCondition(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    return `${alias}.${this.linked.linkColumn} = ANY (ARRAY(${this.matching(comparison, viewer)}))`;
  }

  /** PostgreSQL compares each linked object once, not once for each row. */
  protected override comparison(alias: string, comparison: Comparison, viewer: SqlViewer): string {
    return `${alias}.${this.linked.linkColumn} IN (${this.matching(comparison, viewer)})`;
  }

  /** A query of the ids of the linked objects that match. */
  private matching(comparison: Comparison, viewer: SqlViewer): string {
    return `SELECT l.id FROM ${this.linked.table} l WHERE ${this.matches(comparison, viewer)}`;
  }

  /** The condition that a linked object matches. */
  private matches(comparison: Comparison, viewer: SqlViewer): string {
    const { textColumn } = this.linked;
    const locale = `(SELECT u.locale FROM users u WHERE u.id = ${viewer.idSql()}::bigint)`;
    const text = new TextAttribute({ sql: () => translated('l', textColumn, locale) });
    return text.condition('l', comparison, viewer);
  }
}
