import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './eventually.js';

/** The pause between two packets in milliseconds, long enough that the server reads them separately. */
const GAP = 40;

/**
 * Sends raw bytes and returns everything received until the server closes the connection, or falls silent after the
 * first bytes of its answer.
 * @param silence in milliseconds
 * @param from the client's address
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  silence = 3_000,
  from?: string,
): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const options = { port, host: '127.0.0.1', localAddress: from };
    const socket = net.connect(options, () => socket.write(bytes));
    socket.setTimeout(PATIENCE, () => socket.destroy());
    socket.once('data', () => socket.setTimeout(silence));
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** Sends each part in a separate packet and returns everything received until the server closes the connection. */
export function sendPackets(port: number, packets: string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const sendAll = async (): Promise<void> => {
      socket.setNoDelay();
      for (const packet of packets) {
        if (socket.writable) socket.write(Buffer.from(packet, 'latin1'));
        await delay(GAP);
      }
    };
    const socket = net.connect(port, '127.0.0.1', () => void sendAll());
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** An answer as received from a socket. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** Parsed when it is JSON. */
  body: unknown;
}

/** Parses one answer; its header names are in lower case. */
export function readRaw(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [start = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = Buffer.from(answer.slice(end + 4), 'latin1').toString();
  const isJson = headers['content-type']?.startsWith('application/json') && body !== '';
  return {
    status: Number(start.split(' ')[1]),
    headers,
    body: isJson ? (JSON.parse(body) as unknown) : body,
  };
}

/**
 * Sends a request with exactly these lines, without anything that a client library would add.
 * @param head the request line and the headers, without Host and Connection
 */
export async function askRaw(
  port: number,
  head: (string | Buffer)[],
  body: string | Buffer = '',
): Promise<RawAnswer> {
  const [start = '', ...headers] = head;
  const lines = [start, 'Host: 127.0.0.1', 'Connection: close', ...headers];
  const bytes = lines.flatMap((line) => [Buffer.from(line), Buffer.from('\r\n')]);
  return readRaw(
    await sendRaw(port, Buffer.concat([...bytes, Buffer.from('\r\n'), Buffer.from(body)])),
  );
}
