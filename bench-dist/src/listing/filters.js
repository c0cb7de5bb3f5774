import { InvalidValue } from './attribute.js';
import { EMPTINESS, OPERATORS } from './operators.js';
/** decisions: Lists. */
export const MAX_FILTERS = 20;
export const MAX_FILTER_VALUE = 256;
/** Longer texts make substring search expensive, whatever the index. */
export const MAX_CONTAINS_VALUE = 128;
/** Parses `lastName:eq:Martin` (interface: Filters); answers a message when it cannot be used. */
export function parseFilter(text, listable) {
    const [name = '', operator = '', value] = splitFilter(text);
    const attribute = attributeOf(name, listable);
    if (!attribute)
        return `unknown attribute '${name}'; filterable: ${listable.names('filters').join(', ')}`;
    if (!isOperator(operator) || !attribute.operators.includes(operator))
        return `'${name}' does not accept the operator '${operator}'; allowed: ${attribute.operators.join(', ')}`;
    const fault = valueFault(operator, value);
    if (fault !== undefined)
        return `${name}:${operator}: ${fault}`;
    try {
        const parsed = value === undefined ? undefined : attribute.parseFilter(value, operator);
        return { attribute, operator, value: parsed };
    }
    catch (error) {
        if (error instanceof InvalidValue)
            return `${name}:${operator}: ${error.message}`;
        throw error;
    }
}
/** Splits on the first two colons only: values hold colons (timestamps, addresses). */
function splitFilter(text) {
    const first = text.indexOf(':');
    if (first < 0)
        return [text];
    const second = text.indexOf(':', first + 1);
    return second < 0
        ? [text.slice(0, first), text.slice(first + 1)]
        : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}
function attributeOf(name, listable) {
    const dot = name.indexOf('.');
    if (dot < 0)
        return listable.attribute(name);
    return listable.attribute(name.slice(0, dot))?.linked?.(name.slice(dot + 1));
}
const isOperator = (text) => OPERATORS.includes(text);
function valueFault(operator, value) {
    if (EMPTINESS.includes(operator))
        return value === undefined ? undefined : 'takes no value';
    if (value === undefined || value === '')
        return 'needs a value; use isempty or isnotempty for empty ones';
    const most = operator === 'contains' || operator === 'notcontains' ? MAX_CONTAINS_VALUE : MAX_FILTER_VALUE;
    return [...value].length > most ? `at most ${most} characters` : undefined;
}
//# sourceMappingURL=filters.js.map