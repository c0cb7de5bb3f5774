import type { Duplex } from 'node:stream';

/**
 * Most connections of this process: the admitted streams and open calls, and 5,000 others. Each takes 13 KB. The limit
 * is lower if the system allows fewer open files, of which a tenth stays free for the database and for files.
 */
const MOST_CONNECTIONS = 30_000;
const SHARE_OF_FILES = 0.9;

/** How many idle connections to end at once, so that not every new connection has to search for one. */
const SHARE_OF_IDLE = 0.1;

/** An open connection. */
interface Open {
  connection: Duplex;
  /** Whether it is between two requests. */
  isIdle: boolean;
  /** When the latest packet came (performance.now()). */
  lastRead: number;
}

/** How many connections the process may have, by its limit of open files (`ulimit -n`). */
export function mostConnections(): number {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files: { soft: number | 'unlimited' } };
  };
  // Windows has no such limit.
  const files = Number(userLimits?.open_files.soft);
  return files > 0
    ? Math.min(MOST_CONNECTIONS, Math.floor(files * SHARE_OF_FILES))
    : MOST_CONNECTIONS;
}

/**
 * Closes the connections that have been idle for longest, as a server may at any time (RFC 9112 section 9.5).
 * @returns whether there was one
 */
export function closeLongestIdle(all: Iterable<Open>): boolean {
  const idle = [...all]
    .filter(({ isIdle }) => isIdle)
    .sort((one, other) => one.lastRead - other.lastRead);
  for (const { connection } of idle.slice(0, Math.ceil(idle.length * SHARE_OF_IDLE)))
    connection.destroy();
  return idle.length > 0;
}
