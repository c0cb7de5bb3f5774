import { type ClientRequest, request as httpRequest } from 'node:http';
import { query } from './call.js';

const PATH = '/api/v2/process/tasks';
const NDJSON = 'application/x-ndjson';

/** An open call, and what has come back so far. */
export interface PushStream {
  request: ClientRequest;
  /** The parsed lines. */
  lines: Record<string, unknown>[];
  status: () => number | undefined;
  headers: () => Record<string, unknown>;
  /** Resolves at the end of the answer, or when the connection breaks. */
  ended: Promise<'end' | 'broken'>;
}

/**
 * Begins a push without an end (docs/api-contract.md#pushing-tasks).
 * @param from the address of the caller
 * @param base the base path
 */
export function openPush(
  port: number,
  parameters: Record<string, string>,
  {
    token,
    headers = {},
    from,
    base = '',
  }: { token: string; headers?: object; from?: string; base?: string },
): PushStream {
  const lines: Record<string, unknown>[] = [];
  let status: number | undefined;
  let answered: Record<string, unknown> = {};
  let text = '';
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    localAddress: from,
    path: base + PATH + query(parameters),
    method: 'PUT',
    headers: { 'X-AUTHENTICATION-KEY': token, 'Content-Type': NDJSON, ...headers },
  });
  const ended = new Promise<'end' | 'broken'>((resolve) => {
    request.on('error', () => resolve('broken'));
    request.on('response', (response) => {
      status = response.statusCode;
      answered = response.headers;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const parts = text.split('\n');
        text = parts.pop()!;
        lines.push(...parts.map((part) => JSON.parse(part) as Record<string, unknown>));
      });
      response.on('end', () => {
        if (text !== '') lines.push(JSON.parse(text) as Record<string, unknown>);
        resolve('end');
      });
      response.on('error', () => resolve('broken'));
    });
  });
  return { request, lines, status: () => status, headers: () => answered, ended };
}
