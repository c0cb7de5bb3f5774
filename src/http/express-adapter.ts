import { createServer, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { HttpStatus, type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { etagOf, isKnownToCaller, tagRevalidated } from './etag.js';
import { makeRequestClass } from './gathering-request.js';
import { PreparedJson } from './prepared-json.js';
import { MAX_HEAD } from './request-head.js';
import { RoutesByPrefix } from './routes-by-prefix.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Most connections that wait until the process accepts them; the system lowers it to its own limit
 * (net.core.somaxconn). Linux drops connections beyond it, and Node's default is 511.
 */
export const LISTEN_BACKLOG = 4096;

/**
 * Nest's adapter for Express with a longer queue of connections and three optimizations: routes are found by their
 * prefixes, Node creates requests with Express's prototypes, and the head and the JSON of an answer leave as one
 * string, whereas Express would copy the JSON into a buffer and send the two separately.
 */
export class ExpressJsonAdapter extends ExpressAdapter {
  readonly routes: RoutesByPrefix;

  constructor(express: Express) {
    super(express);
    this.routes = new RoutesByPrefix(express);
    Object.assign(this, this.routes.registering);
  }

  /**
   * Express changes the prototype of every request, after which V8 treats its properties as a dictionary:
   * that took most of the time of a short answer. Here Node instantiates classes that inherit from
   * Express's prototypes, so that Express has nothing to change.
   */
  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const express = this.getInstance<Express>();
    const Request = makeRequestClass();
    class Response extends ServerResponse {}
    express.request = inheriting(Request.prototype, express.request);
    express.response = inheriting(Response.prototype, express.response);
    const classes = { IncomingMessage: Request, ServerResponse: Response };
    const options = { ...classes, maxHeaderSize: MAX_HEAD };
    this.httpServer = httpsOptions
      ? createTlsServer({ ...httpsOptions, ...options }, express)
      : createServer(options, express);
  }

  /** Nest calls it with a host or without one, and with a callback. */
  override listen(port: number | string, ...rest: unknown[]): Server {
    const callback = rest.pop() as () => void;
    const host = rest.pop() as string | undefined;
    return this.httpServer.listen({ port: Number(port), host, backlog: LISTEN_BACKLOG }, callback);
  }

  /** Sends JSON itself, and leaves every other body to Nest's adapter. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof PreparedJson) return replyPrepared(response, body);
    const text = textOf(response, body);
    if (text === undefined) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    tagRevalidated(response, () => etagOf(text));
    if (isKnownToCaller(response)) return replyNotModified(response);
    return send(response, text);
  }
}

function replyPrepared(response: Response, body: PreparedJson): unknown {
  response.setHeader('Content-Type', JSON_TYPE);
  tagRevalidated(response, () => body.etag);
  if (isKnownToCaller(response)) return replyNotModified(response);
  if (!body.zipped) return send(response, body.text);
  response.vary('Accept-Encoding');
  if (response.req.acceptsEncodings('gzip') !== 'gzip') return send(response, body.text);
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.zipped.length);
  return response.end(body.zipped);
}

function replyNotModified(response: Response): unknown {
  response.removeHeader('Content-Type');
  return response.status(HttpStatus.NOT_MODIFIED).end();
}

function send(response: Response, text: string): unknown {
  // Node computes the length itself, except for a body that it omits.
  if (response.req.method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(text));
  return response.end(text);
}

/** The prototype of a class, made to inherit from another prototype. */
const inheriting = <T extends object>(prototype: object, other: T): T =>
  Object.setPrototypeOf(prototype, other) as T;

/** The answer as JSON; a string is JSON already when its Content-Type says so. */
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
