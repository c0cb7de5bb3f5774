import type { BindConfig, Connection, QueryParse } from 'pg';

/**
 * How many plans one session of the database keeps. The server's own statements are fewer; what callers
 * can vary (sorters, pages) would otherwise fill the memory of the database.
 */
export const MAX_PREPARED = 100;

/** What pg's connection has beside its types: the text of every statement that the session knows by name. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string>;
}

/**
 * Has a session forget its least recently used prepared statement before it learns one more than
 * `MAX_PREPARED`. The Close message (PostgreSQL, frontend/backend protocol, 54.2.3) travels with the
 * statement that takes the place: it costs no answer to wait for, and works in a failed transaction, in
 * which DEALLOCATE does not.
 */
export function boundPreparedStatements(client: { connection: Connection }): void {
  const connection = client.connection as PreparingConnection;
  const parse = connection.parse.bind(connection);
  const bind = connection.bind.bind(connection);
  /** In the order of their last use. */
  const used = new Set<string>();

  const forgetOldest = (): void => {
    const [oldest] = used;
    used.delete(oldest!);
    delete connection.parsedStatements[oldest!];
    connection.close({ type: 'S', name: oldest }, true);
  };
  connection.parse = (query: QueryParse, more): void => {
    if (query.name && !used.has(query.name) && used.size >= MAX_PREPARED) forgetOldest();
    parse(query, more);
  };
  connection.bind = (config: BindConfig | null, more): void => {
    const name = config?.statement;
    if (name) {
      used.delete(name);
      used.add(name);
    }
    bind(config, more);
  };
}
