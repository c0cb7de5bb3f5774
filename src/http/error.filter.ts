import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendError } from './send-error.js';
import { toApiError } from '../base/errors/to-api-error.js';

/** Turns every thrown value into the error of the answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const answer = toApiError(error);
    // An ApiError from our own code adds nothing to the line of the request log.
    if (answer.status >= 500 && error !== answer) this.report(error, answer.status);
    sendError(http.getResponse<Response>(), answer);
  }

  /** Logs the stack; the caller gets a fixed text. */
  private report(error: unknown, status: number): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (status === 503) this.logger.warn(text.split('\n')[0]);
    else this.logger.error(text);
  }
}
