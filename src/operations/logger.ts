import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/** JSON lines on standard output. */
export const makeLogger = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });

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
