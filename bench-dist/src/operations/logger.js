import { pino } from 'pino';
/** What is kept, in bytes, while standard output takes nothing (its disk is full); more is dropped. */
const MAX_KEPT = 1024 * 1024;
/** JSON lines on standard output. A log that cannot be written is no reason to stop. */
export function makeLogger(level) {
    const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_KEPT });
    output.on('error', () => undefined);
    return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
}
/** The framework's log as lines of ours. */
export class NestLogger {
    logger;
    constructor(logger) {
        this.logger = logger;
    }
    log(message, ...context) {
        // The framework tells every route at start; that is for debugging.
        this.logger.debug({ context: context.at(-1) }, String(message));
    }
    error(message, ...context) {
        this.logger.error({ context: context.at(-1) }, String(message));
    }
    warn(message, ...context) {
        this.logger.warn({ context: context.at(-1) }, String(message));
    }
    debug(message, ...context) {
        this.logger.debug({ context: context.at(-1) }, String(message));
    }
    verbose(message, ...context) {
        this.logger.trace({ context: context.at(-1) }, String(message));
    }
}
//# sourceMappingURL=logger.js.map