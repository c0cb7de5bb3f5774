import type { Row } from '../database/database.js';
import { displayTimestamp } from '../resources/timestamps.js';
import type { Visibility } from '../resources/resource.js';
import type { Locale } from '../security/caller.js';

/** What presenting a record depends on. */
export interface RecordContext {
  locale: Locale;
  timeZone: string;
  basePath: string;
}

/** One field of a record. */
export interface RecordField {
  /** SQL of its value; the table is `t`. Without it the field is made from the id. */
  sql?: string;
  present(value: unknown, context: RecordContext, id: string): unknown;
  /** Stored text that may be named as searchField. */
  searchable?: boolean;
  /** It is part of quick_search, whose index narrows the search down. */
  indexed?: boolean;
}

/** A named search (interface: Search API), described once; the engine does the rest. */
export interface SearchDescription {
  searchName: string;
  /** The name in its paging markers. */
  index: string;
  table: string;
  /** Column of the title, by which results are ordered. */
  titleColumn: string;
  visible: Visibility;
  /** The record, in the order of its fields; the first is the id. */
  record: Record<string, RecordField>;
}

const blank = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A stored text; blank is an empty string. */
export const text = (sql: string, options: { indexed?: boolean } = {}): RecordField => ({
  sql,
  present: blank,
  searchable: true,
  ...options,
});

/** A stored text that is part of quick_search. */
export const indexed = (sql: string): RecordField => text(sql, { indexed: true });

/** A value that is shown as text but not searched. */
export const shown = (sql: string): RecordField => ({ sql, present: blank });

/** A whole number. */
export const integer = (sql: string): RecordField => ({
  sql,
  present: (value) => (value === null ? null : Number(value)),
});

/** A timestamp as text for people, in the caller's language. */
export const displayDate = (sql: string): RecordField => ({
  sql,
  present: (value, { locale, timeZone }) => displayTimestamp(value, locale, timeZone) ?? '',
});

/** A value made from the id. */
export const made = (make: (id: string, context: RecordContext) => unknown): RecordField => ({
  present: (_, context, id) => make(id, context),
});

/** Presents a row: one column for each field that has SQL, in their order. */
export function presentRecord(
  { record }: SearchDescription,
  row: Row,
  context: RecordContext,
): Record<string, unknown> {
  const id = String(row[0]);
  let at = 0;
  return Object.fromEntries(
    Object.entries(record).map(([name, field]) => [
      name,
      field.present(field.sql === undefined ? undefined : row[at++], context, id),
    ]),
  );
}
