/** Fewer values than one statement may bind. */
const MAX_VALUES = 30_000;
/** Inserts rows in few statements; answers their ids in the same order. */
export async function insertRows(runner, table, rows) {
    if (rows.length === 0)
        return [];
    const columns = Object.keys(rows[0]);
    const batch = Math.floor(MAX_VALUES / columns.length);
    const ids = [];
    for (let start = 0; start < rows.length; start += batch) {
        const values = [];
        const tuples = rows
            .slice(start, start + batch)
            .map((row) => `(${columns.map((column) => `$${values.push(row[column])}`).join(', ')})`);
        const inserted = (await runner.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')} RETURNING *`, values));
        ids.push(...inserted.map(({ id }) => id ?? ''));
    }
    return ids;
}
/** Ids by what names the rows. */
export async function idsBy(runner, table, column) {
    const rows = (await runner.query(`SELECT ${column} AS name, id FROM ${table}`));
    return new Map(rows.map(({ name, id }) => [name, id]));
}
//# sourceMappingURL=insert-rows.js.map