import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import type { SelfSigned } from './certificate.js';

/** A receiver of syslog over TCP or TLS that counts octets (RFC 6587, 3.4.1). */
export interface SyslogReceiver {
  port: number;
  /** The messages of ended connections, as they came. */
  messages: string[];
  /** Connections that have sent everything and are kept waiting. */
  held: Socket[];
  /** Whether connections are kept open instead of being ended. */
  holds: boolean;
  close(): Promise<void>;
}

/** @param port by default any */
export async function startSyslogReceiver(
  port = 0,
  certificate?: SelfSigned,
): Promise<SyslogReceiver> {
  const open = new Set<Socket>();
  const receive = (socket: Socket): void => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('end', () => {
      if (receiver.holds) return void receiver.held.push(socket);
      receiver.messages.push(...messagesOf(Buffer.concat(chunks)));
      socket.end();
    });
  };
  const server: Server = certificate
    ? createTls({ ...certificate, allowHalfOpen: true }, receive)
    : createPlain({ allowHalfOpen: true }, receive);
  server.on('tlsClientError', () => undefined);
  // With TLS also those that end during the handshake.
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const receiver: SyslogReceiver = {
    port: (server.address() as AddressInfo).port,
    messages: [],
    held: [],
    holds: false,
    close: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy();
        server.close(() => done());
      }),
  };
  return receiver;
}

function messagesOf(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const space = bytes.indexOf(' ', start);
    const end = space + 1 + Number(bytes.toString('latin1', start, space));
    messages.push(bytes.toString('utf8', space + 1, end));
    start = end;
  }
  return messages;
}
