import type { Reader } from '../database/database.js';

/** How long a measurement stays valid, in milliseconds: every scrape asks every process. */
const FRESH = 60_000;

/** The size of the audit table, indexes included. */
export interface TableSize {
  bytes: number;
  /** PostgreSQL's estimate, which the last ANALYZE or VACUUM made. */
  rows: number;
}

/** Measures the audit trail from the catalogue, at a cost that does not depend on its length. */
export class AuditSize {
  private measured: Promise<TableSize | undefined> | undefined;
  private since = 0;

  constructor(private readonly database: Reader) {}

  /** The size, at most a minute old; undefined while the database is unavailable. */
  read(): Promise<TableSize | undefined> {
    const now = performance.now();
    if (!this.measured || now - this.since > FRESH) {
      this.since = now;
      this.measured = this.measure().catch(() => undefined);
    }
    return this.measured;
  }

  private async measure(): Promise<TableSize> {
    const [row] = await this.database.rows({
      text: `SELECT pg_total_relation_size(oid), greatest(reltuples, 0)::bigint
        FROM pg_class WHERE oid = 'audit'::regclass`,
      values: [],
    });
    const [bytes, rows] = row!;
    return { bytes: Number(bytes), rows: Number(rows) };
  }
}
