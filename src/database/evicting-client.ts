import pg from 'pg';
import type { Tracing } from '../tracing/tracing.js';
import { boundPreparedStatements } from './prepared-statements.js';

/**
 * After these a session is of no further use: read-only, a failed transaction left open, shut down,
 * plans that do not fit any more.
 */
const UNFIT = /^(25006|25P02|25P03|57P0\d|08|0A000|26000)/;

/** Begins like pg's own word for a connection that is gone, and is answered alike. */
const NO_ANSWER = 'Connection terminated: no answer in time';

/** What such a client can be told beside pg's own settings. */
export interface EvictingClientConfig extends pg.ClientConfig {
  /** How long an answer may take, in milliseconds, before the session is given up. */
  answerTimeout?: number;
  tracing?: Tracing;
}

/**
 * A client that ends itself when its session became unfit, so that the pool replaces it; a demoted
 * primary or a leaked transaction would otherwise be handed to request after request.
 * It keeps a bounded number of prepared statements, and tells of the statements that are awaited on it;
 * those of the pool itself are not.
 */
export class EvictingClient extends pg.Client {
  private awaitsAnswer = false;

  constructor(config?: EvictingClientConfig) {
    super(config);
    // Without a listener a broken connection between two uses would end the process.
    this.on('error', () => undefined);
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
   * Ends the connection when no answer came in time: all that was asked on it fails then. One timer for
   * all statements: pg's own, one for each, have the garbage collector keep the rows of every answer
   * beyond its first look, which took half of its time.
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

/** The text of a statement that answers a promise: one without a callback, and no stream. */
function awaitedText(args: unknown[]): string | undefined {
  if (typeof args.at(-1) === 'function') return undefined;
  const [query] = args as [string | { text?: string; submit?: unknown }];
  if (typeof query === 'string') return query;
  return query.submit === undefined ? query.text : undefined;
}
