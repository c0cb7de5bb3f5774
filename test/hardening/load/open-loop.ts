import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Answers to requests at a fixed rate, which does not wait for earlier answers. */
export interface OpenLoop {
  /** Duration of each answer in milliseconds, by status. */
  durations: Map<number, number[]>;
  /** Number of requests whose connection ended, or without an answer seconds after the last was due. */
  failed: number;
  seconds: number;
}

/** The first request of each connection: the server soon closes a connection without one. */
const GREETING = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

/** Number of kept connections, like those of a portal. New ones per call would measure the system's backlog. */
const CONNECTIONS = 1_000;

/** Maximum wait for answers after the last request was due, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Sends requests at a fixed rate, each on a free connection; durations count from the time when a request was
 * due. It uses raw sockets, because the client shares the processors with the server that it measures.
 * @param perSecond the rate
 */
export async function openLoop(
  port: number,
  request: string,
  perSecond: number,
  seconds: number,
): Promise<OpenLoop> {
  const result: OpenLoop = { durations: new Map(), failed: 0, seconds };
  const free: Connection[] = [];
  const waiting: number[] = [];
  const bytes = Buffer.from(request);
  const all = Array.from({ length: CONNECTIONS }, () => {
    const connection: Connection = new Connection(
      port,
      (status, duration) => {
        const durations = result.durations.get(status) ?? [];
        durations.push(duration);
        result.durations.set(status, durations);
        const due = waiting.shift();
        if (due === undefined) free.push(connection);
        else connection.send(bytes, due);
      },
      () => result.failed++,
    );
    free.push(connection);
    return connection;
  });
  await Promise.all(all.map(({ greeted }) => greeted));
  const started = performance.now();
  let sent = 0;
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started;
      const due = Math.floor((Math.min(elapsed, seconds * 1_000) * perSecond) / 1_000);
      for (; sent < due; sent++) {
        const at = started + (sent * 1_000) / perSecond;
        const connection = free.pop();
        if (connection) connection.send(bytes, at);
        else waiting.push(at);
      }
      if (elapsed < seconds * 1_000) return;
      clearInterval(timer);
      done();
    }, 2);
  });
  const answered = (): number => [...result.durations.values()].flat().length + result.failed;
  const deadline = performance.now() + PATIENCE;
  while (answered() < sent && performance.now() < deadline) await delay(20);
  result.failed += Math.max(0, sent - answered());
  for (const connection of all) connection.end();
  return result;
}

/** A kept connection for one request at a time. */
class Connection {
  /** Resolves when the connection can be used. */
  readonly greeted: Promise<void>;
  private welcome: (() => void) | undefined;
  private readonly socket: Socket;
  private received: Buffer[] = [];
  private due: number | undefined;
  private ended = false;

  constructor(
    port: number,
    private readonly answered: (status: number, duration: number) => void,
    failed: () => void,
  ) {
    this.socket = connect(port, '127.0.0.1');
    this.greeted = new Promise((done) => (this.welcome = done));
    this.socket.write(GREETING);
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      if (this.due !== undefined && !this.ended) failed();
    });
  }

  send(request: Buffer, due: number): void {
    this.due = due;
    this.socket.write(request);
  }

  end(): void {
    this.ended = true;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received.push(chunk);
    const all = this.received.length === 1 ? chunk : Buffer.concat(this.received);
    const head = all.indexOf('\r\n\r\n');
    if (head < 0) return;
    const headers = all.subarray(0, head).toString('latin1');
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    if (all.length < head + 4 + length) return;
    this.received = [];
    if (this.due === undefined) return this.welcome?.();
    const duration = performance.now() - this.due;
    this.due = undefined;
    this.answered(Number(headers.slice(9, 12)), duration);
  }
}
