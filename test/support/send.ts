import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The password of every person of the demonstration portal. */
export const DEMO_PASSWORD = 'Portal-Demo-2026';

/** An answer as a client receives it. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body, parsed when it is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies are asserted as received
  body: any;
  text: string;
  /** Milliseconds from the first byte sent to the last received. */
  duration: number;
}

export interface Call {
  method?: string;
  token?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or buffer is sent unchanged. */
  body?: unknown;
  /** The client's address, e.g. 127.0.0.9. */
  from?: string;
  /** The server's address; 127.0.0.1 by default. */
  host?: string;
  /** Calls by HTTPS and trusts this certificate. */
  ca?: string;
  /** Keeps connections between calls; by default each call opens its own. */
  agent?: Agent;
}

/** Calls a server at a port of the loopback interface; rejects when no answer comes. */
export function send(port: number, path: string, call: Call = {}): Promise<Answer> {
  const { method, token, headers, body, from, host = '127.0.0.1', ca, agent } = call;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const content = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const all = {
    ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
    ...(content === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }),
    ...headers,
  };
  return new Promise<Answer>((resolve, reject) => {
    const started = performance.now();
    const request = (ca === undefined ? httpRequest : httpsRequest)(
      {
        host,
        port,
        path,
        method,
        headers: all,
        localAddress: from,
        agent: agent ?? false,
        ca,
        // The name in the certificate, independent of the Host header.
        servername: 'localhost',
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
            text,
            duration: performance.now() - started,
          });
        });
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection just as it is reused (RFC 9112 section 9.3.1).
      if (request.reusedSocket && error.code === 'ECONNRESET')
        send(port, path, call).then(resolve, reject);
      else reject(error);
    });
    request.end(content);
  });
}
