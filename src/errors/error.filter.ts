import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendError } from './send-error.js';
import { toApiError } from './to-api-error.js';

/** The one place where a thrown value becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const refusal = toApiError(error);
    // A refusal that we threw ourselves tells nothing beyond the line of the request.
    if (refusal.status >= 500 && error !== refusal) this.report(error, refusal.status);
    sendError(http.getResponse<Response>(), refusal);
  }

  /** The inside is for the log alone; the caller gets a fixed text. */
  private report(error: unknown, status: number): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (status === 503) this.logger.warn(text.split('\n')[0]);
    else this.logger.error(text);
  }
}
