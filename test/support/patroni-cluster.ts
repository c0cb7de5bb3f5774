import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresBin } from './debian-postgres.js';
import { PATIENCE } from './eventually.js';
import { haproxyBin } from './haproxy.js';
import { until } from './until.js';

/** The settings of every node; docs/scaling.md describes them. */
const SETTINGS = resolve('deploy/patroni.yml');

/** The name of the cluster in those settings. */
const SCOPE = 'platform';

/** How long the cluster may take to start, or a node to join again, in milliseconds. */
const START_TIMEOUT = 120_000;

/** The password of every role: only this machine reaches the nodes. */
const PASSWORD = 'cluster';

/** What Patroni says about a PostgreSQL that is the primary. */
interface Primary {
  replication?: { application_name: string; state: string; sync_state: string }[];
}

/** A node: a network namespace with an address, a member of etcd, and Patroni with its PostgreSQL. */
export interface PatroniNode {
  name: string;
  address: string;
  /** Of the network namespace. */
  namespace: string;
  /** The folder of its data and logs. */
  folder: string;
}

/** Why there can be no cluster on this machine; undefined when there can. */
export function noClusterBecause(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  if (postgresBin() === undefined) return 'no PostgreSQL (Debian: postgresql)';
  if (haproxyBin() === undefined) return 'no haproxy (Debian: haproxy)';
  for (const [program, debian] of [
    ['ip', 'iproute2'],
    ['setpriv', 'util-linux'],
    ['etcd', 'etcd-server'],
    ['patronictl', 'patroni'],
  ] as const)
    if (!exists(program)) return `no ${program} (Debian: ${debian})`;
  try {
    const probe = `pp-${process.pid}-probe`;
    ip('netns', 'add', probe);
    ip('netns', 'delete', probe);
  } catch {
    return 'network namespaces are not allowed here';
  }
  return undefined;
}

/**
 * Three nodes on a bridge, with Debian's Patroni, etcd and PostgreSQL. This machine is the clients' side of the
 * bridge: it reaches every node, also one that is cut off from the others.
 */
export class PatroniCluster {
  readonly nodes: PatroniNode[];
  private readonly folder = mkdtempSync(join(tmpdir(), 'process-platform-patroni-'));
  private readonly network = `10.213.${process.pid % 256}`;
  private readonly bridge = `pp-${process.pid}`;
  private readonly bin = postgresBin()!;
  private readonly atExit = (): void => this.stop();

  private constructor() {
    this.nodes = [1, 2, 3].map((index) => ({
      name: `node${index}`,
      address: `${this.network}.${index}`,
      namespace: `${this.bridge}-${index}`,
      folder: join(this.folder, `node${index}`),
    }));
  }

  /**
   * Starts the cluster with an empty database `platform` of the role `platform`.
   * @throws Error when it does not come up in time; nothing is left then
   */
  static async start(): Promise<PatroniCluster> {
    removeLeftovers();
    const cluster = new PatroniCluster();
    process.once('exit', cluster.atExit);
    try {
      cluster.connectNodes();
      for (const node of cluster.nodes) cluster.startEtcd(node, 'new');
      for (const node of cluster.nodes) cluster.startPatroni(node);
      await cluster.untilWhole();
      const primary = await cluster.primary();
      await cluster.query(primary, `CREATE ROLE platform LOGIN PASSWORD '${PASSWORD}'`, 'postgres');
      await cluster.query(primary, 'CREATE DATABASE platform OWNER platform', 'postgres');
      return cluster;
    } catch (error) {
      const log = cluster.logs();
      cluster.stop();
      throw new Error(`the cluster does not start: ${log}`, { cause: error });
    }
  }

  /** The DATABASE_URL at these addresses, `host:port` each, separated by commas. */
  urlAt(addresses: string): string {
    return `postgresql://platform:${PASSWORD}@${addresses}/platform`;
  }

  /**
   * The node that is the primary. Each node answers for itself: what a node that was cut off knows of the others is old.
   * @throws Error when there is not exactly one
   */
  async primary(): Promise<PatroniNode> {
    const answers = await Promise.all(this.nodes.map((node) => ask(node, 'primary')));
    const primaries = this.nodes.filter((_, index) => answers[index]?.ok);
    if (primaries.length !== 1) throw new Error(`the cluster has ${primaries.length} primaries`);
    return primaries[0]!;
  }

  /** The standby that must have a write before it is acknowledged (`sync`), or the other one. */
  async standby(kind: 'sync' | 'async'): Promise<PatroniNode> {
    const { replication = [] } = await stateOf(await this.primary());
    const found = replication.find(({ sync_state }) => sync_state === kind);
    return this.nodes.find(({ name }) => name === found?.application_name)!;
  }

  /** Runs SQL as the superuser on a node, past HAProxy. */
  async query<T extends pg.QueryResultRow>(
    node: PatroniNode,
    text: string,
    database = 'platform',
  ): Promise<T[]> {
    const client = new pg.Client({
      host: node.address,
      user: 'postgres',
      password: PASSWORD,
      database,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<T>(text)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /**
   * Waits until both standbys replicate, one of them synchronously.
   * @throws Error when that takes too long
   */
  async untilWhole(): Promise<void> {
    const isWhole = async (): Promise<boolean> => {
      const { replication = [] } = await stateOf(await this.primary());
      const kinds = replication.filter(({ state }) => state === 'streaming');
      return (
        kinds
          .map(({ sync_state }) => sync_state)
          .sort()
          .join() === 'async,sync'
      );
    };
    if ((await until(isWhole, { within: START_TIMEOUT, every: 200 })) === undefined)
      throw new Error(`the cluster does not become whole: ${this.logs()}`);
  }

  /** SIGKILL for PostgreSQL of a node; Patroni lives. */
  killPostgres(node: PatroniNode): void {
    const file = join(node.folder, 'data', 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
  }

  /** SIGKILL for Patroni and PostgreSQL of a node, as when its machine is lost; its member of etcd lives. */
  kill(node: PatroniNode): void {
    const etcd = this.etcds.get(node)?.pid;
    killAll(processesOf(node).filter((pid) => pid !== etcd));
  }

  /** Starts Patroni of a node, which starts its PostgreSQL. */
  startPatroni(node: PatroniNode): void {
    this.run(node, 'patroni', ['patroni', SETTINGS]);
  }

  killEtcd(node: PatroniNode): void {
    this.etcds.get(node)?.kill('SIGKILL');
  }

  startEtcd(node: PatroniNode, state: 'new' | 'existing' = 'existing'): void {
    const peers = this.nodes.map(({ name, address }) => `${name}=http://${address}:2380`);
    const client = `http://${node.address}:2379`;
    const peer = `http://${node.address}:2380`;
    const options = {
      name: node.name,
      'data-dir': join(node.folder, 'etcd'),
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'initial-cluster': peers.join(','),
      'initial-cluster-state': state,
    };
    const list = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    this.etcds.set(node, this.run(node, 'etcd', ['etcd', ...list]));
  }

  /** Cuts a node off from the other two, while clients still reach it. */
  cutOff(node: PatroniNode): void {
    this.routeToOthers(node, 'add');
  }

  /** The opposite of `cutOff`. */
  heal(node: PatroniNode): void {
    this.routeToOthers(node, 'delete');
  }

  /** Runs a command of `patronictl` on the cluster, e.g. `switchover`, `--force`. @returns what it prints */
  async control(command: string, ...args: string[]): Promise<string> {
    const [program, ...words] = this.controlCommand;
    const env = { ...process.env, ...this.environment };
    const all = [...words, command, SCOPE, ...args];
    return (await promisify(execFile)(program!, all, { env })).stdout;
  }

  /** How to call `patronictl` from a shell, without a command. */
  get controlLine(): string {
    return `PATRONI_ETCD3_HOSTS=${this.environment.PATRONI_ETCD3_HOSTS} ${this.controlCommand.join(' ')}`;
  }

  /** The ends of all logs. */
  logs(): string {
    return this.nodes
      .flatMap(({ folder }) => ['etcd', 'patroni'].map((name) => join(folder, `${name}.log`)))
      .map((file) => `${file}:\n${readFileSync(file, 'utf8').slice(-2_000)}`)
      .join('\n');
  }

  /** Ends every process, and removes the network and the data. May be called twice. */
  stop(): void {
    process.off('exit', this.atExit);
    for (const node of this.nodes) removeNamespace(node.namespace);
    quietly(() => ip('link', 'delete', this.bridge));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private readonly etcds = new Map<PatroniNode, ChildProcess>();
  private readonly controlCommand = ['patronictl', '-c', SETTINGS];

  private get environment() {
    return {
      PATRONI_ETCD3_HOSTS: this.nodes.map(({ address }) => `${address}:2379`).join(','),
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_PASSWORD: PASSWORD,
      // Only for `query`.
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    };
  }

  private connectNodes(): void {
    ip('link', 'add', this.bridge, 'type', 'bridge');
    ip('address', 'add', `${this.network}.254/24`, 'dev', this.bridge);
    ip('link', 'set', this.bridge, 'up');
    chmodSync(this.folder, 0o755);
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    ) as [number, number];
    for (const { namespace, address, folder } of this.nodes) {
      mkdirSync(folder, 0o700);
      chownSync(folder, uid, gid);
      ip('netns', 'add', namespace);
      ip('link', 'add', namespace, 'type', 'veth', 'peer', 'eth0', 'netns', namespace);
      ip('link', 'set', namespace, 'master', this.bridge, 'up');
      const inside = (...words: string[]): void => ip('-netns', namespace, ...words);
      inside('link', 'set', 'lo', 'up');
      inside('address', 'add', `${address}/24`, 'dev', 'eth0');
      inside('link', 'set', 'eth0', 'up');
    }
  }

  private routeToOthers(node: PatroniNode, action: 'add' | 'delete'): void {
    for (const { address } of this.nodes.filter((other) => other !== node))
      ip('-netns', node.namespace, 'route', action, 'unreachable', `${address}/32`);
  }

  /** Runs a program as `postgres` in the namespace of a node. */
  private run({ namespace, name, address, folder }: PatroniNode, log: string, words: string[]) {
    const output = openSync(join(folder, `${log}.log`), 'a');
    const as = 'setpriv --reuid=postgres --regid=postgres --init-groups';
    const script = `mount -t tmpfs -o mode=1777 sockets /run/postgresql && exec ${as} "$@"`;
    return spawn('ip', ['netns', 'exec', namespace, 'sh', '-c', script, 'sh', ...words], {
      cwd: folder,
      stdio: ['ignore', output, output],
      env: {
        PATH: `${process.env.PATH}:${this.bin}`,
        HOME: folder,
        ...this.environment,
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: `${address}:8008`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
        PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
        PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
        PATRONI_POSTGRESQL_BIN_DIR: this.bin,
        PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      },
    });
  }
}

/** Asks Patroni of a node; undefined without an answer. */
const ask = ({ address }: PatroniNode, path: string): Promise<Response | undefined> =>
  fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => undefined,
  );

const stateOf = async (node: PatroniNode): Promise<Primary> =>
  ((await ask(node, 'patroni'))?.json() ?? {}) as Primary;

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' });
}

const output = (...words: string[]): string => execFileSync('ip', words, { encoding: 'utf8' });

const processesOf = ({ namespace }: Pick<PatroniNode, 'namespace'>): number[] =>
  output('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number);

const killAll = (pids: number[]): void =>
  pids.forEach((pid) => quietly(() => process.kill(pid, 'SIGKILL')));

/** Removes a namespace and what runs in it. */
function removeNamespace(namespace: string): void {
  quietly(() => {
    // Patroni may have just started another process.
    for (let pids; (pids = processesOf({ namespace })).length > 0;) killAll(pids);
    ip('netns', 'delete', namespace);
  });
  // The kernel may keep the namespace for a while.
  quietly(() => ip('link', 'delete', namespace));
}

/** Removes the networks of runs that were killed. */
function removeLeftovers(): void {
  for (const [name, pid] of output('netns', 'list').matchAll(/^pp-(\d+)-\w+/gm))
    if (!isAlive(Number(pid))) {
      removeNamespace(name);
      quietly(() => ip('link', 'delete', `pp-${pid}`));
    }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is gone already.
  }
}

const exists = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};
