import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { HttpStatus, type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { isKnownToCaller, tagRevalidated } from './etag.js';
import { MAX_PARSED_HEAD } from './request-head.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The framework's way to Express, with two short cuts: requests are made as Express's own, and an
 * answer in JSON ends as one text together with its head, where Express would copy it into a buffer
 * first and send both apart.
 */
export class ExpressJsonAdapter extends ExpressAdapter {
  /**
   * Express makes each request its own by changing its prototype, after which the engine handles all its
   * properties like those of a dictionary: that took most of the time of a short answer. Here Node
   * makes them of classes that are Express's from the start, and there is nothing to change.
   */
  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse {}
    express.request = inheriting(Request.prototype, express.request);
    express.response = inheriting(Response.prototype, express.response);
    const classes = { IncomingMessage: Request, ServerResponse: Response };
    const options = { ...classes, maxHeaderSize: MAX_PARSED_HEAD };
    this.httpServer = httpsOptions
      ? createTlsServer({ ...httpsOptions, ...options }, express)
      : createServer(options, express);
  }

  /** Whatever is not JSON goes the usual way. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const text = textOf(response, body);
    if (text === undefined) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    tagRevalidated(response, text);
    if (isKnownToCaller(response)) {
      response.removeHeader('Content-Type');
      return response.status(HttpStatus.NOT_MODIFIED).end();
    }
    // Node counts the bytes itself, but not of a body that it leaves out.
    if (response.req.method === 'HEAD')
      response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }
}

/** The prototype of a class, with the methods of another between it and its parent. */
const inheriting = <T extends object>(prototype: object, other: T): T =>
  Object.setPrototypeOf(prototype, other) as T;

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
