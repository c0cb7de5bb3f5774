import { startServerProcess } from '../../test/support/server-process.js';
import { type BenchServer, databaseUrl, SYSADMIN, tokenOf } from '../support/bench-server.js';
import { compareAlternately, gets, load, type Rounds } from './load.js';
import { ratioResult, type Result } from './result.js';
import { PAGE } from './workloads.js';

const PROCESSES = 2;

/**
 * Compares a mix of reads on one process and on two with the same database. Load generator, servers and
 * PostgreSQL share the processors.
 */
export async function workers(server: BenchServer, { seconds, pairs }: Rounds): Promise<Result> {
  const several = await startServerProcess(
    { DATABASE_URL: databaseUrl(server.folder), WEB_CONCURRENCY: String(PROCESSES) },
    { discard: true },
  );
  try {
    const token = await tokenOf(several.port, SYSADMIN);
    const mix = gets([PAGE, '/api/v2/authentication', '/navigation/workplace', '/api/v2'], token);
    const run = (port: number) => () => load(port, mix, { seconds });
    const comparison = await compareAlternately(
      { ours: run(several.port), other: run(server.port) },
      pairs,
    );
    return ratioResult(`WEB_CONCURRENCY=${PROCESSES}`, 'one process', 1.4, comparison);
  } finally {
    await several.stop();
  }
}
