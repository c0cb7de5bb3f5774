import type { BindConfig, Connection, QueryParse } from 'pg';

/**
 * How many plans one database session keeps. The server has fewer fixed statements. Those that callers can vary
 * (sorters, pages) would otherwise fill the memory of PostgreSQL.
 */
export const MAX_PREPARED = 100;

/** A property that pg's types leave out: the text of every prepared statement of the session, by name. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string>;
}

/**
 * Closes the least recently used prepared statement of a session before it prepares one more than
 * `MAX_PREPARED`. The Close message (PostgreSQL, frontend/backend protocol, 54.2.3) travels with the next
 * statement: it needs no round trip of its own, and works in a failed transaction, where DEALLOCATE does not.
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
