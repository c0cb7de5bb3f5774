import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** What every person of the demonstration portal signs in with. */
export const DEMO_PASSWORD = 'Portal-Demo-2026';

/** An answer as a client sees it. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body, parsed when it is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies are asserted as they come
  body: any;
  text: string;
  /** Milliseconds from the first byte sent to the last received. */
  duration: number;
}

export interface Call {
  method?: string;
  token?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or buffer is sent as it is. */
  body?: unknown;
  /** Address to call from, e.g. 127.0.0.9. */
  from?: string;
  /** Address to call; 127.0.0.1 when missing. */
  host?: string;
  /** Calls by HTTPS, and believes this certificate. */
  ca?: string;
  /** Keeps connections between calls; each call has a connection of its own when missing. */
  agent?: Agent;
}

/** Calls a server at a port of the loopback; rejects when no answer comes. */
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
        // The name in the certificate, whatever the Host header says.
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
      // The server may close a kept connection just as it is used again (RFC 9112 section 9.3.1).
      if (request.reusedSocket && error.code === 'ECONNRESET')
        send(port, path, call).then(resolve, reject);
      else reject(error);
    });
    request.end(content);
  });
}
