import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { ExpressJsonAdapter } from './express-adapter.js';

const prototypesOf = (...objects: object[]): unknown[] =>
  objects.map((object) => Object.getPrototypeOf(object) as unknown);

let server: Server;
afterEach(() => server.closeAllConnections());
afterEach(() => new Promise((done) => server.close(done)));

describe('ExpressJsonAdapter', () => {
  it("makes requests and answers as Express's own, so that Express changes no prototype", async () => {
    const app = express();
    const adapter = new ExpressJsonAdapter(app);
    adapter.initHttpServer({});
    server = adapter.getHttpServer();
    const seen: unknown[][] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      seen.push(prototypesOf(request, response)),
    );
    app.get('/', (request, response) => {
      seen.push(prototypesOf(request, response));
      response.set('X-Path', request.path).json({ host: request.hostname });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([answer.headers.get('X-Path'), await answer.json()]).toEqual([
      '/',
      { host: '127.0.0.1' },
    ]);
    const [atFirst, inside] = seen;
    expect(inside![0] === atFirst![0] && inside![1] === atFirst![1]).toBe(true);
  });
});
