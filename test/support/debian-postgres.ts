import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PATIENCE } from './eventually.js';
import { until } from './until.js';

/**
 * The folder of a PostgreSQL with pg_basebackup and pg_dump, which the embedded one lacks: POSTGRES_BIN, else
 * Debian's. Undefined when neither exists.
 */
export const postgresBin = (): string | undefined =>
  [
    process.env.POSTGRES_BIN,
    ...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`),
  ].find((folder) => folder !== undefined && existsSync(join(folder, 'pg_basebackup')));

/** The user and group that run PostgreSQL, which refuses to run as root: `postgres`, else our own. */
function runAs(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A PostgreSQL that listens on a port of the loopback interface. */
export interface Node {
  port: number;
  data: string;
  child: ChildProcess;
  query<T extends pg.QueryResultRow>(text: string, database?: string): Promise<T[]>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The programs of one installation, and the folder of its data. */
export class Cluster {
  private readonly who = runAs();
  private readonly folder: string;
  private readonly nodes: Node[] = [];
  /** Below the ports that Linux gives to outgoing connections and to servers without a port of their own. */
  private nextPort = 12_000 + Math.floor(Math.random() * 20_000);

  constructor(private readonly bin: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'process-platform-cluster-'));
    if (this.who.uid !== undefined) chownSync(this.folder, this.who.uid, this.who.gid!);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs a program and waits for its end. */
  run(program: string, args: string[]): void {
    const path = program.includes('/') ? program : join(this.bin, program);
    execFileSync(path, args, { ...this.who, cwd: this.folder, stdio: 'pipe' });
  }

  initialize(name: string): string {
    const data = this.path(name);
    this.run('initdb', [
      '-N',
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
    ]);
    return data;
  }

  async start(
    data: string,
    settings: Record<string, string> = {},
    port = this.nextPort++,
  ): Promise<Node> {
    const log = `${data}.log`;
    const output = openSync(log, 'a');
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      ...settings,
    };
    const child = spawn(
      join(this.bin, 'postgres'),
      ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...this.who, cwd: this.folder, stdio: ['ignore', output, output] },
    );
    const ended = new Promise<void>((done) => child.once('exit', () => done()));
    const query: Node['query'] = async (text, database = 'postgres') => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: 'postgres',
        database,
        connectionTimeoutMillis: PATIENCE,
      });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text)).rows as never;
      } finally {
        await client.end();
      }
    };
    const node: Node = {
      port,
      data,
      child,
      query,
      end: async (signal) => {
        if (!hasEnded()) child.kill(signal);
        await ended;
      },
    };
    this.nodes.push(node);
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    // Another cluster may listen at its port.
    const isUp = async (): Promise<boolean> =>
      (await query('SHOW data_directory'))[0]?.data_directory === data;
    const up = await until(async () => hasEnded() || (await isUp()), { within: 60_000 });
    if (up === undefined || hasEnded())
      throw new Error(`PostgreSQL does not start: ${readFileSync(log, 'utf8')}`);
    return node;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.end('SIGQUIT')));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
