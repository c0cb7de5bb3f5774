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
        const etag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 27)}"`;
        response.setHeader('ETag', etag);
        response.setHeader('Cache-Control', 'private, no-cache');
        response.setHeader('Vary', 'X-AUTHENTICATION-KEY');
        if (!matches(request.headers['if-none-match'], etag)) return answer;
        response.status(HttpStatus.NOT_MODIFIED);
        return undefined;
      }),
    );
  }
}

/** Weak comparison, as RFC 9110 asks for If-None-Match. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
