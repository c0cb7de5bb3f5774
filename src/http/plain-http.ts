import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { LISTEN_BACKLOG } from './express-adapter.js';

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
  const server = createServer((socket) => https.emit('secureConnection', socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { variable: 'HTTP_PORT' })));
    server.listen(port, host, LISTEN_BACKLOG, resolve);
  });
  return server;
}
