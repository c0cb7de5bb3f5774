import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Target } from './target.js';
import type { Random } from '../../support/random.js';
import type { Answer } from '../../support/send.js';

/** What came back, as text. */
export type Reply = Omit<Answer, 'body'>;

/** One hostile request, and what must come back beyond what holds for every answer. */
export interface Attempt {
  path: string;
  method?: string;
  token?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as it is. */
  body?: string | Buffer;
  type?: string;
  /** Address to call from. */
  from?: string;
  /** Bytes for a socket instead of a request. */
  raw?: string | Buffer;
  /** Says what is wrong with the answer, or undefined. */
  judge?: (answer: Reply) => string | undefined | Promise<string | undefined>;
}

/** One class of section 4A. */
export interface AttackClass {
  id: string;
  goal: string;
  /** How many requests at full size. */
  size: number;
  /** Tables that change, because something legal may come of an attempt. */
  writes?: string[];
  /** The attempts; a function is asked when its turn comes, in the order of its lane. */
  attempts(target: Target, count: number, random: Random): Promise<(Attempt | Later)[]>;
  /** What is wrong when all were sent; and what else the row should say. */
  after?(target: Target): Promise<{ wrong: string[]; remark?: string }>;
}

export type Later = () => Attempt | Promise<Attempt>;

/** So many requests are under way at once; attempt n is sent by lane n modulo this. */
export const LANES = 8;

const GIVE_UP = 15_000;
/** When a socket on which nothing comes any more is ended, in milliseconds. */
const PATIENCE = 1_000;
const agent = new Agent({ keepAlive: true });

/** Sends an attempt; status 0 when there was no answer. */
export async function deliver(port: number, attempt: Attempt): Promise<Reply> {
  if (attempt.raw !== undefined) return deliverRaw(port, attempt.raw);
  const answer = await deliverOnce(port, attempt);
  // A connection that was kept may be closed just then; a new one tells.
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

/** The first answer on a socket of its own. The other side closes, or it is a hang. */
function deliverRaw(port: number, bytes: string | Buffer): Promise<Reply> {
  const started = performance.now();
  return new Promise((done) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // Ended at once, the server would take it for a caller who has gone.
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

/** The body of an answer that is JSON. */
export function bodyOf<T = Record<string, unknown>>({ text }: Reply): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return {} as T;
  }
}

/**
 * The status must be one of these, and the body the contract's
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
