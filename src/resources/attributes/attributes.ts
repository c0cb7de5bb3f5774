import type { SqlViewer } from '../visibility.js';
import type { AttributeOptions } from './attribute.js';
import { BooleanAttribute } from './boolean-attribute.js';
import { ComputedAttribute } from './computed-attributes.js';
import { type CodeLabels, EnumAttribute } from './enum-attribute.js';
import { LinkAttribute, type LinkOptions } from './link-attribute.js';
import { LinksAttribute, type LinksOptions } from './links-attribute.js';
import { NumberAttribute } from './number-attribute.js';
import { TimestampAttribute } from './timestamp-attribute.js';
import { TextAttribute, type TextOptions } from './text-attribute.js';

/** The words in which a resource is described. */
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
export const links = (options: LinksOptions) => new LinksAttribute(options);
export const computed = (parts: ConstructorParameters<typeof ComputedAttribute>[0]) =>
  new ComputedAttribute(parts);

/** A reference that the caller may choose; made from the id when left null. */
export const reference = () => text({ max: 100 });

/**
 * The read-only text that stands for an object in a Ref, made from a column of its own.
 * @param max the longest text of that column
 */
export const label = (column: string, max?: number) =>
  text({ readOnly: true, max, sql: (alias) => `${alias}.${column}` });

/**
 * The number of rows that belong to an object; detailed representations only. Of rows that not
 * everybody sees, those that the caller sees are counted.
 */
export const count = (sql: (alias: string, viewer: SqlViewer) => string) =>
  number({ readOnly: true, detailedOnly: true, sql: (alias, viewer) => sql(alias, viewer!) });

/** Long text: a description, an answer. */
export const longText = (options: TextOptions = {}) => text({ max: 10_000, ...options });

/** The dates that the server keeps. */
export const dates = () => ({
  creationDate: timestamp({ readOnly: true }),
  modificationDate: timestamp({ readOnly: true }),
});
