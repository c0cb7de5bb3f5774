import pg from 'pg';
import type { Config } from '../base/config/config.js';
import { clientOptions } from './connection-options.js';
import type { BoundStatement, Reader, Row } from './database.js';

/**
 * A connection outside the pool, without the time limits of requests. A lost connection fails the pending
 * statement.
 */
export class DedicatedConnection implements Reader {
  private constructor(readonly client: pg.Client) {}

  /** Runs work on one connection, and closes it. */
  static async on<T>(
    config: Config,
    work: (session: DedicatedConnection) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client(clientOptions(config));
    client.on('error', () => undefined);
    try {
      // pg leaves the socket open when a password is missing, which would keep the process alive.
      await client.connect();
      return await work(new DedicatedConnection(client));
    } finally {
      await client.end();
    }
  }

  async rows({ text, values }: BoundStatement): Promise<Row[]> {
    return (await this.client.query<Row>({ text, values, rowMode: 'array' })).rows;
  }

  async query<T>({ text, values }: BoundStatement): Promise<T[]> {
    return (await this.client.query<T & object>({ text, values })).rows;
  }

  execute({ text, values }: BoundStatement): Promise<number> {
    return this.run(text, values);
  }

  /** Runs a statement; returns how many rows it changed. */
  async run(text: string, values: unknown[] = []): Promise<number> {
    return (await this.client.query(text, values)).rowCount ?? 0;
  }

  /**
   * Runs work in one transaction, which commits when the result says `keep` and rolls back otherwise.
   * @param begin e.g. `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
   */
  async transaction<T>(
    work: () => Promise<{ keep: boolean; result: T }>,
    begin = 'BEGIN',
  ): Promise<T> {
    await this.run(begin);
    try {
      const { keep, result } = await work();
      await this.run(keep ? 'COMMIT' : 'ROLLBACK');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
