import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { ArrivingMessage } from './arriving-message.js';
import { closeLongestIdle } from './connection-limit.js';

/**
 * Most pipelined requests of one connection that wait for earlier answers (RFC 9112 section 9.3.2). At the limit, the
 * server stops reading the connection, so that its client waits too. Each waiting request holds its head and up to a
 * buffer of its body, and thousands of clients may never read the earlier answers.
 */
const MAX_WAITING = 1;

/**
 * Most bytes of empty lines before a request, which a server ignores (RFC 9112 section 2.2). The server closes a
 * connection with more.
 */
const MAX_EMPTY = 64;

/** A connection, with the response that Node is sending on it. */
type Connection = Duplex & { _httpMessage?: ServerResponse | null };

/**
 * Hands the bytes of one connection to Node's parser request by request: the parser itself takes a whole packet, which
 * may hold thousands of them, and Node keeps each in lists whose end takes quadratic time.
 */
export class ConnectionReader {
  readonly message = new ArrivingMessage();
  private waiting = 0;
  /**
   * Whether this reader has paused the connection. Node pauses it too, while a handler does not read a body or the
   * client an answer.
   */
  private isHeld = false;
  /** The request whose answer is the last one. */
  private last: IncomingMessage | undefined;
  /** Whether the connection ends with an error or has left HTTP. */
  isStopped = false;
  /** When the latest packet came (performance.now()). */
  lastRead = 0;

  constructor(
    readonly connection: Connection,
    private readonly parse: (piece: Buffer) => void,
  ) {}

  /** Listener of the connection's data. */
  readonly read = (packet: Buffer): void => {
    this.lastRead = performance.now();
    let rest = packet;
    while (!this.isOver) {
      if (this.connection.isPaused() || this.isFull) return this.hold(rest);
      const piece = this.message.take(rest);
      if (this.message.emptyBytes > MAX_EMPTY) return void this.connection.destroy();
      this.parse(piece);
      if (piece.length === rest.length) return;
      rest = rest.subarray(piece.length);
    }
  };

  /** Counts a request that waits. */
  queue(): void {
    this.waiting++;
  }

  /** Counts a request that no longer waits, and resumes reading. */
  dequeue(): void {
    this.waiting--;
    if (this.isHeld) this.connection.resume();
    this.isHeld = false;
  }

  /**
   * Drops the bytes after a request unparsed: the client repeats requests without an answer (RFC 9112 section 9.3.2).
   * It keeps reading, because otherwise the server would not notice that the client has left.
   */
  endAfter(request: IncomingMessage): void {
    this.last = request;
    if (request.complete) this.connection.resume();
  }

  /** Drops everything from here on. */
  stop(): void {
    this.isStopped = true;
  }

  /** Whether the connection is between two requests; before the first one, the time-out of the headers runs. */
  get isIdle(): boolean {
    return this.message.isBetween && !this.connection._httpMessage;
  }

  private get isFull(): boolean {
    return this.waiting >= MAX_WAITING && this.message.isComplete;
  }

  private get isOver(): boolean {
    return this.isStopped || this.last?.complete === true || this.connection.destroyed;
  }

  private hold(rest: Buffer): void {
    if (!this.connection.isPaused()) {
      this.isHeld = true;
      this.connection.pause();
    }
    this.connection.unshift(rest);
  }
}

const readers = new WeakMap<Duplex, ConnectionReader>();
const openReaders = new WeakMap<Server, Set<ConnectionReader>>();

/** The reader of a connection; undefined on a server without `readConnections`. */
export const readerOf = (connection: Duplex): ConnectionReader | undefined =>
  readers.get(connection);

/**
 * The responses that a server is making or sending. They are found by their connections: a `Set` of what comes and goes
 * with each request costs 13 µs per call, because its old tables keep the requests alive until the next major collection.
 */
export const responsesOf = (server: Server): ServerResponse[] =>
  [...(openReaders.get(server) ?? [])].flatMap(({ connection }) => connection._httpMessage ?? []);

/**
 * Puts a reader between each connection and Node's parser. It makes Node read sockets through JavaScript, which costs
 * some 7 µs a request.
 * @param most how many connections the server may have; a further one closes the longest idle ones, or is closed itself
 * when none is idle
 */
export function readConnections(server: Server, most = Infinity): void {
  const open = new Set<ConnectionReader>();
  openReaders.set(server, open);
  const opened = server instanceof HttpsServer ? 'secureConnection' : 'connection';
  server.on(opened, (connection: Duplex) => {
    const [parse] = connection.listeners('data') as ((piece: Buffer) => void)[];
    const reader = new ConnectionReader(connection, parse!);
    readers.set(connection, reader);
    connection.removeListener('data', parse!);
    connection.on('data', reader.read);
    if (open.size >= most && !closeLongestIdle(open)) connection.destroy();
    open.add(reader);
    connection.once('close', () => open.delete(reader));
  });
  server.prependListener('request', (request: IncomingMessage) =>
    readers.get(request.socket)?.message.begin(request),
  );
  // Node may have reused its parser for another connection.
  server.prependListener('connect', (_request: IncomingMessage, connection: Duplex) =>
    readers.get(connection)?.stop(),
  );
}
