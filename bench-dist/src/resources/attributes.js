import { MadeAttribute } from './identity-attributes.js';
import { LinkAttribute, LinksAttribute } from './link-attributes.js';
import { BooleanAttribute, CodedAttribute, NumberAttribute, TimestampAttribute, } from './scalar-attributes.js';
import { TextAttribute } from './text-attribute.js';
/** The words in which a resource is described. */
export const text = (options) => new TextAttribute(options);
export const number = (options) => new NumberAttribute(options);
export const timestamp = (options) => new TimestampAttribute(options);
export const boolean = (options) => new BooleanAttribute(options);
export const coded = (labels, options) => new CodedAttribute(labels, options);
export const link = (target, options) => new LinkAttribute(target, options);
export const links = (options) => new LinksAttribute(options);
export const made = (parts) => new MadeAttribute(parts);
/** A reference that the caller may choose; made from the id when left null. */
export const reference = () => text({ max: 100 });
/** The read-only text that stands for an object in a Ref, made from a column of its own. */
export const label = (column) => text({ readOnly: true, sql: (alias) => `${alias}.${column}` });
/**
 * The number of rows that belong to an object; detailed representations only. Of rows that not
 * everybody sees, those that the caller sees are counted.
 */
export const count = (sql) => number({ readOnly: true, detailedOnly: true, sql: (alias, context) => sql(alias, context) });
/** Long text: a description, an answer. */
export const longText = (options = {}) => text({ max: 10_000, ...options });
/** The dates that the server keeps. */
export const dates = () => ({
    creationDate: timestamp({ readOnly: true }),
    modificationDate: timestamp({ readOnly: true }),
});
//# sourceMappingURL=attributes.js.map