/** Stands for the server's way to the database: runs its statements, and keeps their plans. */
export class PlanningDatabase {
    client;
    plans = [];
    constructor(client) {
        this.client = client;
    }
    async rows({ text, values }) {
        // The second time, so that nothing has to be read from the disk.
        await this.explain(text, values);
        const plan = await this.explain(text, values);
        this.plans.push(`${text.replace(/\s+/g, ' ')}\n\n${plan}`);
        return (await this.client.query({ text, values, rowMode: 'array' })).rows;
    }
    async rowsWithin(_limit, statement) {
        await this.client.query('BEGIN; SET LOCAL max_parallel_workers_per_gather = 0');
        const rows = await this.rows(statement);
        await this.client.query('ROLLBACK');
        return rows;
    }
    async explain(text, values) {
        const { rows } = await this.client.query({
            text: `EXPLAIN (ANALYZE, BUFFERS, SUMMARY) ${text}`,
            values,
        });
        return rows.map((row) => row['QUERY PLAN']).join('\n');
    }
}
//# sourceMappingURL=plans.js.map