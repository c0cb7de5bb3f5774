import type pg from 'pg';
import type { BoundStatement, Database, Row } from '../../src/database/database.js';

/** Stands for the server's way to the database: runs its statements, and keeps their plans. */
export class PlanningDatabase implements Pick<Database, 'rows' | 'rowsWithin'> {
  readonly plans: string[] = [];

  constructor(private readonly client: pg.Client) {}

  async rows({ text, values }: BoundStatement): Promise<Row[]> {
    // The second time, so that nothing has to be read from the disk.
    await this.explain(text, values);
    const plan = await this.explain(text, values);
    this.plans.push(`${text.replace(/\s+/g, ' ')}\n\n${plan}`);
    return (await this.client.query<Row>({ text, values, rowMode: 'array' })).rows;
  }

  async rowsWithin(_limit: number, statement: BoundStatement): Promise<Row[]> {
    await this.client.query('BEGIN; SET LOCAL max_parallel_workers_per_gather = 0');
    const rows = await this.rows(statement);
    await this.client.query('ROLLBACK');
    return rows;
  }

  private async explain(text: string, values: unknown[]): Promise<string> {
    const { rows } = await this.client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN (ANALYZE, BUFFERS, SUMMARY) ${text}`,
      values,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }
}
