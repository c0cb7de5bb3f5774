import { createHash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { namesTag } from '../resources/etag.js';

/**
 * ETag and If-None-Match (RFC 9110 section 13.1.2) for what a portal polls. The tag is made from
 * the answer itself, so that it changes exactly when the caller would see something else; a 304
 * saves the body, not the look.
 */
@Injectable()
export class ConditionalInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) => {
        const text = JSON.stringify(answer);
        const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
        response.setHeader('ETag', etag);
        response.setHeader('Cache-Control', 'private, no-cache');
        response.vary('X-AUTHENTICATION-KEY');
        if (!namesTag(request.headers['if-none-match'], etag)) {
          // The text that was digested is the body: a large answer is not written twice.
          response.setHeader('Content-Type', 'application/json; charset=utf-8');
          return text;
        }
        response.status(HttpStatus.NOT_MODIFIED);
        return undefined;
      }),
    );
  }
}
