import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { badCredentials } from '../errors/api-errors.js';
import { requestLog } from './request-log.js';
import { stateOf } from './request-state.js';

const lines: string[] = [];
const app = express();
app.use(requestLog(pino({}, { write: (line) => void lines.push(line) })));
app.use((request, response) => {
  if (request.path === '/refused') stateOf(request).error = badCredentials('password');
  response.end();
});
const server = createServer(app);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

it.each([
  ['/refused', 'bad credentials: password'],
  ['/served', undefined],
])('the log line of %s has the reason %j of a refused sign-in', async (path, reason) => {
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();
  const line = lines.map((text) => JSON.parse(text) as Line).find(({ req }) => req.path === path);
  expect(line!.refused).toBe(reason);
});

interface Line {
  req: { path: string };
  refused?: string;
}
