import { connect, type Socket } from 'node:net';

/** Answers to requests that came at a fixed rate, whether or not earlier ones were answered. */
export interface OpenLoop {
  /** Milliseconds of each answer, by status. */
  durations: Map<number, number[]>;
  /** Requests that were due but had no connection left, or whose connection ended. */
  failed: number;
  seconds: number;
}

/** More connections than this are not opened. */
const MAX_CONNECTIONS = 3_000;

/**
 * Sends requests at a rate, each on a free connection or a new one. On raw sockets, because the
 * client shares the processors with the server that it measures.
 * @param perSecond rate
 */
export async function openLoop(
  port: number,
  request: string,
  perSecond: number,
  seconds: number,
): Promise<OpenLoop> {
  const result: OpenLoop = { durations: new Map(), failed: 0, seconds };
  const free: Connection[] = [];
  const all = new Set<Connection>();
  const bytes = Buffer.from(request);
  const send = (): void => {
    const connection = free.pop() ?? open();
    if (connection) connection.send(bytes);
    else result.failed++;
  };
  const open = (): Connection | undefined => {
    if (all.size >= MAX_CONNECTIONS) return undefined;
    const connection = new Connection(
      port,
      (status, duration) => {
        const durations = result.durations.get(status) ?? [];
        durations.push(duration);
        result.durations.set(status, durations);
        free.push(connection);
      },
      (wasBusy) => {
        if (wasBusy) result.failed++;
        all.delete(connection);
        const index = free.indexOf(connection);
        if (index >= 0) free.splice(index, 1);
      },
    );
    all.add(connection);
    return connection;
  };
  const started = performance.now();
  let sent = 0;
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started;
      const due = Math.floor((Math.min(elapsed, seconds * 1_000) * perSecond) / 1_000);
      for (; sent < due; sent++) send();
      if (elapsed >= seconds * 1_000) {
        clearInterval(timer);
        done();
      }
    }, 2);
  });
  await new Promise((done) => setTimeout(done, 3_000));
  for (const connection of all) connection.end();
  return result;
}

/** One connection that is kept; one request at a time. */
class Connection {
  private readonly socket: Socket;
  private received: Buffer[] = [];
  private started: number | undefined;

  constructor(
    port: number,
    private readonly answered: (status: number, duration: number) => void,
    ended: (wasBusy: boolean) => void,
  ) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => ended(this.started !== undefined));
  }

  send(request: Buffer): void {
    this.started = performance.now();
    this.socket.write(request);
  }

  end(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received.push(chunk);
    const all = this.received.length === 1 ? chunk : Buffer.concat(this.received);
    const head = all.indexOf('\r\n\r\n');
    if (head < 0 || this.started === undefined) return;
    const headers = all.subarray(0, head).toString('latin1');
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    if (all.length < head + 4 + length) return;
    const duration = performance.now() - this.started;
    this.received = [];
    this.started = undefined;
    this.answered(Number(headers.slice(9, 12)), duration);
  }
}
