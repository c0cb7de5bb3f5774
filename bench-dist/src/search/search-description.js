import { displayTimestamp } from '../resources/timestamps.js';
const blank = (value) => typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** A stored text that is part of quick_search; blank is an empty string. */
export const quick = (sql) => ({ ...shown(sql), searched: 'quickSearch' });
/** A stored text beside quick_search. The order of these is that of the index. */
export const other = (sql) => ({ ...shown(sql), searched: 'otherTexts' });
/** A value that is shown as text but not searched. */
export const shown = (sql) => ({ sql, present: blank });
/** A whole number. */
export const integer = (sql) => ({
    sql,
    present: (value) => (value === null ? null : Number(value)),
});
/** A timestamp as text for people, in the caller's language. */
export const displayDate = (sql) => ({
    sql,
    present: (value, { locale, timeZone }) => displayTimestamp(value, locale, timeZone) ?? '',
});
/** A value made from the id. */
export const made = (make) => ({
    present: (_, context, id) => make(id, context),
});
/** Presents a row: one column for each field that has SQL, in their order. */
export function presentRecord({ record }, row, context) {
    const id = String(row[0]);
    let at = 0;
    return Object.fromEntries(Object.entries(record).map(([name, field]) => [
        name,
        field.present(field.sql === undefined ? undefined : row[at++], context, id),
    ]));
}
//# sourceMappingURL=search-description.js.map