import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  headersTooLarge,
  invalidField,
  ApiError,
  requestTimeout,
  unknownMethod,
} from '../errors/api-errors.js';
import { type BrokenHead, brokenHeadOf, validateTarget } from './broken-head.js';
import { corsHeaders } from './cors.js';
import { readerOf } from './connection-reader.js';
import { LEAST_PIECE, MOST_PIECES, TOO_MANY_PIECES } from './gathering-request.js';
import { stateOf } from './request-state.js';
import { MAX_KEPT_HEADERS } from './request-head.js';
import { METHODS } from './request-route.js';
import { routeFacts } from './route-facts.js';
import { reason } from '../errors/reason.js';

/** Node's code for a request that has not arrived in time. */
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const SENT_IN_PIECES = reason('sent-in-pieces', {
  max: MOST_PIECES.toLocaleString('en'),
  least: LEAST_PIECE,
});

/** How long a client has to read why its connection ends, in milliseconds. */
const LINGER = 1_000;

/** Reason phrases of the statuses that this file sends. */
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};

interface Options {
  basePath: string;
  /** Origins that may read answers. */
  origins: readonly string[];
}

/** A connection; Node keeps the response that is being sent on it. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null };

/**
 * Replaces the answers that Node itself would send, with an empty body or none, by errors of the contract
 * (docs/api-contract.md#errors-and-statuses); a request with an unknown expectation is served as usual.
 */
export function answerClientErrors(server: Server, options: Options): void {
  // checkHead answers both: Node drops excess headers silently and rejects a missing Host without a body.
  server.maxHeadersCount = MAX_KEPT_HEADERS;
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    // Its controller ends a body that stalls.
    const { req } = socket._httpMessage ?? {};
    if (error.code === TIMEOUT && req && stateOf(req).hasUnreadBody) return;
    const reader = readerOf(socket);
    // The parser would repeat its error for every further packet; a timeout repeats.
    if (!reader || reader.isStopped) return;
    reader.stop();
    afterAnswers(socket, (response) => {
      // A body can prove broken after its request was answered; nothing may follow that answer.
      if (!socket.writable || response?.headersSent) return endSoon(socket);
      const head = response ? headOf(response.req) : brokenHeadOf(reader.message.text);
      endWith(socket, toApiError(error.code, head, options), head, options);
    });
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    endWith(socket, unknownMethod(METHODS), headOf(request), options);
  });
  // A server may ignore an unknown expectation (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/**
 * Waits until every complete request of a connection has its answer, so that an error never takes the
 * place of one (RFC 9112 section 9.3.2).
 * @param act gets the response to the request whose body is still arriving, if there is one
 */
function afterAnswers(socket: Connection, act: (response?: ServerResponse) => void): void {
  const response = socket._httpMessage ?? undefined;
  if (response?.req.complete) response.once('close', () => afterAnswers(socket, act));
  else act(response);
}

const headOf = ({ method, url, originalUrl, headers }: RoutedRequest): BrokenHead => ({
  method,
  target: originalUrl ?? url,
  origin: headers.origin,
});

/** Express keeps the URL as received in `originalUrl`. */
type RoutedRequest = IncomingMessage & { originalUrl?: string };

/** The parser's codes for an invalid target, or for the text after a blank in one. */
const TARGET_ERRORS = new Set<string | undefined>(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT']);

const badMethod = (method = ''): ApiError =>
  METHODS.includes(method.toUpperCase())
    ? new ApiError(501, reason('lower-case-method', { method: method.toUpperCase() }))
    : unknownMethod(METHODS);

function toApiError(
  code: string | undefined,
  { method, target }: BrokenHead,
  { basePath }: Options,
): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge('at most 16 KiB');
  if (code === TIMEOUT) return requestTimeout();
  if (code === TOO_MANY_PIECES) return invalidField('body', SENT_IN_PIECES);
  if (code === 'HPE_INVALID_METHOD' && target !== undefined) return badMethod(method);
  const { hasSearchEnvelope } = routeFacts('GET', target ?? '', basePath);
  const fault = TARGET_ERRORS.has(code)
    ? validateTarget(target ?? '', hasSearchEnvelope)
    : undefined;
  return fault ?? invalidField('request', reason('not-http'));
}

function endWith(socket: Duplex, error: ApiError, head: BrokenHead, options: Options): void {
  const { status, headers: own, body } = error;
  const text = JSON.stringify(body);
  const headers = {
    ...own,
    ...corsHeaders(options.origins, head.origin),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  endSoon(socket, `HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join('')}\r\n${text}`);
}

/** Ends a connection, whether its client closes it too or not: it may go on sending, and ignore the end. */
function endSoon(socket: Duplex, answer?: string): void {
  socket.end(answer);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
