import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from './eventually.js';

/** A message as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies are asserted as received
  body: any;
  /** The port of the peer, which tells connections apart. */
  peer: number;
}

/** How a receiver answers one message. */
export type Behaviour = (response: ServerResponse, message: Received) => void;

/** An HTTP server that webhooks are sent to. */
export interface Receiver {
  url: string;
  port: number;
  messages: Received[];
  /** Answers of the next messages, one each; after them 204. */
  answers: Behaviour[];
  /** The answer while there is none in `answers`. */
  usual: Behaviour;
  /** Returns the messages once at least `count` have arrived. */
  hasGot(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Answers with a status and headers. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) =>
    response.writeHead(code, headers).end(body);

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer((request, response) => {
    void text(request).then(
      (content) => {
        const message = {
          headers: request.headers,
          text: content,
          body: JSON.parse(content) as unknown,
          peer: request.socket.remotePort ?? 0,
        };
        receiver.messages.push(message);
        (receiver.answers.shift() ?? receiver.usual)(response, message);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host}:${port}/hook`,
    port,
    messages: [],
    answers: [],
    usual: status(204),
    hasGot: async (count) => {
      await eventually(() => {
        if (receiver.messages.length < count)
          throw new Error(`${receiver.messages.length} messages of ${count} have arrived`);
      });
      return receiver.messages;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
