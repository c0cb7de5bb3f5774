/**
 * What still refers to a row by a foreign key that does not cascade: read from the catalogue, so
 * that a new reference is counted without being listed anywhere.
 */
export async function findReferrers(reader, table, id) {
    const keys = await reader.rows({
        text: `SELECT c.conrelid::regclass::text, a.attname::text
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = $1::regclass AND c.confdeltype <> 'c' ORDER BY 1, 2`,
        values: [table],
    });
    const referrers = [];
    for (const [referring, column] of keys) {
        const [row] = await reader.rows({
            text: `SELECT count(*) FROM ${referring} WHERE ${column} = $1`,
            values: [id],
        });
        const count = Number(row[0]);
        if (count > 0)
            referrers.push({ table: referring, column, count });
    }
    return referrers;
}
//# sourceMappingURL=referrers.js.map