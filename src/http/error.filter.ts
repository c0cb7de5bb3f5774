import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendError } from './send-error.js';
import { toApiError } from '../errors/to-api-error.js';

/** The one place where a thrown value becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const answer = toApiError(error);
    // An ApiError that our own code threw adds nothing to the request's line in the log.
    if (answer.status >= 500 && error !== answer) this.report(error, answer.status);
    sendError(http.getResponse<Response>(), answer);
  }

  /** The stack goes to the log alone; the caller gets a fixed text. */
  private report(error: unknown, status: number): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (status === 503) this.logger.warn(text.split('\n')[0]);
    else this.logger.error(text);
  }
}
