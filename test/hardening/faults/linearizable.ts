import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';
import { call, type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { CounterHistory } from './counter-history.js';
import { FeedFollower, StreamFollower } from './followers.js';

const TASKS = '/api/v2/process/tasks';
const WORKPLACE = '/navigation/workplace';

/** Writers by the way in which they write; they sum up to 32 at full size. */
const HTTP_WRITERS = 16;
const SQL_WRITERS = 15;
const READERS = 8;
const CONSUMERS = 3;

/** Rows of a statement of plain SQL, and lines of an imported file. */
const ROWS = 10;
const LINES = 50;

/** C20. */
export const linearizable: Section = async ({ scale }, report) => {
  const writes = rounds(1_000_000, scale);
  await measure(
    {
      id: 'C20',
      goal: 'counters from memory under 32 writers and kills: 0 older than an acknowledged write, 0 of what was rolled back; streams and feed arrive at what is stored',
    },
    report,
    async () => {
      const { history, kills } = await checkCounters({
        writes,
        reads: 1,
        kills: Math.max(1, rounds(40, scale)),
        streams: 200,
        imports: true,
      });
      return {
        figure: `${history.reads} reads and ${history.shown} numbers on streams beside ${history.acknowledged} acknowledged writes and ${kills} kills: ${history.wrong.length} wrong${history.wrong.length > 0 ? `, first ${history.wrong[0]}` : ''}`,
        met: history.wrong.length === 0 && history.reads > 0,
      };
    },
  );
};

interface Size {
  /** Tasks that are written at least. */
  writes: number;
  /** Reads that are answered at least: on a busy machine the writes go on for them. */
  reads: number;
  /** Times that a server or PostgreSQL is killed in between. */
  kills: number;
  /** Streams of counters that are open at once. */
  streams: number;
  /** Whether the command line imports files too: each takes some seconds. */
  imports: boolean;
}

/**
 * Checks answers from memory, streams of counters and the change feed on two servers on one database, while people, SQL
 * and imports write.
 */
export async function checkCounters(
  size: Size,
): Promise<{ history: CounterHistory; kills: number }> {
  const harness = await startHarness({ env: QUIET });
  try {
    return await new CounterCheck(harness, size).run();
  } finally {
    await harness.stop();
  }
}

/** A person whose counter is read, with the tokens of both servers' database. */
interface Reader {
  id: string;
  login: string;
  token: string;
}

class CounterCheck {
  private servers: ServerProcess[] = [];
  private readers: Reader[] = [];
  private engine = '';
  private application = '';
  private group = '';
  private members: string[] = [];
  private left: number;
  private kills = 0;
  private history = new CounterHistory([]);
  private consumers: FeedFollower[] = [];
  private watchers: { reader: Reader; stream: StreamFollower }[] = [];

  constructor(
    private readonly harness: Harness,
    private readonly size: Size,
  ) {
    this.left = size.writes;
  }

  async run(): Promise<{ history: CounterHistory; kills: number }> {
    await this.prepare();
    const readers = this.readers;
    const { id: first } = readers[0]!;
    const loops = [
      ...times(HTTP_WRITERS, (n) => this.write(() => this.byHttp(n))),
      ...times(SQL_WRITERS, (n) => this.writeBySql(n)),
      ...(this.size.imports ? [this.write(() => this.byImport(first))] : []),
      ...times(READERS, (n) => this.read(n)),
      ...this.consumers.map((consumer) => consumer.follow(() => this.goesOn)),
      ...this.watchers.map((_, n) => this.watch(n)),
      this.kill(),
    ];
    await Promise.all(loops);
    await this.settle();
    return { history: this.history, kills: this.kills };
  }

  private async prepare(): Promise<void> {
    this.servers = [await this.harness.serve(), await this.harness.serve()];
    const { port } = this.servers[0]!;
    const [{ application, group } = { application: '', group: '' }] = await this.harness.query<{
      application: string;
      group: string;
    }>(`WITH a AS (INSERT INTO applications (title, type) VALUES ('Counted', 'PROCESS') RETURNING id),
      v AS (INSERT INTO views (label, application_id, filters) SELECT 'Open', id, '{status:eq:open}' FROM a RETURNING id, application_id),
      c AS (INSERT INTO application_categories SELECT a.id, (SELECT min(id) FROM categories WHERE active) FROM a),
      g AS (INSERT INTO groups (label) VALUES ('Counted') RETURNING id)
      SELECT a.id::text AS application, g.id::text AS "group" FROM a, v, g`);
    await this.harness.query(
      `UPDATE applications SET view_id = (SELECT id FROM views WHERE application_id = ${application}) WHERE id = ${application}`,
    );
    this.application = application;
    this.group = group;
    const people = await this.harness.query<{ id: string; login: string }>(
      `SELECT id::text, login FROM users WHERE status = 1 AND NOT administrator AND NOT process_engine ORDER BY id LIMIT 10`,
    );
    this.readers = await Promise.all(
      people.map(async ({ id, login }) => ({ id, login, token: await tokenOf(port, login) })),
    );
    this.members = this.readers.slice(0, 4).map(({ id }) => id);
    await this.harness.query(
      `INSERT INTO group_members SELECT ${group}, id FROM users WHERE id IN (${this.members.join(', ')})`,
    );
    this.engine = await tokenOf(port, 'alice.martin');
    this.history = new CounterHistory(this.readers.map(({ id }) => id));
    const portOf = (n: number) => () => this.servers[n % 2]!.port;
    const admin = await tokenOf(port, 'alice.martin');
    this.consumers = times(CONSUMERS, (n) => new FeedFollower(portOf(n), admin, 'tasks'));
    const uri = `/navigation/applications/${application}`;
    this.watchers = times(this.size.streams, (n) => {
      const reader = this.readers[n % this.readers.length]!;
      // The streams of a person are spread over the servers: each admits ten.
      const port = portOf(Math.floor(n / this.readers.length));
      return { reader, stream: new StreamFollower(port, reader.token, uri) };
    });
  }

  /** Whom the next task belongs to: a person, or a group of four. */
  private nextOwner(turn: number): { column: string; id: string; people: string[] } {
    if (turn % 4 === 0) return { column: 'group_id', id: this.group, people: this.members };
    // Beyond the planned writes the turns are negative.
    const { id } = this.readers[Math.abs(turn) % this.readers.length]!;
    return { column: 'assignee_id', id, people: [id] };
  }

  private get goesOn(): boolean {
    return this.left > 0 || this.history.reads < this.size.reads;
  }

  private async write(one: () => Promise<void>): Promise<void> {
    while (this.goesOn) await one();
  }

  private async byHttp(writer: number): Promise<void> {
    const turn = this.left--;
    const { column, id, people } = this.nextOwner(turn);
    const raise = { people, by: 1 };
    const owner =
      column === 'group_id'
        ? { group: `/directory/groups/${id}` }
        : { assignee: `/directory/users/${id}` };
    const body = {
      title: 'Counted',
      application: `/navigation/applications/${this.application}`,
      ...owner,
    };
    const { port } = this.servers[writer % 2]!;
    await this.history
      .write(raise, async () => {
        const { status } = await call(port, TASKS, { method: 'POST', token: this.engine, body });
        if (status === 201) return;
        // A 503 may come after the commit, whose answer was lost.
        if (status < 500) {
          this.history.refuse(raise);
          throw new Error(`refused with ${status}`);
        }
        throw new Error('unknown');
      })
      .catch(() => delay(50));
  }

  /** Plain SQL: savepoints, rollbacks, and transactions that are held open. */
  private async writeBySql(writer: number): Promise<void> {
    let client: pg.Client | undefined;
    while (this.goesOn) {
      try {
        client ??= await this.harness.connect();
        await this.oneTransaction(client, writer);
      } catch {
        client = undefined;
        await delay(100);
      }
    }
  }

  private async oneTransaction(client: pg.Client, writer: number): Promise<void> {
    this.left -= ROWS;
    const turn = this.left + writer;
    const { column, id, people } = this.nextOwner(turn);
    const insert = `INSERT INTO tasks (title, application_id, ${column})
      SELECT 'Counted', ${this.application}, ${id} FROM generate_series(1, ${ROWS})`;
    if (turn % 5 === 0) {
      await client.query(`BEGIN; ${insert}`);
      if (turn % 10 === 0) await delay(100);
      await client.query('ROLLBACK');
      return;
    }
    await this.history.write({ people, by: ROWS }, async () => {
      await client.query('BEGIN');
      await client.query(`SAVEPOINT s; ${insert}; ROLLBACK TO s`);
      await client.query(insert);
      if (turn % 7 === 0) await delay(400 * Math.random());
      await client.query('COMMIT');
    });
  }

  /** One file by the command line. */
  private async byImport(assignee: string): Promise<void> {
    this.left -= LINES;
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-counters-'));
    const file = join(folder, 'tasks.jsonl');
    const task = {
      title: 'Counted',
      application: `/navigation/applications/${this.application}`,
      assignee: `/directory/users/${assignee}`,
    };
    const line = (n: number) => JSON.stringify({ reference: `I-${this.left}-${n}`, ...task });
    writeFileSync(file, `${times(LINES, line).join('\n')}\n`);
    await this.history
      .write({ people: [assignee], by: LINES }, () => this.runImport(file))
      .catch(() => undefined);
    rmSync(folder, { recursive: true });
  }

  private runImport(file: string): Promise<void> {
    const env = { ...process.env, DATABASE_URL: this.harness.url };
    const child = spawn(process.execPath, ['dist/src/cli.js', 'import', 'tasks', file], {
      env,
      stdio: 'ignore',
    });
    return new Promise((resolve, reject) => {
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`the import ended with ${code}`)),
      );
    });
  }

  private async read(reader: number): Promise<void> {
    for (let turn = reader; this.goesOn; turn++) {
      const { id, token } = this.readers[turn % this.readers.length]!;
      const server = turn % 2;
      await this.history.read(id, `server ${server}`, () => this.countOf(server, token));
    }
  }

  private async countOf(server: number, token: string): Promise<number | undefined> {
    const uri = encodeURIComponent(`/navigation/applications/${this.application}`);
    const path = `${WORKPLACE}/apps/indicator?applicationUri=${uri}`;
    try {
      const { status, body } = await call(this.servers[server]!.port, path, { token });
      if (status === 200) return (body as { count: number }).count;
    } catch {
      // The server is being killed.
    }
    await delay(20);
    return undefined;
  }

  private async watch(n: number): Promise<void> {
    const { reader, stream } = this.watchers[n]!;
    await stream.follow(
      () => this.goesOn,
      (count) => this.history.show(reader.id, `stream ${n}`, count),
    );
  }

  /** Kills the second server and PostgreSQL alternately, evenly over the writes. */
  private async kill(): Promise<void> {
    const { writes, kills } = this.size;
    for (let n = 1; n <= kills; n++) {
      const when = writes - (n * writes) / (kills + 1);
      while (this.left > when) await delay(20);
      if (n % 2 === 1) {
        process.kill(this.servers[1]!.pid, 'SIGKILL');
        this.servers[1] = await this.harness.serve();
      } else {
        await this.harness.endPostgres('killed');
        await this.harness.startPostgres();
      }
      this.kills++;
    }
  }

  /** Once everything is quiet, both servers answer what is stored, streams show it, and consumers have it. */
  private async settle(): Promise<void> {
    const counts = new Map<string, number>();
    for (const { id, token } of this.readers) {
      const [row] = await this.harness.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM tasks WHERE application_id = ${this.application} AND status = 'open'
          AND (assignee_id = ${id} OR group_id IN (SELECT group_id FROM group_members WHERE user_id = ${id}))`,
      );
      for (const server of [0, 1]) {
        let found: number | undefined;
        await until(async () => (found = await this.countOf(server, token)) !== undefined);
        this.history.settle(id, `server ${server}`, found ?? -1, row!.count);
      }
      counts.set(id, row!.count);
    }
    await Promise.all(
      this.watchers.map(async ({ reader: { id }, stream }, n) => {
        const count = counts.get(id)!;
        this.history.settle(id, `stream ${n}`, (await stream.settle(count)) ?? -1, count);
      }),
    );
    const stored = await this.harness.query<{ id: string; revision: number }>(
      'SELECT id::text, revision FROM tasks',
    );
    for (const consumer of this.consumers) {
      await consumer.catchUp();
      const differences = consumer.differences(stored.map(({ id, revision }) => [id, revision]));
      this.history.wrong.push(...differences.map((one) => `feed: task ${one}`));
    }
  }
}

const times = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n));
