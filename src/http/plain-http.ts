import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { invalidField } from '../errors/api-errors.js';
import { LISTEN_BACKLOG } from './express-adapter.js';
import { HANDSHAKE_TIMEOUT } from './https-options.js';
import type { Step } from './step.js';
import { giveRequestId } from './request-log.js';
import { sendError } from './send-error.js';
import { reason } from '../errors/reason.js';

/** Hands a plain connection to an HTTPS server as if it were already decrypted. */
const serveUnencrypted = (server: HttpServer, socket: Socket): boolean =>
  server.emit('secureConnection', socket);

/**
 * Opens plain HTTP beside HTTPS (HTTP_PORT). The HTTPS server takes over its connections, so that the
 * application, its limits, its time-outs and its client errors are the same on both ports.
 * @returns the listening socket, which `closeServer` closes
 * @throws Error when the port is taken; its `variable` names HTTP_PORT
 */
export async function listenForPlainHttp(
  https: HttpServer,
  port: number,
  host: string,
): Promise<Server> {
  const server = createServer((socket) => serveUnencrypted(https, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { variable: 'HTTP_PORT' })));
    server.listen(port, host, LISTEN_BACKLOG, resolve);
  });
  return server;
}

/** Connections on the HTTPS port whose client speaks plain HTTP. */
const misdirected = new WeakSet<Socket>();

/** Whether the first byte of a connection begins an HTTP method; TLS begins with 22 (RFC 8446 section 5.1). */
const beginsMethod = (byte: number): boolean => /[A-Za-z]/.test(String.fromCharCode(byte));

/**
 * Looks at the first byte of each connection to the HTTPS port: a client that speaks plain HTTP there gets
 * an answer that it can read (`refuseMisdirected`) instead of a closed connection.
 */
export function recognizePlainHttp(server: HttpServer): void {
  const [encrypt] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const giveUp = (): unknown => socket.destroy();
    // The server's own time-out begins with the handshake.
    socket.setTimeout(HANDSHAKE_TIMEOUT, giveUp);
    socket.on('error', giveUp);
    socket.once('readable', () => {
      const begin = socket.read() as Buffer | null;
      if (!begin) return socket.destroy();
      socket.setTimeout(0, giveUp).off('error', giveUp);
      socket.unshift(begin);
      if (!beginsMethod(begin[0]!)) return encrypt!.call(server, socket);
      misdirected.add(socket);
      serveUnencrypted(server, socket);
    });
  });
}

/** Answers 400 to plain HTTP on the HTTPS port. */
export const refuseMisdirected: Step = (request, response, next) => {
  if (!misdirected.has(request.socket)) return next();
  giveRequestId(response);
  response.setHeader('Connection', 'close');
  sendError(response, invalidField('protocol', reason('plain-http-on-https')));
};
