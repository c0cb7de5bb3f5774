import { gunzipSync } from 'node:zlib';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type AnswerCheck,
  type Description,
  type HeardAnswer,
  makeAnswerCheck,
} from './answer-check.js';
import { faultOfReasons } from './reasons.js';

/**
 * Checks every answer of the servers in the tests, to any client: a call of the test, a browser, raw bytes.
 * An undocumented property of an answer, or a reason without a code or a translation, fails the test that was running.
 */
const problems: string[] = [];

/** @throws Error with what the answers so far were found to break */
export const reportAnswers = (): void => {
  if (problems.length > 0) throw new Error(problems.splice(0).join('\n\n'));
};

/** The checks of the worker by their descriptions: most servers have the same. */
const checks = new Map<string, AnswerCheck>();

function checkOf(description: string): AnswerCheck {
  const check = checks.get(description) ?? makeAnswerCheck(JSON.parse(description) as Description);
  checks.set(description, check);
  return check;
}

/**
 * Checks every further answer of a server against its API description.
 * @param description JSON, as the server serves it
 */
export function hearAnswers(server: Server, description: string, basePath: string): void {
  const check = checkOf(description);
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const sent = keepWritten(response);
    response.once('finish', () => {
      const { method = '', url = '' } = request;
      const [path, query] = url.replace(/^https?:\/\/[^/]*/, '').split('?', 2) as [string, string?];
      judge(check, {
        method,
        path: withoutBasePath(path, basePath, response.statusCode),
        query,
        status: response.statusCode,
        type: response.getHeader('Content-Type')?.toString(),
        headers: response.getHeaderNames(),
        body: unzipped(response, Buffer.concat(sent)),
      });
    });
  });
  // Answers to parser errors have no request: one call writes them and ends the socket.
  server.on('connection', (socket: Socket) => {
    const end = socket.end.bind(socket) as (...parts: unknown[]) => Socket;
    const hearing = (...parts: unknown[]): Socket => {
      if (typeof parts[0] === 'string') judge(check, readAnswer(parts[0]));
      return end(...parts);
    };
    Object.assign(socket, { end: hearing });
  });
}

const unzipped = (response: ServerResponse, body: Buffer): Buffer =>
  response.getHeader('Content-Encoding') === 'gzip' && body.length > 0 ? gunzipSync(body) : body;

function judge(check: AnswerCheck, answer: HeardAnswer): void {
  const problem = check(answer);
  const { method, path, status, body } = answer;
  if (problem !== undefined)
    problems.push(
      `${method} ${path} answered ${status} against its description: ${problem}\n${body.toString().slice(0, 500)}`,
    );
  const fault = status < 400 ? undefined : faultOfReasons(body.toString());
  if (fault !== undefined)
    problems.push(`${method} ${path} answered ${status}: ${fault} (src/base/errors/reasons.ts)`);
}

/** The path as the description names it; a 404 outside the base path belongs to no route. */
function withoutBasePath(path: string, basePath: string, status: number): string {
  if (path.startsWith(basePath)) return path.slice(basePath.length);
  return status === 404 ? 'outside' : path;
}

/** Collects everything that a response writes. */
function keepWritten(response: ServerResponse): Buffer[] {
  const kept: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...parts: unknown[]) => unknown;
    const keeping = (...parts: unknown[]): unknown => {
      const [chunk] = parts;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) kept.push(Buffer.from(chunk));
      return original(...parts);
    };
    Object.assign(response, { [name]: keeping });
  }
  return kept;
}

/** An answer to a parser error, whose request was not parsed; an envelope answers a search. */
function readAnswer(text: string): HeardAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const status = Number(head.split(' ')[1]);
  // An error status answers a request that was not understood, e.g. one with an unknown method.
  const isSearch = status === 200 && body[0]?.startsWith('{"type":');
  return {
    method: isSearch ? 'GET' : 'unread',
    path: isSearch ? '/navigation/search/workplace' : 'unread',
    status,
    type: /^Content-Type: (.*)$/im.exec(head)?.[1],
    headers: [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name),
    body: Buffer.from(body.join('\r\n\r\n')),
  };
}
