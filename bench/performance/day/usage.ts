import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { EmbeddedServer } from '../../../src/database/embedded/embedded-server.js';
import { familyOf, TICKS, timeOfAll } from '../costs.js';

/** Processor time in seconds; `others` is that of everything else on the computer. */
export interface ProcessorTime {
  server: number;
  database: number;
  driver: number;
  others: number;
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** Nanoseconds of processor time that the threads of each process have used. */
const exactTimes = (processes: number[]): Map<number, number> =>
  new Map(
    processes.map((pid) => [
      pid,
      tasksOf(pid).reduce((sum, task) => sum + timeOfTask(pid, task), 0),
    ]),
  );

const timeOfTask = (pid: number, task: string): number =>
  Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]);

const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** What a server, its PostgreSQL and this process use. */
export class Usage {
  /** Most memory so far in megabytes: of each process of the server, and of PostgreSQL, which counts what processes share once. */
  readonly memory = { ofProcess: 0, database: 0 };

  constructor(
    private readonly server: number,
    private readonly database: EmbeddedServer,
    private readonly client: pg.Client,
  ) {}

  processorTime(): ProcessorTime {
    const { user, system } = process.cpuUsage();
    const driver = (user + system) / 1e6;
    const server = timeOfAll(familyOf(this.server));
    const database = timeOfAll(familyOf(this.database.pid));
    // user, nice and system; waiting for the disk is no work.
    const all =
      read('/proc/stat')
        .split('\n')[0]!
        .split(/\s+/)
        .slice(1, 4)
        .reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    return { server, database, driver, others: all - server - database - driver };
  }

  /** Milliseconds of processor time of the server and of PostgreSQL for a piece of work, without processes that have begun or ended. */
  async costOf(work: () => Promise<unknown>): Promise<{ server: number; database: number }> {
    const look = () => [this.server, this.database.pid].map((pid) => exactTimes(familyOf(pid)));
    const before = look();
    await work();
    const [server, database] = look().map(
      (after, at) =>
        [...after].reduce((sum, [pid, time]) => sum + time - (before[at]!.get(pid) ?? time), 0) /
        1e6,
    );
    return { server: server!, database: database! };
  }

  lookAtMemory(): void {
    const { memory } = this;
    const status = familyOf(this.server).map((pid) => read(`/proc/${pid}/status`));
    memory.ofProcess = Math.max(
      memory.ofProcess,
      ...status.map((text) => kilobytes(text, 'VmHWM') / 1024),
    );
    const pages = familyOf(this.database.pid).map(
      (pid) => kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss') / 1024,
    );
    memory.database = Math.max(
      memory.database,
      pages.reduce((sum, one) => sum + one, 0),
    );
  }

  /** Sizes in megabytes; `wal` is what has been written to the log since the database was created. */
  async disk(): Promise<{
    database: number;
    wal: number;
    audit: number;
    tokens: number;
    changes: number;
  }> {
    const { rows } = await this.client.query<
      Record<'database' | 'wal' | 'audit' | 'tokens' | 'changes', number>
    >(
      `SELECT pg_database_size(current_database()) / 1e6 AS database, (pg_current_wal_insert_lsn() - '0/0')::float8 / 1e6 AS wal,
         (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('audit')) / 1e6 AS audit,
         pg_total_relation_size('tokens') / 1e6 AS tokens,
         (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('changes')) / 1e6 AS changes`,
    );
    const sizes = Object.entries(rows[0]!).map(([name, size]) => [name, Math.round(Number(size))]);
    return Object.fromEntries(sizes) as Awaited<ReturnType<Usage['disk']>>;
  }
}

/** Statements of one class: how many ran, and how long they took in milliseconds. */
export interface Statements {
  class: string;
  calls: number;
  time: number;
}

const CLASSES = `CASE
  WHEN query LIKE '%pg_current_snapshot()%change_parts%' THEN 'journal of changes'
  WHEN query ~* '^\\s*(BEGIN|START|COMMIT|ROLLBACK|SET|RESET)' THEN 'begin and end of transactions'
  WHEN query ~* '\\m(INSERT INTO|UPDATE|DELETE FROM|FOR (NO KEY )?UPDATE|FOR (KEY )?SHARE|pg_advisory|pg_notify|COPY|VACUUM)\\M' THEN 'writes, locks and what they read'
  WHEN query ~* '\\mFROM (tokens|parameters|passwords|sign_ins|identities|mails|endpoints|task_mail_rounds|api_keys)\\M' THEN 'reads of sessions, parameters and queues'
  ELSE 'other reads' END`;

/** The statements of the database by class, from pg_stat_statements, and the most costly ones. */
export class StatementCounts {
  private constructor(private readonly superuser: pg.Client) {}

  static async begin(server: EmbeddedServer): Promise<StatementCounts> {
    const client = new pg.Client(server.superuser);
    await client.connect();
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    return new StatementCounts(client);
  }

  reset = (): Promise<unknown> => this.superuser.query('SELECT pg_stat_statements_reset()');

  async read(): Promise<{ classes: Statements[]; costly: unknown[] }> {
    const from = `FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = 'platform' AND toplevel`;
    const classes = await this.superuser.query<Statements>(
      `SELECT ${CLASSES} AS class, sum(calls)::int AS calls, round(sum(total_exec_time))::int AS time ${from} GROUP BY 1 ORDER BY 3 DESC`,
    );
    const costly = await this.superuser.query(
      `SELECT ${CLASSES} AS class, calls::int, round(total_exec_time)::int AS time, left(regexp_replace(query, '\\s+', ' ', 'g'), 300) AS text ${from}
       ORDER BY total_exec_time DESC LIMIT 60`,
    );
    return { classes: classes.rows, costly: costly.rows };
  }

  end = (): Promise<void> => this.superuser.end();
}
