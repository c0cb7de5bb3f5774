import { AS_IS } from '../name-rule.js';
import type { SqlViewer } from '../visibility.js';
import type { AttributeOptions } from './attribute.js';
import { BooleanAttribute } from './boolean-attribute.js';
import { ComputedAttribute } from './computed-attributes.js';
import { ComputedLinkAttribute } from './computed-link-attribute.js';
import { type CodeLabels, EnumAttribute } from './enum-attribute.js';
import { LinkAttribute, type LinkOptions } from './link-attribute.js';
import { LinkedTimestampAttribute } from './linked-timestamp-attribute.js';
import { LinkedTextAttribute } from './linked-text-attribute.js';
import { LinksAttribute, type LinksOptions } from './links-attribute.js';
import { NameAttribute, type NameOptions } from './name-attribute.js';
import { NumberAttribute } from './number-attribute.js';
import { BEGINNING, CONTENT } from './operators.js';
import { RecordedLinkAttribute } from './recorded-link-attribute.js';
import { TimestampAttribute } from './timestamp-attribute.js';
import { TextAttribute, type TextOptions } from './text-attribute.js';

/** Shorthand for the attributes of a resource's definition. */
export const text = (options?: TextOptions) => new TextAttribute(options);
export const number = (options?: ConstructorParameters<typeof NumberAttribute>[0]) =>
  new NumberAttribute(options);
export const timestamp = (options?: AttributeOptions) => new TimestampAttribute(options);
export const boolean = (options?: AttributeOptions) => new BooleanAttribute(options);
export const enumeration = (
  labels: Record<string, CodeLabels>,
  options?: ConstructorParameters<typeof EnumAttribute>[1],
) => new EnumAttribute(labels, options);
export const link = (target: string, options?: LinkOptions) => new LinkAttribute(target, options);
export const linkedText = (linked: ConstructorParameters<typeof LinkedTextAttribute>[0]) =>
  new LinkedTextAttribute(linked);
export const linkedTimestamp = (
  linked: ConstructorParameters<typeof LinkedTimestampAttribute>[0],
) => new LinkedTimestampAttribute(linked);
export const links = (options: LinksOptions) => new LinksAttribute(options);
export const recordedLink = (recorded: ConstructorParameters<typeof RecordedLinkAttribute>[0]) =>
  new RecordedLinkAttribute(recorded);
export const computed = (parts: ConstructorParameters<typeof ComputedAttribute>[0]) =>
  new ComputedAttribute(parts);

export const computedLink = (parts: ConstructorParameters<typeof ComputedLinkAttribute>[0]) =>
  new ComputedLinkAttribute(parts);

/** A text that names its object in paths and links. */
export const name = (options: NameOptions) =>
  new NameAttribute({ max: 100, identifying: true, ...options });

/**
 * A reference that the caller may choose. For a blank one, the server derives a reference from the id of a new object,
 * and keeps that of an existing one.
 */
export const reference = (options: Pick<NameOptions, 'ngrams' | 'fault' | 'reserved'> = {}) =>
  name({ neverEmpty: true, keptWhenBlank: true, identity: AS_IS, ...options });

/**
 * The read-only label of an object in a Ref, copied from one of its columns, which is never empty.
 * @param options those of that column
 */
export const label = (
  column: string,
  options: Pick<TextOptions, 'max' | 'searched' | 'identifying' | 'identity'> = {},
) => text({ readOnly: true, neverEmpty: true, ...options, sql: (alias) => `${alias}.${column}` });

/**
 * The number of rows that belong to an object, in detailed representations only. It counts only the rows
 * that the caller may see.
 */
export const count = (sql: (alias: string, viewer: SqlViewer) => string) =>
  number({
    readOnly: true,
    neverEmpty: true,
    detailedOnly: true,
    sql: (alias, viewer) => sql(alias, viewer!),
  });

/** Long text: a description, an answer. */
export const longText = (options: TextOptions = {}) => text({ max: 10_000, ...options });

/** Long text of content that searches cover: filters also look inside it (docs/decisions/0036). */
export const contentText = (options: TextOptions = {}) =>
  longText({ operators: CONTENT, searched: true, ...options });

/**
 * A text that filters find by its beginning, such as an identifier of another system or an address
 * (docs/decisions/0036).
 */
export const byBeginning = (options: TextOptions = {}) =>
  text({ operators: BEGINNING, ...options });

/** The dates that the server maintains. */
export const dates = () => ({
  creationDate: timestamp({ readOnly: true, neverEmpty: true }),
  modificationDate: timestamp({ readOnly: true, neverEmpty: true }),
});
