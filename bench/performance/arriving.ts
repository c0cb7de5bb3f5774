import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Requests } from './load.js';

/** Connections that are open from the start; calls wait for one, and that counts. */
const CONNECTIONS = 64;

/** A call, and when it was due. */
interface Call {
  head: string;
  due: number;
}

/**
 * Sends GET calls at times of their own, whether earlier ones have been answered or not, as people do. The duration of a
 * call begins when it was due: an answer that is late makes those behind it late too. It is infinite when the answer is
 * no success, such as 503. It writes to sockets itself: node:http would take as much of the processors as the server.
 * @param rate calls a second on average, at random times (Poisson)
 * @returns durations in milliseconds
 */
export async function arriving(
  port: number,
  requests: Requests,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<number[]> {
  const heads = requests.map(({ path, headers }) => headOf(path!, headers as HeadersOfCall));
  const durations: number[] = [];
  const waiting: Call[] = [];
  const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => Line.open(port)));
  const idle = [...lines];
  const work = async (line: Line, first: Call): Promise<void> => {
    for (let call: Call | undefined = first; call; call = waiting.shift()) {
      const isSuccess = await line.send(call.head);
      durations.push(isSuccess ? performance.now() - call.due : Infinity);
    }
    idle.push(line);
  };
  const working: Promise<void>[] = [];
  const end = performance.now() + seconds * 1_000;
  let sent = 0;
  for (let due = performance.now(); due < end; await delay(1)) {
    const now = performance.now();
    for (; due <= now && due < end; due -= (Math.log(1 - Math.random()) * 1_000) / rate) {
      const call = { head: heads[sent++ % heads.length]!, due };
      const line = idle.pop();
      if (line) working.push(work(line, call));
      else waiting.push(call);
    }
  }
  await Promise.all(working);
  for (const line of lines) line.close();
  return durations;
}

type HeadersOfCall = Record<string, string>;

const headOf = (path: string, headers: HeadersOfCall): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** A connection with one call at a time, whose answers have a Content-Length. */
class Line {
  private answered: (isSuccess: boolean) => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;
  private isSuccess = false;
  private head = '';
  /** Bytes of the body that have not arrived; undefined until the head has. */
  private missing: number | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('close', () => this.failed(new Error('the server closed a connection')));
    socket.on('error', (error) => this.failed(error));
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Line(socket)));
      socket.once('error', reject);
    });
  }

  send(head: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.failed = reject;
      this.socket.write(head);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    if (this.missing === undefined) {
      const text = this.head + chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      this.head = end === -1 ? text : '';
      if (end === -1) return;
      this.isSuccess = text.startsWith('HTTP/1.1 200 ');
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
      this.missing = length - (text.length - end - 4);
    } else this.missing -= chunk.length;
    if (this.missing > 0) return;
    this.missing = undefined;
    this.answered(this.isSuccess);
  }
}
