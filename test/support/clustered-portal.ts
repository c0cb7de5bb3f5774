import { readFileSync } from 'node:fs';
import { freePort } from './free-port.js';
import { haproxyBin, type Proxy, startHaproxy } from './haproxy.js';
import { PatroniCluster } from './patroni-cluster.js';
import { prepareDatabase } from './prepare-database.js';
import { type ServerProcess, startServerProcess } from './server-process.js';
import { until } from './until.js';

/** How long HAProxy may take to find the primary and the servers, in milliseconds. */
const START_TIMEOUT = 60_000;

/** Two servers behind HAProxy, on a database of three nodes, with the demonstration portal. */
export interface ClusteredPortal {
  cluster: PatroniCluster;
  /** The ports of HAProxy: for callers, and for clients of the database. */
  entrance: number;
  database: number;
  servers: ServerProcess[];
  stop(): Promise<void>;
}

/**
 * Starts all parts as docs/scaling.md shows them. The first server finds the primary through HAProxy, the second one
 * among the nodes.
 * @throws Error when a part does not start; nothing is left then
 */
export async function startClusteredPortal(): Promise<ClusteredPortal> {
  const cluster = await PatroniCluster.start();
  const servers: ServerProcess[] = [];
  let proxy: Proxy | undefined;
  const stop = async (): Promise<void> => {
    for (const { child } of servers) child.kill('SIGKILL');
    await proxy?.stop();
    cluster.stop();
  };
  try {
    const all = await freePorts(5);
    const [entrance, database, , ...ports] = all as [number, number, number, ...number[]];
    proxy = await startHaproxy(haproxyBin()!, settingsOf(cluster, all), entrance);
    const behind = cluster.urlAt(`127.0.0.1:${database}`);
    await prepared(behind);
    const nodes = cluster.nodes.map(({ address }) => `${address}:5432`).join(',');
    const among = `${cluster.urlAt(nodes)}?target_session_attrs=read-write`;
    for (const [index, url] of [behind, among].entries())
      servers.push(
        await startServerProcess({
          DATABASE_URL: url,
          PORT: String(ports[index]),
          TRUSTED_PROXIES: '127.0.0.1',
          LOG_LEVEL: 'error',
        }),
      );
    const isReady = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${entrance}/health/ready`)).ok;
    if ((await until(isReady, { within: START_TIMEOUT })) === undefined)
      throw new Error(`no server is ready behind HAProxy: ${proxy.printed()}`);
    return { cluster, entrance, database, servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** HAProxy may lead to a standby until its first checks. */
async function prepared(url: string): Promise<void> {
  let failure: unknown;
  const isPrepared = (): Promise<boolean> =>
    prepareDatabase({ url }).then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
  if ((await until(isPrepared, { within: START_TIMEOUT, every: 500 })) === undefined) throw failure;
}

/** The HAProxy of deploy/haproxy.cfg and, for the database, that of deploy/haproxy-database.cfg. */
function settingsOf(
  cluster: PatroniCluster,
  [entrance, database, health, ...servers]: number[],
): string {
  const settings = (name: string, values: Record<string, string>): string =>
    readFileSync(`deploy/${name}`, 'utf8')
      // A line per request would fill the memory of the run.
      .replaceAll(/^ +log.*\n/gm, '')
      .replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => values[variable]!);
  return [
    settings('haproxy.cfg', {
      PROXY_PORT: String(entrance),
      BASE_PATH: '',
      SERVER_1: `127.0.0.1:${servers[0]}`,
      SERVER_2: `127.0.0.1:${servers[1]}`,
    }).replace('*:', '127.0.0.1:'),
    settings('haproxy-database.cfg', {
      DATABASE_LISTEN: `127.0.0.1:${database}`,
      PROXY_PORT: String(health),
      ...Object.fromEntries(
        cluster.nodes.map(({ address }, index) => [`NODE_${index + 1}`, `${address}:5432`]),
      ),
    }),
  ].join('\n');
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
