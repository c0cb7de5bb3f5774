import type { Logger } from 'pino';
import type { Config } from '../base/config/config.js';
import { CONNECTIONS_OF_PROCESS, SPARE_CONNECTIONS } from './connection-options.js';
import { DedicatedConnection } from './dedicated-connection.js';

/** Warns when PostgreSQL accepts fewer connections than the processes of this server may open. */
export async function warnOfFewConnections(config: Config, logger: Logger): Promise<void> {
  const { WEB_CONCURRENCY: processes } = config.env;
  const needed = processes * CONNECTIONS_OF_PROCESS;
  const [row] = await DedicatedConnection.on(config, (session) =>
    session.rows({
      text: `SELECT current_setting('max_connections')::integer, current_setting('superuser_reserved_connections')::integer
        + coalesce(current_setting('reserved_connections', true)::integer, 0)`,
      values: [],
    }),
  );
  const [most, reserved] = row!.map(Number) as [number, number];
  if (needed > most - reserved)
    logger.warn(
      `max_connections is too small: the ${processes} processes of this server may open ${needed} connections, and PostgreSQL leaves them ${most - reserved}; set max_connections to at least ${needed + SPARE_CONNECTIONS}, and ${needed} more for each further server, or lower WEB_CONCURRENCY`,
    );
}
