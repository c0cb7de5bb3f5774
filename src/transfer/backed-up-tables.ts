import pg from 'pg';
import type { TableHeader } from './archive.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';

/**
 * Tables that a backup leaves out: sessions, one-time codes, waiting mails and events, which a restore must not revive,
 * counters of a minute, and the histories, functions and secrets that the restore's own migrations begin.
 */
const LEFT_OUT = [
  'tokens',
  'browser_sessions',
  'invitations',
  'mails',
  'password_resets',
  'address_attempts',
  'changes',
  'change_parts',
  'feed_secrets',
  'mail_secrets',
  'passkey_secrets',
  'provider_logouts',
  'provider_requests',
  'used_challenges',
  'task_mail_rounds',
  'task_changes',
  'deliveries',
  'dispatching',
  'endpoint_health',
  'migrations',
  'applied_functions',
];

/** The tables that a backup writes, with their stored columns, from the catalogue. */
export async function backedUpTables(session: DedicatedConnection): Promise<TableHeader[]> {
  const rows = await session.rows({
    text: `SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema::regnamespace AND c.relname <> ALL ($1)
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname ORDER BY c.relname`,
    values: [LEFT_OUT],
  });
  return rows.map(([table, columns]) => ({ table: String(table), columns: columns as string[] }));
}

/** A table and its columns, quoted for COPY. */
export const quoted = ({ table, columns }: TableHeader): { table: string; columns: string } => ({
  table: pg.escapeIdentifier(table),
  columns: columns.map((column) => pg.escapeIdentifier(column)).join(', '),
});
