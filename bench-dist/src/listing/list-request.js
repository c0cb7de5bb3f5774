import { invalid } from '../errors/refusals.js';
import { queryOf } from '../negotiation/query-string.js';
import { MAX_FILTERS, parseFilter } from './filters.js';
import { DEFAULT_PAGE_SIZE, parseRange, RANGE_RULE } from './range.js';
import { parseSorter } from './sorter.js';
/** The first page of a list, for code that lists something itself. */
export const FIRST_PAGE = {
    range: { start: 0, count: DEFAULT_PAGE_SIZE },
    sorter: [],
    filters: [],
    filterMode: 'and',
    responseMode: 'machine',
    exactCount: false,
};
const SCALARS = ['range', 'sorter', 'filterMode', 'responseMode'];
/** Parameters that every list knows. */
const LIST_PARAMETERS = [...SCALARS, 'filters'];
/**
 * Reads range, sorter, filters, filterMode and responseMode together, so that all bad parameters of
 * a request come back at once.
 * @param known further parameters that the route reads itself
 * @throws Refusal 400 with one entry a bad parameter
 */
export function parseListRequest(request, listable, known = []) {
    const query = queryOf(request);
    const bad = [];
    const scalar = (name) => scalarOf(query, name, bad);
    refuseUnknown(query, known, bad);
    const result = {
        range: rangeOf(scalar('range'), bad),
        sorter: sorterOf(scalar('sorter'), listable, bad),
        filters: filtersOf(query.get('filters') ?? [], listable, bad),
        filterMode: choice('filterMode', scalar('filterMode'), ['and', 'or'], bad),
        responseMode: choice('responseMode', scalar('responseMode'), ['machine', 'user'], bad),
        exactCount: prefersExactCount(request.headers.prefer),
    };
    if (bad.length > 0)
        throw invalid(bad);
    return result;
}
function refuseUnknown(query, known, bad) {
    for (const name of query.keys())
        if (!LIST_PARAMETERS.includes(name) && !known.includes(name))
            bad.push({
                name,
                message: `unknown parameter; known: ${[...LIST_PARAMETERS, ...known].join(', ')}`,
            });
}
function scalarOf(query, name, bad) {
    const values = query.get(name) ?? [];
    if (values.length > 1)
        bad.push({ name, message: 'given more than once' });
    return values.length === 1 ? values[0] : undefined;
}
function rangeOf(text, bad) {
    const range = text === undefined ? { start: 0, count: DEFAULT_PAGE_SIZE } : parseRange(text);
    if (!range)
        bad.push({ name: 'range', message: RANGE_RULE });
    return range ?? { start: 0, count: 1 };
}
function sorterOf(text, listable, bad) {
    const keys = text === undefined ? [] : parseSorter(text, listable);
    if (typeof keys !== 'string')
        return keys;
    bad.push({ name: 'sorter', message: keys });
    return [];
}
function filtersOf(texts, listable, bad) {
    if (texts.length > MAX_FILTERS) {
        bad.push({ name: 'filters', message: `at most ${MAX_FILTERS} filters` });
        return [];
    }
    return texts.flatMap((text) => {
        const filter = parseFilter(text, listable);
        if (typeof filter !== 'string')
            return [filter];
        bad.push({ name: 'filters', message: filter });
        return [];
    });
}
function choice(name, text, allowed, bad) {
    const found = text === undefined ? allowed[0] : allowed.find((value) => value === text);
    if (found === undefined)
        bad.push({ name, message: `expected ${allowed.join(' or ')}` });
    return found ?? allowed[0];
}
function prefersExactCount(prefer) {
    return String(prefer ?? '')
        .split(/[,;]/)
        .some((preference) => /^\s*count\s*=\s*"?exact"?\s*$/i.test(preference));
}
//# sourceMappingURL=list-request.js.map