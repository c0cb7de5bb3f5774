import type { Reader } from '../database/database.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 60_000;

/** The size of the audit table, indexes included. */
export interface TableSize {
  bytes: number;
  /** PostgreSQL's estimate, which the last ANALYZE or VACUUM made. */
  rows: number;
}

/** Measures the audit trail from the catalogue, at a cost that does not depend on its length. */
export const auditSize = (database: Reader): Measurement<TableSize> =>
  new Measurement(LIFETIME, async () => {
    const [row] = await database.rows({
      text: `SELECT sum(pg_total_relation_size(relid)), sum(greatest(reltuples, 0))::bigint
        FROM pg_partition_tree('audit') JOIN pg_class ON oid = relid WHERE isleaf`,
      values: [],
    });
    const [bytes, rows] = row!;
    return { bytes: Number(bytes), rows: Number(rows) };
  });
