import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

/** The application name of the connection that listens for notifications. */
const LISTENER = 'process-platform listener';

interface Connection {
  client: Socket;
  server: Socket;
  isListener: boolean;
}

/** A proxy between a server and PostgreSQL that can stop forwarding without closing a connection. */
export interface DatabaseProxy {
  /** The folder of its socket, for DATABASE_URL. */
  host: string;
  /** Silently stops both directions of the listening connection. */
  freezeListener(): void;
  /** Holds back the answers on all other connections. Resolves with the first held answer. */
  holdAnswers(): Promise<void>;
  /** Ends all connections, and each new one until the release. Resolves when it has ended this number of new ones. */
  refuse(count: number): Promise<void>;
  /** Forwards everything that was frozen or held, and accepts connections again. */
  release(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseHost: string): Promise<DatabaseProxy> {
  const host = mkdtempSync(join(tmpdir(), 'process-platform-proxy-'));
  const connections = new Set<Connection>();
  let listenerIsFrozen = false;
  let holding: (() => void) | undefined;
  const waiting: (() => void)[] = [];
  const passes = ({ isListener }: Connection, isAnswer: boolean): boolean => {
    if (isListener) return !listenerIsFrozen;
    if (!holding || !isAnswer) return true;
    holding();
    return false;
  };
  let refusing: (() => void) | undefined;
  const proxy = createServer((client) => {
    if (refusing) {
      client.on('error', () => undefined);
      client.resume().end();
      return refusing();
    }
    const server = connect(join(databaseHost, SOCKET));
    const connection = { client, server, isListener: false };
    connections.add(connection);
    const pass = (from: Socket, to: Socket, isAnswer: boolean) => {
      from.on('data', (chunk) => {
        if (!isAnswer && chunk.includes(LISTENER)) connection.isListener = true;
        if (passes(connection, isAnswer)) to.write(chunk);
        else waiting.push(() => to.write(chunk));
      });
      from.on('close', () => {
        connections.delete(connection);
        to.destroy();
      });
      from.on('error', () => to.destroy());
    };
    pass(client, server, false);
    pass(server, client, true);
  });
  await new Promise<void>((resolve) => proxy.listen(join(host, SOCKET), resolve));
  return {
    host,
    freezeListener: () => {
      listenerIsFrozen = true;
    },
    holdAnswers: () =>
      new Promise((resolve) => {
        holding = resolve;
      }),
    refuse: (count) =>
      new Promise((resolve) => {
        let refused = 0;
        refusing = () => {
          if (++refused === count) resolve();
        };
        for (const { client } of connections) client.end();
      }),
    release: () => {
      refusing = undefined;
      listenerIsFrozen = false;
      holding = undefined;
      for (const write of waiting.splice(0)) write();
    },
    close: async () => {
      for (const { client, server } of connections) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(host, { recursive: true, force: true });
    },
  };
}
