import { snakeCase } from '../database/naming-strategy.js';
import { OPERATORS_OF } from '../listing/operators.js';
/** One column or Ref of a resource: how it is read, listed, checked, written and shown. */
export class Attribute {
    options;
    /** Set once, when the resource is defined. */
    name = '';
    constructor(options = {}) {
        this.options = options;
    }
    get operators() {
        return this.type in OPERATORS_OF ? OPERATORS_OF[this.type] : [];
    }
    get sortable() {
        return this.operators.length > 0;
    }
    get writable() {
        return !this.options.readOnly && !this.options.sql;
    }
    /** The property of the entity that stores it. */
    get property() {
        return this.name;
    }
    /** The SQL of its value. */
    expression(alias, context) {
        return this.options.sql?.(alias, context) ?? `${alias}.${snakeCase(this.property)}`;
    }
    /** The columns that a row needs to present it. */
    columns(alias, context) {
        return [this.expression(alias, context)];
    }
    /** Joins that those columns need. */
    join(_alias) {
        return '';
    }
    order(alias) {
        return this.expression(alias);
    }
    /** The value for a machine, from the row's columns that begin at `at`. */
    present(row, at, _context) {
        return row[at] ?? null;
    }
    /** Decorators of class-validator that check a value which is not blank. */
    rules() {
        return [];
    }
    /** The value of the entity's property for a checked value of a body. */
    toStored(value) {
        return value;
    }
    /** The JSON Schema of what a body may give for it. */
    inputSchema() {
        return this.schema();
    }
    /** Longest text in characters, for `GET {resource}/attributes`. */
    get maxLength() {
        return null;
    }
}
/** Comparisons that read alike for numbers, timestamps and folded texts. */
const COMPARISONS = {
    eq: '=',
    neq: 'IS DISTINCT FROM',
    gt: '>',
    gte: '>=',
    lt: '<',
    lte: '<=',
};
/** The SQL of a comparison; `neq` includes what is empty. */
export function compare(expression, operator, value) {
    if (operator === 'isempty')
        return `${expression} IS NULL`;
    if (operator === 'isnotempty')
        return `${expression} IS NOT NULL`;
    return `${expression} ${COMPARISONS[operator]} ${value()}`;
}
//# sourceMappingURL=attribute.js.map