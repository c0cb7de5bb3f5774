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
   * Keep a plan for this text under a name, which is the default; not for texts that callers shape, and
   * not for those whose best plan depends on the values.
   */
  prepared?: boolean;
  /**
   * Given where its cost depends on the values: it runs on one of the connections for searches, of
   * which this person (an id) gets a few at a time.
   */
  searcher?: string | undefined;
  /** Whether a search takes long: few of these run at once, and take no place of other searches. */
  isLong?: boolean | undefined;
  /** A time limit of its own in milliseconds, for a statement that reads; past it, PostgreSQL ends it with 57014. */
  limit?: number | undefined;
}

/** What runs statements: the pool, or a transaction. */
export interface Reader {
  /** Rows as arrays, which are cheaper to decode: for lists, search and the workplace. */
  rows(statement: BoundStatement): Promise<Row[]>;
  /** Rows as objects, whose names are those of the columns in the SELECT: for everything else. */
  query<T>(statement: BoundStatement): Promise<T[]>;
  /** Runs a statement for its effect; returns how many rows it wrote. */
  execute(statement: BoundStatement): Promise<number>;
}

/** What also has the repositories of entities: the pool, or a transaction. */
export interface Store extends Reader {
  /** The repository of an entity, whose statements run here. */
  of<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
}

/** Whether `pg` answers rows as arrays; as objects when left out. */
interface RowShape {
  rowMode?: 'array';
}

/** What `pg` answers. */
interface ClientResult {
  rows: unknown[];
  rowCount: number | null;
}

/** The three forms in which a caller may want the result of a statement. */
abstract class StatementRunner implements Store {
  protected abstract readonly manager: EntityManager;

  /** @param waited how long the statement waited elsewhere, in milliseconds */
  protected abstract run(
    statement: BoundStatement,
    options?: RowShape,
    waited?: number,
  ): Promise<ClientResult>;

  of<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return this.manager.getRepository(entity);
  }

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
 * A session's plan that does not fit any more: a migration changed the type of a column, or somebody
 * between us and the database forgot it. Both are told before anything is done.
 */
const STALE_PLAN = new Set(['0A000', '26000']);

/** Conflicts that pass when the work is done again: serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01']);
const MAX_TRIES = 3;

/**
 * Waiting for a connection is bounded, so that a request that cannot be served learns it soon.
 */
const MAX_WAITING = 100;
const PATIENCE = 2_000;

/**
 * Who waited longer than this for a connection has so much less time for locks, and at least the
 * other: waiting for both may not take twice as long as for one.
 */
const LONG_WAIT = 250;
const LEAST_LOCK_TIMEOUT = 100;

/** Those of one person: slow ones leave most of the connections to the searches of other people. */
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

  run(statement: BoundStatement, options: RowShape = {}): Promise<ClientResult> {
    const { text, values } = statement;
    const name = this.prepares ? nameOf(statement) : undefined;
    const query: QueryConfig & RowShape = { name, text, values, ...options };
    return this.client.query(query);
  }
}

/** The way to the database: statements on the pool, and transactions. */
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

  protected readonly manager: EntityManager;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tracing: Tracing,
  ) {
    super();
    this.manager = dataSource.manager;
    const create = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (mode) => this.onPool(create(mode));
  }

  /** What the pool is doing now. */
  get load(): { inUse: number; idle: number; waiting: number } {
    const { totalCount, idleCount } = this.pool;
    const waiting =
      this.connections.waitingCount + this.searches.waitingCount + this.longReads.waitingCount;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting };
  }

  /**
   * Runs one statement on a connection of the pool; again after a conflict that passes by itself.
   * @param waited how long it waited elsewhere, in milliseconds, as if it had been for the connection
   * @throws ApiError 503 when no connection becomes free in time; 429 when too many searches of the
   * same person wait
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
   * @throws DatabaseError 57014 when the time is over
   */
  rowsWithin(limit: number, statement: BoundStatement): Promise<Row[]> {
    return this.rows({ ...statement, limit });
  }

  /**
   * Runs `work` in one transaction; it is run again after a conflict that passes by itself.
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

  /** Outside of a transaction, TypeORM's statements have the limits, tries and plans of `run`, e.g. those of an injected repository. */
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
      // Nothing was written, so that nobody has to wait for the end.
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
      // The runner lets go of a connection that broke, and then only complains of itself.
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

/** SQL for the rest of a transaction that waited so long (milliseconds) for its connection. */
const lockLimit = (waited: number): string =>
  waited < LONG_WAIT
    ? ''
    : `SET LOCAL lock_timeout = ${Math.ceil(Math.max(LEAST_LOCK_TIMEOUT, LOCK_TIMEOUT - waited))}`;

/** Tries again, after a moment, what failed by a conflict that passes by itself. */
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
