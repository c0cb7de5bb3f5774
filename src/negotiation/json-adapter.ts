import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The framework's way to Express, with one short cut: an answer in JSON ends as one text together
 * with its head, where Express would copy it into a buffer first and send both apart.
 */
export class JsonAdapter extends ExpressAdapter {
  /** Whatever is not JSON, and what the caller has already, goes the usual way. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const text = response.req.fresh ? undefined : textOf(response, body);
    if (text === undefined) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    // Node counts the bytes itself, but not of a body that it leaves out.
    if (response.req.method === 'HEAD')
      response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }
}

/** The answer as JSON; a text is one already where its type says so. */
function textOf(response: Response, body: unknown): string | undefined {
  const type = response.getHeader('Content-Type');
  if (typeof body === 'string') return type === JSON_TYPE ? body : undefined;
  if (!isPlain(body)) return undefined;
  if (type === undefined) response.setHeader('Content-Type', JSON_TYPE);
  return JSON.stringify(body);
}

const isPlain = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !(body instanceof StreamableFile) &&
  !(body instanceof Error) &&
  !Buffer.isBuffer(body);
