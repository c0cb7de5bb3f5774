import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/** Bytes buffered while standard output accepts nothing (a full disk); further lines are dropped. */
const MAX_KEPT = 1024 * 1024;

/**
 * JSON lines on standard output; those of worker processes carry the worker's number. A log that cannot be
 * written does not stop the server.
 */
export function makeLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_KEPT });
  output.on('error', () => undefined);
  const base = cluster.worker ? { worker: cluster.worker.id } : null;
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, output);
}

/** Nest's log, written as lines of this log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    // Nest logs every route at startup: debug level is enough for that.
    this.logger.debug({ context: context.at(-1) }, String(message));
  }

  error(message: unknown, ...context: unknown[]): void {
    this.logger.error({ context: context.at(-1) }, String(message));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context: context.at(-1) }, String(message));
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context: context.at(-1) }, String(message));
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context: context.at(-1) }, String(message));
  }
}
