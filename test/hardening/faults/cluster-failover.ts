import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AUTHENTICATION, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, compare, keepCalling, keepWriting, type Outcome, tally } from '../traffic.js';
import { Cluster, type Node, postgresBin } from '../../support/debian-postgres.js';
import { haproxyBin, startHaproxy } from '../../support/haproxy.js';
import { prepareDatabase } from '../../support/prepare-database.js';
import { startServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const C17 = {
  id: 'C17',
  goal: 'primary, synchronous standby, 2 servers, HAProxy; primary killed: 0 acknowledged lost, only successes and 503, writes back ≤5 s, tokens valid on both',
};

/** Simulated time to detect the loss of the primary before the promotion, in milliseconds. */
const DETECTION = 1_000;

/** C17. */
export const clusterFailover: Section = async ({ scale }, report) => {
  const [bin, haproxy] = [postgresBin(), haproxyBin()];
  if (bin === undefined || haproxy === undefined)
    return report({
      ...C17,
      figure: `skipped: no ${bin === undefined ? 'pg_basebackup (set POSTGRES_BIN)' : 'haproxy (set HAPROXY_BIN)'}`,
      met: true,
    });
  await measure(C17, report, async () => {
    const results = await failOverCluster(bin, haproxy, rounds(10, scale));
    const sum = (of: (result: FailoverResult) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    const slowest = Math.max(...results.map(({ back }) => back ?? Infinity));
    return {
      figure: `${results.length} rounds, ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost, ${sum(({ partial }) => partial)} half-written, ${sum(({ unacknowledged }) => unacknowledged)} present without acknowledgement; writes back at most ${Math.round(slowest)} ms after the kill, of which ${DETECTION} ms until the promotion; last round ${tally(results.at(-1)!.outcomes)}`,
      met: results.every(isMet),
    };
  });
};

/** The result of one round. */
export interface FailoverResult {
  acknowledged: number;
  lost: number;
  partial: number;
  unacknowledged: number;
  /** Milliseconds from the kill to the next acknowledged write; undefined without one. */
  back: number | undefined;
  /** The outcomes of all calls through the proxy. */
  outcomes: Outcome[];
  /** The statuses of an earlier token on each server directly, after the failover. */
  tokens: number[];
}

const isMet = ({ lost, partial, back, outcomes, tokens }: FailoverResult): boolean =>
  lost === 0 &&
  partial === 0 &&
  back !== undefined &&
  back <= 5_000 &&
  outcomes.every(({ status }) => [200, 201, 503].includes(status)) &&
  tokens.every((status) => status === 200);

/**
 * Runs rounds with a primary and a synchronous standby, two servers, and HAProxy in front of the servers and
 * of the databases. While readers and writers call, it kills the primary and promotes the standby.
 */
export async function failOverCluster(
  bin: string,
  haproxy: string,
  count: number,
): Promise<FailoverResult[]> {
  const cluster = new Cluster(bin);
  const results: FailoverResult[] = [];
  try {
    const template = cluster.initialize('template');
    const first = await cluster.start(template);
    await first.query('CREATE DATABASE platform');
    await prepareDatabase({ url: urlOf(first.port) });
    await first.end('SIGINT');
    for (let round = 0; round < count; round++)
      results.push(await failOverOnce(cluster, template, haproxy, round));
    return results;
  } finally {
    await cluster.stop();
  }
}

async function failOverOnce(
  cluster: Cluster,
  template: string,
  haproxy: string,
  round: number,
): Promise<FailoverResult> {
  const nodes = await startPair(cluster, template, round);
  const agents = await Promise.all(nodes.map(startAgent));
  const [database, entrance, ...ports] = (await freePorts(4)) as [number, number, number, number];
  const proxy = await startHaproxy(
    haproxy,
    configOf({ database, entrance, servers: ports, nodes, agents: agents.map(portOf) }),
    entrance,
  );
  const env = { DATABASE_URL: urlOf(database), TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };
  const servers = [];
  try {
    await untilPrimaryAnswers(database);
    for (const port of ports)
      servers.push(await startServerProcess({ ...env, PORT: String(port) }));
    const ready = async () => (await attempt(entrance, '/health/ready')).status === 200;
    await until(ready, { within: 10_000 });
    return await killPrimary(cluster, nodes, entrance, ports);
  } finally {
    for (const { child } of servers) child.kill('SIGKILL');
    await proxy.stop();
    for (const agent of agents) agent.close();
    await Promise.all(nodes.map((node) => node.end('SIGQUIT')));
  }
}

/** HAProxy assumes that every node is healthy until its first check; several answers in a row prove that it ran. */
async function untilPrimaryAnswers(port: number): Promise<void> {
  for (let inRow = 0; inRow < 10;) {
    const client = new pg.Client(urlOf(port));
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovering');
      inRow = (rows[0] as { recovering: boolean }).recovering ? 0 : inRow + 1;
    } catch {
      inRow = 0;
    }
    await client.end().catch(() => undefined);
    await delay(100);
  }
}

async function killPrimary(
  cluster: Cluster,
  [primary, standby]: [Node, Node],
  entrance: number,
  servers: number[],
): Promise<FailoverResult> {
  const token = await tokenOf(entrance, 'alice.martin');
  const writers = keepWriting(() => ({ port: entrance, token }), 8);
  const paths = [
    '/api/v2/directory/users?range=0-20',
    '/navigation/workplace',
    '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=ma',
  ];
  let turn = 0;
  const readers = keepCalling(4, () => attempt(entrance, paths[turn++ % paths.length]!, { token }));
  await delay(1_000 + Math.random() * 500);
  const killed = performance.now();
  await primary.end('SIGKILL');
  await delay(DETECTION);
  cluster.run('pg_ctl', ['promote', '-D', standby.data, '-w']);
  const before = writers.journal.length;
  const returned = () => Promise.resolve(writers.journal.length > before);
  const isBack = (await until(returned, { within: 15_000, every: 5 })) !== undefined;
  const back = isBack ? performance.now() - killed : undefined;
  await delay(500);
  await Promise.all([writers.stop(), readers.stop()]);
  const stored = await compare((text) => standby.query(text, 'platform'), writers.journal);
  const tokens = [];
  for (const port of servers) tokens.push((await attempt(port, AUTHENTICATION, { token })).status);
  return {
    acknowledged: writers.journal.length,
    ...stored,
    back,
    outcomes: [...writers.outcomes, ...readers.outcomes],
    tokens,
  };
}

/** A primary that acknowledges a write once its standby has flushed it, and that standby. */
async function startPair(cluster: Cluster, template: string, round: number): Promise<[Node, Node]> {
  const data = cluster.path(`cluster-primary-${round}`);
  cluster.run('/bin/cp', ['-a', template, data]);
  const primary = await cluster.start(data, { synchronous_standby_names: '*' });
  const standbyData = cluster.path(`cluster-standby-${round}`);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
  cluster.run('pg_basebackup', ['-D', standbyData, '-R', '-d', source, '-c', 'fast']);
  return [primary, await cluster.start(standbyData)];
}

/** Answers `/primary` like Patroni: 200 while its node accepts writes. */
async function startAgent(node: Node): Promise<Server> {
  const agent = createServer((_request, response) => {
    node
      .query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')
      .then(([row]) => (row?.recovering === false ? 200 : 503))
      .catch(() => 503)
      .then((status) => response.writeHead(status).end())
      .catch(() => undefined);
  });
  await new Promise<void>((done) => agent.listen(0, '127.0.0.1', done));
  return agent;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createTcpServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((done) => server.once('listening', done))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** The configuration of docs/scaling.md. */
const configOf = (all: {
  database: number;
  entrance: number;
  servers: number[];
  nodes: Node[];
  agents: number[];
}): string => `
defaults
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen database
  mode tcp
  bind 127.0.0.1:${all.database}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${all.nodes.map(({ port }, index) => `  server node${index} 127.0.0.1:${port} check port ${all.agents[index]}`).join('\n')}
frontend entrance
  mode http
  timeout client 15s
  bind 127.0.0.1:${all.entrance}
  http-request set-header X-Forwarded-For %[src]
  default_backend servers
backend servers
  mode http
  timeout server 15s
  retries 2
  option redispatch
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1
${all.servers.map((port, index) => `  server server${index} 127.0.0.1:${port}`).join('\n')}
`;

const urlOf = (port: number): string => `postgresql://postgres@127.0.0.1:${port}/platform`;
