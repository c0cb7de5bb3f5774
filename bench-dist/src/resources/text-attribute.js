import { IsString, MaxLength } from 'class-validator';
import { satisfies } from '../negotiation/validate-body.js';
import { Attribute, compare } from './attribute.js';
/** Room for a line of text. */
const DEFAULT_MAX = 250;
/** A text; compared without case and accents (decisions: Lists). */
export class TextAttribute extends Attribute {
    options;
    type = 'text';
    constructor(options = {}) {
        super(options);
        this.options = options;
    }
    get maxLength() {
        return this.options.max ?? DEFAULT_MAX;
    }
    order(alias) {
        return folded(this.expression(alias));
    }
    display(row, at) {
        return row[at] ?? null;
    }
    parseFilter(text) {
        return text;
    }
    condition(alias, operator, value, bind) {
        const column = this.expression(alias);
        if (operator === 'isempty')
            return `coalesce(${column}, '') = ''`;
        if (operator === 'isnotempty')
            return `${column} <> ''`;
        const text = folded(column);
        const wanted = `fold(${bind(value)}::text)`;
        const like = `${text} LIKE`;
        switch (operator) {
            case 'starts':
                return `${like} ${escapeLike(wanted)} || '%'`;
            case 'ends':
                return this.narrowed(alias, wanted, `${like} '%' || ${escapeLike(wanted)}`);
            case 'contains':
                return this.narrowed(alias, wanted, `${like} '%' || ${escapeLike(wanted)} || '%'`);
            case 'notcontains':
                return `(${like} '%' || ${escapeLike(wanted)} || '%') IS NOT TRUE`;
            default:
                return compare(text, operator, () => wanted);
        }
    }
    rules() {
        const { fault } = this.options;
        return [IsString(), MaxLength(this.maxLength), ...(fault ? [satisfies(fault)] : [])];
    }
    schema() {
        return { type: ['string', 'null'], maxLength: this.maxLength };
    }
    narrowed(alias, wanted, condition) {
        return this.options.searched
            ? `grams(${alias}.quick_search) @> grams(${wanted}) AND ${condition}`
            : condition;
    }
}
/** The form in which texts are compared and sorted; the indexes hold exactly this expression. */
export const folded = (expression) => `fold(${expression} COLLATE "C")`;
/** `%`, `_` and `\` are plain characters. Escaped after folding, which can itself make a `%`. */
export const escapeLike = (expression) => `regexp_replace(${expression}, '([\\\\%_])', '\\\\\\1', 'g')`;
//# sourceMappingURL=text-attribute.js.map