import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call as it arrived. */
export interface EngineRequest {
  /** Method and path. */
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How the engine answers one call. */
export type EngineBehaviour = (response: ServerResponse, request: EngineRequest) => void;

/** An engine whose answers a test chooses. */
export interface FakeEngine {
  url: string;
  requests: EngineRequest[];
  /** Answers of the next calls, one each; after them the usual one. */
  answers: EngineBehaviour[];
  usual: EngineBehaviour;
  close(): Promise<void>;
}

/** Answers with a status and JSON. */
export const json =
  (code: number, body?: unknown, headers: Record<string, string> = {}): EngineBehaviour =>
  (response) =>
    response
      .writeHead(code, { 'Content-Type': 'application/json', ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));

export async function startFakeEngine(): Promise<FakeEngine> {
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { method, url, headers } = request;
        const received = { line: `${method} ${url}`, headers, body };
        engine.requests.push(received);
        (engine.answers.shift() ?? engine.usual)(response, received);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const engine: FakeEngine = {
    url: `http://127.0.0.1:${port}/engine`,
    requests: [],
    answers: [],
    usual: (response) => response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return engine;
}
