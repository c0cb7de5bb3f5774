import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  QueryResult,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import { sqlStateOf } from '../base/errors/database-errors.js';
import { unavailable } from '../base/errors/api-errors.js';
import { Tracing } from '../http/tracing/tracing.js';
import {
  LOCK_TIMEOUT,
  LONG_READS_AT_ONCE,
  POOL_SIZE,
  SEARCHES_AT_ONCE,
} from './connection-options.js';
import { ConcurrencyLimiter } from '../base/concurrency/limiter.js';
import { KeyedLimiter } from '../base/concurrency/keyed-limiter.js';

/** A row as an array of column values, in the order of the SELECT. */
export type Row = unknown[];

/** A statement whose values are bound. */
export interface BoundStatement {
  text: string;
  values: unknown[];
  /**
   * Whether PostgreSQL keeps a plan for this text, which is the default. Not for texts that callers shape, nor for
   * those whose best plan depends on the values.
   */
  prepared?: boolean;
  /**
   * Set if the cost depends on the values. The statement then runs on one of the connections for searches, of which
   * this person (an id) gets a few at a time.
   */
  searcher?: string | undefined;
  /** Whether a search is slow. Few of these run at once, apart from the places of other searches. */
  isLong?: boolean | undefined;
  /** A time limit of the statement in milliseconds, for reads only. PostgreSQL then ends it with 57014. */
  limit?: number | undefined;
}

/** Runs statements: the pool, or a transaction. */
export interface Reader {
  /** Rows as arrays, which are cheaper to decode: for lists, search and the workplace. */
  rows(statement: BoundStatement): Promise<Row[]>;
  /** Rows as objects with the names of the selected columns, for everything else. */
  query<T>(statement: BoundStatement): Promise<T[]>;
  /** Runs a statement for its effect; returns how many rows it wrote. */
  execute(statement: BoundStatement): Promise<number>;
}

/** Whether `pg` returns rows as arrays; as objects by default. */
interface RowShape {
  rowMode?: 'array';
}

/** What `pg` answers. */
interface ClientResult {
  rows: unknown[];
  rowCount: number | null;
}

/** The three forms of a statement's result. */
abstract class StatementRunner implements Reader {
  /** @param waited how long the statement waited elsewhere, in milliseconds */
  protected abstract run(
    statement: BoundStatement,
    options?: RowShape,
    waited?: number,
  ): Promise<ClientResult>;

  async rows(statement: BoundStatement, waited?: number): Promise<Row[]> {
    return (await this.run(statement, { rowMode: 'array' }, waited)).rows as Row[];
  }

  async query<T>(statement: BoundStatement, waited?: number): Promise<T[]> {
    return (await this.run(statement, {}, waited)).rows as T[];
  }

  async execute(statement: BoundStatement): Promise<number> {
    return (await this.run(statement)).rowCount ?? 0;
  }
}

/**
 * SQLSTATEs of a session's stale plan: a migration has changed the type of a column, or a pooler between this server
 * and the database has dropped the plan. PostgreSQL reports both before it executes anything.
 */
const STALE_PLAN = new Set(['0A000', '26000']);

/** Conflicts that a repetition resolves: serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01']);
const MAX_TRIES = 3;

/** The wait for a connection is bounded, so that the server rejects a request early if it cannot serve it. */
const MAX_WAITING = 100;
const PATIENCE = 2_000;

/**
 * A wait for a connection beyond the first limit shortens the wait for locks, down to the second: both together may not
 * take twice as long as one.
 */
const LONG_WAIT = 250;
const LEAST_LOCK_TIMEOUT = 100;

/** Limits of the searches of one person, which leave most of the connections to other people. */
const SEARCHES_OF_ONE = { maxConcurrent: 2, maxQueued: 16, queueTimeout: PATIENCE };

/** The name under which a session keeps the plan of a statement; undefined when it keeps none. */
export const nameOf = ({ text, prepared = true }: BoundStatement): string | undefined =>
  prepared ? hash('sha1', text, 'base64url') : undefined;

/** One transaction: statements, and TypeORM's manager on the same connection. */
export class Transaction extends StatementRunner {
  constructor(
    private readonly client: PoolClient,
    readonly manager: EntityManager,
    private readonly prepares: boolean,
  ) {
    super();
  }

  /** The repository of an entity on this connection. */
  of<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return this.manager.getRepository(entity);
  }

  run(statement: BoundStatement, options: RowShape = {}): Promise<ClientResult> {
    const { text, values } = statement;
    const name = this.prepares ? nameOf(statement) : undefined;
    const query: QueryConfig & RowShape = { name, text, values, ...options };
    return this.client.query(query);
  }
}

/** Runs statements on the pool, and transactions. */
@Injectable()
export class Database extends StatementRunner {
  private readonly connections = new ConcurrencyLimiter({
    maxConcurrent: POOL_SIZE,
    maxQueued: MAX_WAITING,
    queueTimeout: PATIENCE,
  });
  private readonly searches = new ConcurrencyLimiter({
    maxConcurrent: SEARCHES_AT_ONCE,
    maxQueued: MAX_WAITING,
    queueTimeout: PATIENCE,
  });
  private readonly longReads = new ConcurrencyLimiter({
    maxConcurrent: LONG_READS_AT_ONCE,
    maxQueued: MAX_WAITING,
    queueTimeout: PATIENCE,
  });
  private readonly searchesOfOne = new KeyedLimiter(SEARCHES_OF_ONE);
  /** Called after each transaction. */
  committed: () => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tracing: Tracing,
  ) {
    super();
    const create = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (mode) => this.onPool(create(mode));
  }

  /** The present load of the pool. */
  get load(): { inUse: number; idle: number; waiting: number } {
    const { totalCount, idleCount } = this.pool;
    const waiting =
      this.connections.waitingCount + this.searches.waitingCount + this.longReads.waitingCount;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting };
  }

  /**
   * Runs one statement on a connection of the pool, and repeats it after a conflict.
   * @param waited how long it waited elsewhere, in milliseconds, which counts as waiting for the connection
   * @throws ApiError 503 when no connection becomes free in time; 429 when too many searches of the same person wait
   */
  protected run(
    statement: BoundStatement,
    options: RowShape = {},
    waited = 0,
  ): Promise<ClientResult> {
    const { searcher, isLong, limit } = statement;
    const send = (waited: number) =>
      limit === undefined
        ? this.send(statement, options)
        : this.runWithin(limit, statement, options, waited);
    const trace = (waited: number) => this.tracing.statement(statement.text, () => send(waited));
    const run = (before: number) =>
      this.connections.run(
        (waited) =>
          waited < LONG_WAIT || limit !== undefined
            ? trace(waited)
            : this.attempt((transaction) => transaction.run(statement, options), {
                prepares: false,
                waited,
              }),
        before,
      );
    if (searcher === undefined) return again(() => run(waited));
    const places = isLong ? this.longReads : this.searches;
    const search = (before: number) => places.run(run, before);
    return again(() => this.searchesOfOne.run(searcher, search, waited));
  }

  /**
   * Runs one statement that reads, within a time limit of its own (milliseconds).
   * @throws DatabaseError 57014 when the time limit passes
   */
  rowsWithin(limit: number, statement: BoundStatement): Promise<Row[]> {
    return this.rows({ ...statement, limit });
  }

  /**
   * Runs `work` in one transaction, and repeats it after a conflict.
   * @throws ApiError 503 when no connection becomes free in time, or it is lost
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const run = (prepares: boolean) =>
      again(() => this.connections.run((waited) => this.attempt(work, { prepares, waited })));
    try {
      return await run(true);
    } catch (error) {
      if (!hasCode(error, STALE_PLAN)) throw error;
      return run(false);
    }
  }

  /** Runs a transaction and rolls it back: its result says what it would have done. */
  async rehearse<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const rehearsed: T[] = [];
    const end = new Error('rehearsed');
    try {
      await this.transaction(async (transaction) => {
        rehearsed.push(await work(transaction));
        throw end;
      });
    } catch (error) {
      if (error !== end) throw error;
    }
    return rehearsed.at(-1)!;
  }

  /**
   * Gives TypeORM's statements outside of transactions, e.g. those of an injected repository, the limits, repetitions
   * and plans of `run`.
   */
  private onPool(runner: QueryRunner): QueryRunner {
    const query = runner.query.bind(runner) as (...all: unknown[]) => Promise<unknown>;
    const send = async (text: string, values: unknown[] = [], isStructured = false) => {
      if (runner.isTransactionActive) return query(text, values, isStructured);
      const { rows, rowCount } = await this.run({ text, values });
      const result = { raw: rows, records: rows, affected: rowCount ?? 0 };
      return isStructured ? Object.assign(new QueryResult(), result) : rows;
    };
    return Object.assign(runner, { query: send as QueryRunner['query'] });
  }

  private async send(statement: BoundStatement, options: RowShape): Promise<ClientResult> {
    const { text, values } = statement;
    const query: QueryConfig & RowShape = { text, values, ...options };
    const name = nameOf(statement);
    if (name === undefined) return this.pool.query(query);
    try {
      return await this.pool.query({ ...query, name });
    } catch (error) {
      if (!hasCode(error, STALE_PLAN)) throw error;
      return this.pool.query(query);
    }
  }

  private async runWithin(
    limit: number,
    statement: BoundStatement,
    options: RowShape,
    waited: number,
  ): Promise<ClientResult> {
    const { text, values } = statement;
    const query: QueryConfig & RowShape = { text, values, ...options };
    const name = nameOf(statement);
    const run = (query: QueryConfig) => this.sendWithin(limit, query, waited);
    if (name === undefined) return run(query);
    try {
      return await run({ ...query, name });
    } catch (error) {
      if (!hasCode(error, STALE_PLAN)) throw error;
      return run(query);
    }
  }

  private async sendWithin(
    limit: number,
    query: QueryConfig,
    waited: number,
  ): Promise<ClientResult> {
    const client = await this.pool.connect();
    try {
      await client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(limit)}; ${lockLimit(waited)}`,
      );
      return await client.query(query);
    } finally {
      // The transaction has written nothing, so its caller need not wait for the end.
      client.query('ROLLBACK').then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    }
  }

  private async attempt<T>(
    work: (transaction: Transaction) => Promise<T>,
    { prepares, waited }: { prepares: boolean; waited: number },
  ): Promise<T> {
    const runner: QueryRunner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const limit = lockLimit(waited);
      if (limit !== '') await client.query(limit);
      const result = await work(new Transaction(client, runner.manager, prepares));
      await runner.commitTransaction();
      this.committed();
      return result;
    } catch (error) {
      // The runner releases a broken connection, and then only reports its own misuse.
      if (runner.isReleased) throw unavailable();
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

/** SQL of the lock limit of a transaction that waited this long (milliseconds) for its connection. */
const lockLimit = (waited: number): string =>
  waited < LONG_WAIT
    ? ''
    : `SET LOCAL lock_timeout = ${Math.ceil(Math.max(LEAST_LOCK_TIMEOUT, LOCK_TIMEOUT - waited))}`;

/** Repeats work after a short pause if it failed by a conflict. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_TRIES || !hasCode(error, TRANSIENT)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  codes.has(sqlStateOf(error) ?? '');
