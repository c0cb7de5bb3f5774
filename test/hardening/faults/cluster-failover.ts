import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AUTHENTICATION, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { FeedFollower } from './followers.js';
import { attempt, compare, keepCalling, keepWriting, type Outcome, tally } from '../traffic.js';
import { Cluster, type Node, postgresBin } from '../../support/debian-postgres.js';
import { PATIENCE } from '../../support/eventually.js';
import { haproxyBin, type Proxy, startHaproxy } from '../../support/haproxy.js';
import { prepareDatabase } from '../../support/prepare-database.js';
import { type LaunchedServer, launchServer } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const C17 = {
  id: 'C17',
  goal: 'primary, synchronous standby, 2 servers, HAProxy; primary killed: 0 acknowledged lost, only successes and 503, writes back ≤5 s, tokens valid on both, feed complete',
};

/** Simulated time to detect the loss of the primary before the promotion, in milliseconds. */
const DETECTION = 1_000;

/** How long a part of the cluster may take to start, in milliseconds. */
const START_TIMEOUT = 60_000;

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
      figure: `${results.length} rounds, ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost, ${sum(({ partial }) => partial)} half-written, ${sum(({ unacknowledged }) => unacknowledged)} present without acknowledgement, ${sum(({ feed }) => feed.length)} wrong in the feed; writes back at most ${Math.round(slowest)} ms after the kill, of which ${DETECTION} ms until the promotion; last round ${tally(results.at(-1)!.outcomes)}`,
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
  /** Users of whom a consumer of the change feed has no copy, or another revision. */
  feed: string[];
  /** Milliseconds from the kill to the next acknowledged write; undefined without one. */
  back: number | undefined;
  /** The outcomes of all calls through the proxy. */
  outcomes: Outcome[];
  /** The statuses of an earlier token on each server directly, after the failover. */
  tokens: number[];
}

const isMet = ({ lost, partial, feed, back, outcomes, tokens }: FailoverResult): boolean =>
  lost === 0 &&
  partial === 0 &&
  feed.length === 0 &&
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
    // The template outlives no crash.
    const first = await cluster.start(template, { fsync: 'off' });
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
  const servers: LaunchedServer[] = [];
  try {
    await untilPrimaryAnswers(database, proxy);
    for (const port of ports) await startServer(servers, port, database);
    const ready = async () => (await attempt(entrance, '/health/ready')).status === 200;
    if ((await until(ready, { within: START_TIMEOUT })) === undefined)
      throw new Error(`No server is ready behind HAProxy: ${proxy.printed()}`);
    const result = await killPrimary(cluster, nodes, entrance, ports);
    for (const server of servers)
      if (!server.isAlive()) throw new Error(`A server ended: ${server.printed()}`);
    return result;
  } finally {
    for (const { child } of servers) child.kill('SIGKILL');
    await proxy.stop();
    for (const agent of agents) agent.close();
    await Promise.all(nodes.map((node) => node.end('SIGQUIT')));
  }
}

/**
 * Starts a server on the database behind HAProxy, and adds it to `servers` as soon as it is launched.
 * @throws Error when it does not listen in time
 */
async function startServer(
  servers: LaunchedServer[],
  port: number,
  database: number,
): Promise<void> {
  const server = launchServer({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: urlOf(database),
    DEMO_DATA: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
  });
  servers.push(server);
  const late = delay(START_TIMEOUT, undefined, { ref: false }).then(() => {
    throw new Error(`The server does not listen: ${server.printed()}`);
  });
  await Promise.race([server.listening, late]);
}

/**
 * HAProxy assumes that every node is healthy until its first check; several answers in a row prove that it ran.
 * @throws Error when they do not come in time
 */
async function untilPrimaryAnswers(port: number, proxy: Proxy): Promise<void> {
  let inRow = 0;
  const isChecked = async () => {
    inRow = (await isRecovering(port).catch(() => true)) ? 0 : inRow + 1;
    return inRow === 10;
  };
  if ((await until(isChecked, { within: START_TIMEOUT, every: 100 })) === undefined)
    throw new Error(`HAProxy does not lead to the primary: ${proxy.printed()}`);
}

/** Whether the node behind HAProxy is a standby. */
async function isRecovering(port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(port),
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovering');
    return (rows[0] as { recovering: boolean }).recovering;
  } finally {
    client.end().catch(() => undefined);
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
  const consumer = new FeedFollower(() => entrance, token, 'users');
  let goesOn = true;
  const following = consumer.follow(() => goesOn);
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
  goesOn = false;
  await Promise.all([writers.stop(), readers.stop(), following]);
  await consumer.catchUp();
  const users = await standby.query<{ id: string; revision: number }>(
    'SELECT id::text, revision FROM users',
    'platform',
  );
  const stored = await compare((text) => standby.query(text, 'platform'), writers.journal);
  const tokens = [];
  for (const port of servers) tokens.push((await attempt(port, AUTHENTICATION, { token })).status);
  return {
    acknowledged: writers.journal.length,
    ...stored,
    feed: consumer.differences(users.map(({ id, revision }) => [id, revision])),
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
  // Only processes are killed: what the system has in memory needs no flush, which waits for every other writer.
  cluster.run('pg_basebackup', ['-D', standbyData, '-R', '-d', source, '-c', 'fast', '--no-sync']);
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
