import type { Row } from '../database/database.js';
import { displayTimestamp } from '../resources/attributes/timestamps.js';
import type { Json } from '../resources/openapi/component.js';
import { atLeast, flag as flagSchema, text } from '../resources/openapi/schemas.js';
import type { Resource } from '../resources/resource.js';
import type { Locale } from '../security/caller.js';

/** Records of a page (docs/api-contract.md#limits). */
export const PAGE_SIZE = 20;

/** The context of presenting a record. */
export interface RecordContext {
  locale: Locale;
  timeZone: string;
  basePath: string;
}

/** SQL of the caller's language, in the texts of `visibleTexts` and in the fields of a record. */
export const READER_LOCALE = 'reader.locale';

/** One field of a record. */
export interface RecordField {
  /**
   * SQL of its value; the table is `t`. Only a field of `visibleTexts` may be searched in the caller's language.
   * Without SQL, `present` computes the field from the id.
   */
  sql?: string;
  present(value: unknown, context: RecordContext, id: string): unknown;
  /** The JSON Schema of the presented value; a text by default. */
  schema?: Json;
  /** Set for a stored text that searchField may name: the index prefilter of a search in it. */
  searched?: IndexPrefilter;
}

/** How an index prefilters a search in a field. */
export type IndexPrefilter =
  /** The field is part of quick_search. */
  | 'quickSearch'
  /** The field is one of the extra texts in the search index. */
  | 'otherTexts'
  /** A condition that few rows pass; `holds` gives the SQL for "this text contains every term". */
  | ((holds: (text: string) => string) => string);

/** A named search (docs/api-contract.md#search), described once; the engine does the rest. */
export interface SearchDescription {
  searchName: string;
  /** The name in its paging markers. */
  index: string;
  /** Its table has the columns and indexes of addSearch (migrations/schema-helpers.ts), unless `visibleTexts` is set. */
  resource: Resource;
  /**
   * The searched texts of a table without these columns; the table is `t`. Indexes answer its `visibility`, and a
   * caller sees few of its rows, so the search reads all of these (docs/decisions/0031).
   */
  visibleTexts?: { title: string; quickSearch: string[] };
  /** The searchable rows, i.e. the condition of the search order indexes; the table is `t`. */
  baseCondition: string;
  /** Which of these rows the caller may see, by columns that the search order index includes. */
  visibility?: {
    columns: string[];
    /** @param userId SQL of the caller's id */
    condition(alias: string, userId: string): string;
  };
  /** The record, in the order of its fields; the first is the id. */
  record: Record<string, RecordField>;
}

const blank = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A stored text that is part of quick_search; blank is an empty string. */
export const quickSearchText = (sql: string): RecordField => ({
  ...displayOnly(sql),
  searched: 'quickSearch',
});

/** A stored text outside quick_search. Extra texts stand in the order of the index. */
export const extraText = (sql: string): RecordField => ({
  ...displayOnly(sql),
  searched: 'otherTexts',
});

/** A value shown as text that is not searched. */
export const displayOnly = (sql: string): RecordField => ({ sql, present: blank });

/** True or false. */
export const flag = (sql: string): RecordField => ({
  sql,
  present: (value) => value === true,
  schema: flagSchema,
});

/** A whole number. */
export const integer = (sql: string): RecordField => ({
  sql,
  present: Number,
  schema: { type: 'integer' },
});

/** A whole number that may be missing. */
export const integerOrNull = (sql: string): RecordField => ({
  sql,
  present: (value) => (value === null ? null : Number(value)),
  schema: { type: ['integer', 'null'] },
});

/** The link of a record, an object around the address of its page. */
export const pageLink = (address: RecordField): RecordField => ({
  ...address,
  present: (...parts) => ({ href: address.present(...parts) }),
  schema: atLeast({ href: text }),
});

/** A timestamp as text for people, in the caller's language. */
export const displayDate = (sql: string): RecordField => ({
  sql,
  present: (value, { locale, timeZone }) => displayTimestamp(value, locale, timeZone) ?? '',
  schema: { ...text, description: 'in the language and time zone of the caller, or empty' },
});

/** A value computed from the id. */
export const computed = (make: (id: string, context: RecordContext) => unknown): RecordField => ({
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
