import { PAGE, requests, type Turns } from './reads.js';
import { compareByTurns, load } from './load.js';
import { ratioResult, type Result } from './result.js';
import { type Site, startServer, tokenOf } from './site.js';

/** So many processes against one. */
const PROCESSES = 2;

/**
 * The mix of a portal's calls against one process and against two on the same database; load, server
 * and PostgreSQL share the processors of the machine.
 */
export async function workers(
  site: Site,
  sysadmin: { login: string; password: string },
  { seconds, pairs }: Turns,
): Promise<Result> {
  const several = await startServer(site.folder, {
    DATABASE_URL: databaseUrl(site.folder),
    WEB_CONCURRENCY: String(PROCESSES),
    HOST: '127.0.0.1',
  });
  try {
    const token = await tokenOf(several.port, sysadmin.login, sysadmin.password);
    const paths = [PAGE, '/api/v2/authentication', '/navigation/workplace', '/api/v2'];
    const by = (port: number) => () => load(port, requests(paths, token), { seconds });
    const comparison = await compareByTurns(
      { ours: by(several.port), other: by(site.server.port) },
      pairs,
    );
    return ratioResult(`WEB_CONCURRENCY=${PROCESSES}`, 'one process', 1.4, comparison);
  } finally {
    await several.stop();
  }
}

const databaseUrl = (folder: string): string =>
  `postgresql://platform@localhost/platform?host=${encodeURIComponent(`${folder}/.data/socket`)}`;
