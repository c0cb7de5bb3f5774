import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Target } from './target.js';
import type { Random } from '../../support/random.js';
import type { Answer } from '../../support/send.js';

/** An answer as text. */
export type Reply = Omit<Answer, 'body'>;

/** One hostile request, and the requirements on its answer beyond those on every answer. */
export interface Attempt {
  path: string;
  method?: string;
  token?: string;
  headers?: Record<string, string | string[]>;
  /** Sent unchanged. */
  body?: string | Buffer;
  type?: string;
  /** The source address of the call. */
  from?: string;
  /** Bytes to send on a raw socket instead of a request. */
  raw?: string | Buffer;
  /** Returns the fault of the answer, or undefined. */
  judge?: (answer: Reply) => string | undefined | Promise<string | undefined>;
}

/** One class of section 4A. */
export interface AttackClass {
  id: string;
  goal: string;
  /** Number of requests at full scale. */
  size: number;
  /** Whether the attempts of `person` are made as the holder of each role too, with a part of them each. */
  asEachRole?: true;
  /** Tables that may change, because an attempt can be a legal write. */
  writes?: string[];
  /** The attempts; a function is called when its lane reaches it. */
  attempts(target: Target, count: number, random: Random): Promise<(Attempt | Later)[]>;
  /** Checks the state after all attempts: returns faults, and an additional remark for the row. */
  after?(target: Target): Promise<{ wrong: string[]; remark?: string }>;
}

export type Later = () => Attempt | Promise<Attempt>;

/** Number of concurrent requests; lane n modulo this number sends attempt n. */
export const LANES = 8;

const GIVE_UP = 15_000;
/** Time after which an idle socket is ended, in milliseconds. */
const PATIENCE = 1_000;
const agent = new Agent({ keepAlive: true });

/** Sends an attempt; status 0 when there was no answer. */
export async function deliver(port: number, attempt: Attempt): Promise<Reply> {
  if (attempt.raw !== undefined) return deliverRaw(port, attempt.raw);
  const answer = await deliverOnce(port, attempt);
  // The server may have just closed a kept connection; a new one decides.
  return answer.status === 0 ? deliverOnce(port, attempt, new Agent()) : answer;
}

function deliverOnce(port: number, attempt: Attempt, through = agent): Promise<Reply> {
  const { path, method, token, body, from, type = 'application/json' } = attempt;
  const headers = {
    ...(body === undefined
      ? {}
      : { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
    ...attempt.headers,
  };
  const started = performance.now();
  return new Promise((done) => {
    const fail = (error: Error): void =>
      done({ status: 0, headers: {}, text: error.message, duration: performance.now() - started });
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path: path.replaceAll(' ', '%20'),
        method,
        headers,
        localAddress: from,
        agent: through,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            duration: performance.now() - started,
          }),
        );
      },
    );
    request.setTimeout(GIVE_UP, () => request.destroy(new Error('no answer')));
    request.on('error', fail);
    request.end(body);
  });
}

/** Returns the first answer on a separate socket. If the server does not close it, the call hangs. */
function deliverRaw(port: number, bytes: string | Buffer): Promise<Reply> {
  const started = performance.now();
  return new Promise((done) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // If the socket ended immediately, the server would assume that the client has gone.
    const patience = setTimeout(() => socket.end(), PATIENCE);
    socket.setTimeout(GIVE_UP, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      patience.refresh();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      done({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
        headers: Object.fromEntries(lines.map((line) => line.toLowerCase().split(': '))) as Record<
          string,
          string
        >,
        text: rest.join('\r\n\r\n'),
        duration: performance.now() - started,
      });
    });
  });
}

/** The parsed body of a JSON answer. */
export function bodyOf<T = Record<string, unknown>>({ text }: Reply): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return {} as T;
  }
}

/**
 * Makes a check that the status is one of these, and the body that of the contract
 * (docs/api-contract.md#errors-and-statuses).
 */
export const refusedWith =
  (...statuses: number[]) =>
  (answer: Reply): string | undefined => {
    if (!statuses.includes(answer.status)) return `status ${answer.status}, not ${statuses.join()}`;
    const { code, message } = bodyOf<{ code?: unknown; message?: unknown }>(answer);
    return code === answer.status && typeof message === 'string'
      ? undefined
      : `no Error body: ${answer.text.slice(0, 80)}`;
  };
