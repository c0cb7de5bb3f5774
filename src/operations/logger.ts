import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/** What is kept, in bytes, while standard output takes nothing (its disk is full); more is dropped. */
const MAX_KEPT = 1024 * 1024;

/**
 * JSON lines on standard output, of worker processes with their number. A log that cannot be written
 * is no reason to stop.
 */
export function makeLogger(level: string): Logger {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_KEPT });
  output.on('error', () => undefined);
  const base = cluster.worker ? { worker: cluster.worker.id } : null;
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, output);
}

/** The framework's log as lines of ours. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    // The framework tells every route at start; that is for debugging.
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
