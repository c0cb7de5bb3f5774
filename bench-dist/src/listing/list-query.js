import { Bindings } from './attribute.js';
/** From here on, ids are collected first and only the page's rows are joined. */
const DEEP_PAGE = 500;
/** The alias of the table that is listed. */
export const LISTED = 't';
const SEARCHING = new Set(['starts', 'ends', 'contains', 'notcontains']);
/**
 * One page of a list, one row more than asked for, so that it is known whether there is a next
 * one; with the exact count the first column is the count, from the same snapshot, and a page past
 * the end is one row of nulls behind it.
 */
export function listStatement(sourceFor, request) {
    const bindings = new Bindings();
    const source = sourceFor(bindings.bind);
    const where = whereClause(source, request, bindings.bind);
    const order = orderClause(request.sorter, source.key);
    const page = `ORDER BY ${order} LIMIT ${bindings.bind(request.range.count + 1)} OFFSET ${bindings.bind(request.range.start)}`;
    const columns = source.columns.join(', ');
    const rows = request.range.start < DEEP_PAGE
        ? `SELECT ${columns} FROM ${source.table} ${source.joins} ${where} ${page}`
        : `WITH ids AS MATERIALIZED (SELECT ${source.key} AS key FROM ${source.table} ${where} ${page}) ` +
            `SELECT ${columns} FROM ${source.table} ${source.joins} WHERE ${source.key} IN (SELECT key FROM ids) ORDER BY ${order}`;
    return {
        text: request.exactCount ? withCount(rows, source, where) : rows,
        values: bindings.values,
        prepared: !request.filters.some(({ operator }) => SEARCHING.has(operator)),
    };
}
/** The number of rows that a list would have, from the same conditions. */
export function countStatement(source, request) {
    const bindings = new Bindings();
    const where = whereClause(source, request, bindings.bind);
    return {
        text: `SELECT count(*) FROM ${source.table} ${where}`,
        values: bindings.values,
        prepared: true,
    };
}
function withCount(rows, source, where) {
    const aliases = source.columns.map((_, index) => `c${index}`);
    return (`SELECT total.count, page.* FROM (SELECT count(*) AS count FROM ${source.table} ${where}) AS total ` +
        `LEFT JOIN (SELECT true AS present, numbered.*, row_number() OVER () AS place FROM (${rows}) AS numbered(${aliases.join(', ')})) AS page ON true ` +
        'ORDER BY page.place');
}
function whereClause(source, request, bind) {
    const conditions = source.conditions.map((condition) => condition(bind));
    if (request.filters.length > 0)
        conditions.push(filterCondition(request, bind));
    return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
/** What filters say of a row of the listed table; without filters every row is meant. */
export function filterCondition({ filters, filterMode }, bind) {
    if (filters.length === 0)
        return 'true';
    const joined = filters.map((filter) => conditionOf(filter, bind));
    return `(${joined.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}
const conditionOf = ({ attribute, operator, value }, bind) => `(${attribute.condition(LISTED, operator, value, bind)})`;
/** The key takes the direction of the last attribute: descending is then the same index backwards. */
function orderClause(sorter, key) {
    const keys = sorter.map(({ attribute, descending }) => attribute.order(LISTED) + (descending ? ' DESC' : ''));
    if (sorter.some(({ attribute }) => attribute.order(LISTED) === key))
        return keys.join(', ');
    return [...keys, key + (sorter.at(-1)?.descending ? ' DESC' : '')].join(', ');
}
//# sourceMappingURL=list-query.js.map