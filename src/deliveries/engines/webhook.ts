import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { type CheckedAddress, hostOf } from './destinations.js';

/** How long an attempt may take in all, in milliseconds. */
export const ATTEMPT_TIMEOUT = 15_000;

/** Most bytes of the head of an answer. */
const MAX_HEAD = 8_192;

/** Most bytes of the body that the server reads, which lets it reuse the connection. */
const MAX_BODY = 16_384;

/** The error codes of a connection that the receiver has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** What came of one attempt. */
export interface AttemptResult {
  /** The status of the answer; undefined without one. */
  status?: number;
  /** Why there is none. */
  error?: string;
  retryAfter?: string | undefined;
  /** The values of `Set-Cookie`, for sign-ins. */
  cookies?: string[] | undefined;
  /** The body, or the beginning of a long one. */
  body?: string;
  /** Milliseconds. */
  duration: number;
}

/** The connections to one endpoint. They stay open for further messages, each to an address that was checked. */
export class Connections {
  private readonly http = new HttpAgent({ keepAlive: true, timeout: 30_000 });
  private readonly https = new HttpsAgent({ keepAlive: true, timeout: 30_000 });

  agentOf(url: URL): HttpAgent {
    return url.protocol === 'https:' ? this.https : this.http;
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

/** A message to be sent. */
export interface Message {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Posts one message. @see exchange */
export const post = (
  url: URL,
  address: CheckedAddress,
  headers: Record<string, string>,
  body: string,
  connections: Connections,
  timeout?: number,
): Promise<AttemptResult> =>
  exchange({ method: 'POST', url, headers, body }, address, connections, timeout);

/**
 * Sends one message. It connects to the checked address without another lookup, follows no redirect and uses no proxy.
 * It replaces a kept connection that the receiver has closed meanwhile. Never rejects.
 * @param isFresh whether it opens a connection of its own
 */
export function exchange(
  message: Message,
  { address, family }: CheckedAddress,
  connections: Connections,
  timeout = ATTEMPT_TIMEOUT,
  isFresh = false,
): Promise<AttemptResult> {
  const { method, url, headers, body } = message;
  const started = performance.now();
  const isTls = url.protocol === 'https:';
  const host = hostOf(url);
  return new Promise((resolve) => {
    const request = (isTls ? httpsRequest : httpRequest)({
      host: address,
      family,
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      method,
      agent: isFresh ? false : connections.agentOf(url),
      maxHeaderSize: MAX_HEAD,
      setHost: false,
      ...(isTls && { servername: isIP(host) === 0 ? host : '' }),
      headers: {
        Host: url.host,
        ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    let isDone = false;
    const done = (result: Omit<AttemptResult, 'duration'>): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      resolve({ ...result, duration: Math.round(performance.now() - started) });
    };
    const timer = setTimeout(() => {
      done({ error: `no answer within ${timeout / 1000} s` });
      request.destroy();
    }, timeout);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const left = timeout - (performance.now() - started);
      // RFC 9112 section 9.3.1; a message that did arrive is known by its id.
      if (isDone || isFresh || !request.reusedSocket || !CLOSED.has(error.code ?? ''))
        return done({ error: textOf(error) });
      isDone = true;
      clearTimeout(timer);
      resolve(exchange(message, { address, family }, connections, left, true));
    });
    request.on('response', (response) => {
      clearTimeout(timer);
      readAnswer(response, timeout - (performance.now() - started), done);
    });
    request.end(body);
  });
}

/** Reads the body to free the connection, for the reason of a refusal and for the log. */
function readAnswer(
  response: IncomingMessage,
  timeLeft: number,
  done: (result: Omit<AttemptResult, 'duration'>) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (): void => {
    clearTimeout(timer);
    done({
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      cookies: response.headers['set-cookie'],
      body: Buffer.concat(chunks).subarray(0, MAX_BODY).toString('utf8'),
    });
  };
  const cut = (): void => {
    end();
    response.destroy();
  };
  const timer = setTimeout(cut, Math.max(0, timeLeft));
  response.on('data', (chunk: Buffer) => {
    if (size < MAX_BODY) chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY) cut();
  });
  response.on('end', end);
  response.on('error', end);
  response.on('close', end);
}

const textOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === undefined || message.includes(code) ? message : `${message} (${code})`;
