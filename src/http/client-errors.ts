import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ApiError,
  headersTooLarge,
  invalidField,
  requestTimeout,
  unknownMethod,
} from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { readerOf } from './connection-reader.js';
import { corsHeaders } from './cors.js';
import { LEAST_PIECE, MOST_PIECES, TOO_MANY_PIECES } from './gathering-request.js';
import { MAX_KEPT_HEADERS } from './request-head.js';
import { METHODS } from './request-route.js';
import { stateOf } from './request-state.js';

/** Node's code for a request that has not arrived in time. */
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const BAD_ADDRESS = invalidField('request', reason('raw-address'));
const NOT_HTTP = invalidField('request', reason('not-http'));

/** The errors of Node's parser and of `TOO_MANY_PIECES` by their codes; the others are `NOT_HTTP`. */
const FAULTS: Partial<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge('at most 16 KiB'),
  HPE_INVALID_URL: BAD_ADDRESS,
  // The text behind a blank in the address.
  HPE_INVALID_CONSTANT: BAD_ADDRESS,
  [TIMEOUT]: requestTimeout(),
  [TOO_MANY_PIECES]: invalidField(
    'body',
    reason('sent-in-pieces', { max: MOST_PIECES.toLocaleString('en'), least: LEAST_PIECE }),
  ),
};

/** A method (RFC 9110 section 9.1), and the first character of its target. */
const METHOD = /^\s*[\w!#$%&'*+.^`|~-]+ [!-~]/;
const ORIGIN = /^origin:[ \t]*(\S+)/im;

/** How long a client has to read the error before its connection ends, in milliseconds. */
const LINGER = 1_000;

/** Reason phrases of the statuses that this file sends. */
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};

/** A connection, with the response that Node is sending on it. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null };

/** The error of Node's parser about a packet that it could not parse. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/**
 * Replaces Node's own answers, which have an empty body or none, by errors of the contract
 * (docs/api-contract.md#errors-and-statuses); a request with an unknown expectation is served as usual.
 * @param origins the origins that may read answers
 */
export function answerClientErrors(server: Server, origins: readonly string[]): void {
  // checkHead answers both: Node drops excess headers silently and rejects a missing Host without a body.
  server.maxHeadersCount = MAX_KEPT_HEADERS;
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: ParserError, socket: Connection) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    // Its controller ends a body that stalls.
    const { req } = socket._httpMessage ?? {};
    if (error.code === TIMEOUT && req && stateOf(req).hasUnreadBody) return;
    const reader = readerOf(socket);
    // A connection without a reader has not completed its TLS handshake.
    if (!reader) return socket.destroy();
    // Skips repetitions: the parser reports its error for every further packet, and a timeout fires again.
    if (reader.isStopped) return;
    reader.stop();
    afterAnswers(socket, (response) => {
      // A body can break after its request was answered. Nothing may follow that answer.
      if (!socket.writable || response?.headersSent) return endSoon(socket);
      const packet = error.rawPacket?.toString('latin1') ?? '';
      const origin = response ? response.req.headers.origin : ORIGIN.exec(packet)?.[1];
      endWith(socket, toApiError(error.code ?? '', packet), corsHeaders(origins, origin));
    });
  });
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    endWith(socket, unknownMethod(METHODS), corsHeaders(origins, headers.origin));
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

const toApiError = (code: string, packet: string): ApiError =>
  code === 'HPE_INVALID_METHOD' && METHOD.test(packet)
    ? unknownMethod(METHODS)
    : (FAULTS[code] ?? NOT_HTTP);

function endWith(socket: Duplex, error: ApiError, cors: Record<string, string>): void {
  const { status, headers: own, body } = error;
  const text = JSON.stringify(body);
  const headers = {
    ...own,
    ...cors,
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

/** Ends a connection even if its client ignores that and continues to send. */
function endSoon(socket: Duplex, answer?: string): void {
  socket.end(answer);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
