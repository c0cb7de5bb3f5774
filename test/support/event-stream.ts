import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { until } from './until.js';

/** The address of the live counters. */
export const EVENTS = '/navigation/workplace/events';

/** A message of a stream, with its fields as they were written, and when it came (performance.now()). */
export interface Message {
  id?: string;
  event?: string;
  retry?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- asserted as received
  data?: any;
  time: number;
}

/** An open stream of server-sent events. */
export interface EventStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Everything that has arrived. */
  messages: Message[];
  /** Times of the comments. */
  comments: number[];
  /** The body, as it was written. */
  text(): string;
  /** When the server ended it; undefined while it is open. */
  endTime(): number | undefined;
  /** The data of messages of a kind, in their order. */
  dataOf(event: string): unknown[];
  /** Waits for the end, and returns the reason in the last message. */
  reason(): Promise<unknown>;
  close(): void;
}

interface Options {
  token: string;
  path?: string;
  /** The client's address. */
  from?: string;
  headers?: Record<string, string>;
}

/** Opens a stream; resolves with the head of the answer, whatever its status. */
export function openEvents(
  port: number,
  { token, path = EVENTS, from, headers }: Options,
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const all = { 'X-AUTHENTICATION-KEY': token, Accept: 'text/event-stream', ...headers };
    const request = httpRequest(
      { host: '127.0.0.1', port, path, headers: all, localAddress: from, agent: false },
      (response) => {
        const messages: Message[] = [];
        const comments: number[] = [];
        let text = '';
        let read = 0;
        let end: number | undefined;
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          for (let at = text.indexOf('\n\n', read); at >= 0; at = text.indexOf('\n\n', read)) {
            const part = text.slice(read, at);
            read = at + 2;
            if (part.startsWith(':')) comments.push(performance.now());
            else messages.push(readMessage(part));
          }
        });
        const ended = () => (end ??= performance.now());
        response.on('error', ended);
        response.on('close', ended);
        const stream: EventStream = {
          status: response.statusCode ?? 0,
          headers: response.headers,
          messages,
          comments,
          text: () => text,
          endTime: () => end,
          dataOf: (event) =>
            messages.filter((one) => one.event === event).map(({ data }) => data as unknown),
          reason: async () => {
            if ((await until(() => Promise.resolve(end !== undefined))) === undefined)
              throw new Error(`the stream is still open: ${text}`);
            return stream.dataOf('end').map((data) => (data as { reason: unknown }).reason)[0];
          },
          close: () => request.destroy(),
        };
        resolve(stream);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function readMessage(text: string): Message {
  const message: Record<string, unknown> = { time: performance.now() };
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    message[field] = field === 'data' ? JSON.parse(value) : value;
  }
  return message as unknown as Message;
}
