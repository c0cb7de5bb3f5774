import { InvalidValue } from '../listing/attribute.js';
import { Attribute, compare } from './attribute.js';
import { idIn, isId, uriOf } from './uri.js';
/** The numeric identifier as text; sorts and compares as a number. Always the first column. */
export class IdAttribute extends Attribute {
    prefix;
    type = 'number';
    constructor(prefix) {
        super({ readOnly: true });
        this.prefix = prefix;
    }
    expression(alias) {
        return `${alias}.id`;
    }
    present(row, at) {
        return String(row[at]);
    }
    display(row, at) {
        return this.present(row, at);
    }
    parseFilter(text, operator) {
        const isEquality = operator === 'eq' || operator === 'neq';
        const id = isEquality ? idIn(text, this.prefix) : isId(text) || text === '0' ? text : undefined;
        if (id === undefined)
            throw new InvalidValue('expected an id, a positive whole number');
        return id;
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::bigint`);
    }
    schema() {
        return { type: 'string', pattern: '^[1-9][0-9]*$' };
    }
}
/** The URI, made from the id. */
export class UriAttribute extends Attribute {
    prefix;
    type = 'link';
    constructor(prefix) {
        super({ readOnly: true });
        this.prefix = prefix;
    }
    get operators() {
        return ['eq', 'neq'];
    }
    expression(alias) {
        return `${alias}.id`;
    }
    columns() {
        return [];
    }
    present(row) {
        return uriOf(this.prefix, row[0]);
    }
    display(row) {
        return this.present(row);
    }
    parseFilter(text) {
        const id = idIn(text, this.prefix);
        if (id === undefined)
            throw new InvalidValue(`expected a URI such as ${this.prefix}/1`);
        return id;
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::bigint`);
    }
    schema() {
        return { type: 'string', format: 'uri-reference' };
    }
}
/** A value that the server makes from others; neither sorted nor filtered. */
export class MadeAttribute extends Attribute {
    parts;
    type = 'object';
    /**
     * @param sql its columns
     * @param make its value from the row
     */
    constructor(parts) {
        super({ readOnly: true, detailedOnly: parts.detailedOnly });
        this.parts = parts;
    }
    columns(alias) {
        return this.parts.sql ? [this.parts.sql(alias)] : [];
    }
    present(row, at, { basePath }) {
        return this.parts.make(this.parts.sql ? row[at] : undefined, String(row[0]), basePath);
    }
    display(row, at, context) {
        return this.present(row, at, context);
    }
    parseFilter() {
        throw new InvalidValue('cannot be filtered by');
    }
    condition() {
        throw new Error(`${this.name} cannot be filtered by`);
    }
    schema() {
        return this.parts.schema;
    }
}
//# sourceMappingURL=identity-attributes.js.map