import pg from 'pg';
import type { Tracing } from '../http/tracing/tracing.js';
import { boundPreparedStatements } from './prepared-statements.js';

/**
 * SQLSTATEs after which a session is unusable: read-only, a failed transaction left open, shut down, stale
 * plans.
 */
const UNFIT = /^(25006|25P02|25P03|55000|57P0\d|08|0A000|26000)/;

/** Begins like pg's own message for a lost connection, so that both get the same answer. */
const NO_ANSWER = 'Connection terminated: no answer in time';

/** Likewise. A standby may lag, and would serve a session that has been revoked. */
const STANDBY = 'Connection terminated: the database is a standby';

/** What PostgreSQL reports of a session (https://www.postgresql.org/docs/current/libpq-status.html). */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Settings beside pg's own. */
export interface EvictingClientConfig extends pg.ClientConfig {
  /** How long an answer may take, in milliseconds, before the client drops the session. */
  answerTimeout?: number;
  tracing?: Tracing;
}

/**
 * A client that ends itself when its session becomes unusable, or is one of a standby, so that the pool replaces it.
 * Otherwise the pool would hand a demoted primary or a leaked transaction to request after request. It keeps a bounded
 * number of prepared statements, and traces the statements that the server awaits, not those of the pool.
 */
export class EvictingClient extends pg.Client {
  private awaitsAnswer = false;

  constructor(config?: EvictingClientConfig) {
    super(config);
    // Without a listener, a connection that breaks while idle would end the process.
    this.on('error', () => undefined);
    this.connection.on('parameterStatus', (status: ParameterStatus) => {
      if (status.parameterName === 'in_hot_standby' && status.parameterValue === 'on')
        this.connection.stream.destroy(new Error(STANDBY));
    });
    boundPreparedStatements(this);
    const watch = config?.answerTimeout ? this.watchAnswers(config.answerTimeout) : undefined;
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const judged = (args: unknown[]) => {
      this.awaitsAnswer = true;
      watch?.refresh();
      const result = query(...args);
      if (result instanceof Promise) result.catch((error: unknown) => this.judge(error));
      return result;
    };
    const tracing = config?.tracing;
    this.query = ((...args: unknown[]) => {
      const text = awaitedText(args);
      if (!tracing || text === undefined) return judged(args);
      return tracing.statement(text, () => judged(args) as Promise<unknown>);
    }) as typeof this.query;
  }

  private judge(error: unknown): void {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && UNFIT.test(code)) this.end().catch(() => undefined);
  }

  /**
   * Ends the connection when no answer came in time, which fails every statement on it. One timer serves
   * all statements: pg's own timer for each made the rows of every answer survive the first garbage
   * collection, which doubled its time.
   */
  private watchAnswers(timeout: number): NodeJS.Timeout {
    const giveUp = (): void => {
      if (this.awaitsAnswer) this.connection.stream.destroy(new Error(NO_ANSWER));
    };
    const timer = setTimeout(giveUp, timeout).unref();
    this.on('drain', () => (this.awaitsAnswer = false));
    this.on('end', () => clearTimeout(timer));
    return timer;
  }
}

/** The text of a statement that returns a promise: neither a callback nor a stream. */
function awaitedText(args: unknown[]): string | undefined {
  if (typeof args.at(-1) === 'function') return undefined;
  const [query] = args as [string | { text?: string; submit?: unknown }];
  if (typeof query === 'string') return query;
  return query.submit === undefined ? query.text : undefined;
}
