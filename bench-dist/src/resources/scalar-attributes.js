import { IsBoolean } from 'class-validator';
import { InvalidValue } from '../listing/attribute.js';
import { satisfies } from '../negotiation/validate-body.js';
import { Attribute, compare, } from './attribute.js';
import { displayTimestamp, TIMESTAMP_RULE, timestampFault } from './timestamps.js';
const MAX_INTEGER = 2 ** 31 - 1;
/** A whole number. */
export class NumberAttribute extends Attribute {
    options;
    type = 'number';
    constructor(options = {}) {
        super(options);
        this.options = options;
    }
    present(row, at) {
        const value = row[at];
        return value === null || value === undefined ? null : Number(value);
    }
    display(row, at) {
        return this.present(row, at);
    }
    parseFilter(text) {
        if (!/^-?(0|[1-9]\d{0,14})$/.test(text))
            throw new InvalidValue('expected a whole number');
        return text;
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::bigint`);
    }
    rules() {
        const { least = -MAX_INTEGER, most = MAX_INTEGER } = this.options;
        return [
            satisfies((value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
                ? undefined
                : `must be a whole number from ${least} to ${most}`),
        ];
    }
    schema() {
        return { type: ['integer', 'null'] };
    }
}
/** A moment in UTC with milliseconds (interface: General conventions). */
export class TimestampAttribute extends Attribute {
    type = 'timestamp';
    display(row, at, { locale, timeZone }) {
        return displayTimestamp(row[at], locale, timeZone);
    }
    parseFilter(text) {
        // A plus sign arrives as a blank when the client did not encode it.
        const written = text.replace(/ (?=\d\d:\d\d$)/, '+');
        if (timestampFault(written) !== undefined)
            throw new InvalidValue(TIMESTAMP_RULE);
        return written;
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::timestamptz`);
    }
    rules() {
        return [satisfies(timestampFault)];
    }
    schema() {
        return { type: ['string', 'null'], format: 'date-time' };
    }
}
const YES_NO = { en: ['no', 'yes'], fr: ['non', 'oui'] };
export class BooleanAttribute extends Attribute {
    type = 'boolean';
    display(row, at, { locale }) {
        const value = row[at];
        return typeof value === 'boolean' ? YES_NO[locale][value ? 1 : 0] : null;
    }
    parseFilter(text) {
        if (text !== 'true' && text !== 'false')
            throw new InvalidValue('expected true or false');
        return text;
    }
    condition(alias, operator, value, bind) {
        return compare(this.expression(alias), operator, () => `${bind(value)}::boolean`);
    }
    rules() {
        return [IsBoolean()];
    }
    schema() {
        return { type: ['boolean', 'null'] };
    }
}
/** One of a fixed set of codes, each with its labels; whole numbers or texts. */
export class CodedAttribute extends Attribute {
    options;
    type = 'coded';
    labels;
    constructor(labels, options = {}) {
        super(options);
        this.options = options;
        this.labels = new Map(Object.entries(labels));
    }
    display(row, at, { locale }) {
        const value = row[at];
        return value === null ? null : (this.labels.get(String(value))?.[locale] ?? String(value));
    }
    parseFilter(text) {
        if (!this.labels.has(text))
            throw new InvalidValue(`expected ${this.choices()}`);
        return text;
    }
    condition(alias, operator, value, bind) {
        const type = this.options.numeric ? 'smallint' : 'text';
        return compare(this.expression(alias), operator, () => `${bind(value)}::${type}`);
    }
    rules() {
        const expected = this.options.numeric ? 'number' : 'string';
        return [
            satisfies((value) => typeof value === expected && this.labels.has(String(value))
                ? undefined
                : `must be ${this.choices()}`),
        ];
    }
    schema() {
        const codes = [...this.labels.keys()];
        return { enum: [...(this.options.numeric ? codes.map(Number) : codes), null] };
    }
    choices() {
        return [...this.labels.keys()].join(', ').replace(/, (?=[^,]*$)/, ' or ');
    }
}
//# sourceMappingURL=scalar-attributes.js.map