import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { badCredentials } from '../base/errors/api-errors.js';
import { requestLog } from './request-log.js';
import { stateOf } from './request-state.js';

const lines: string[] = [];
const app = express();
app.use(requestLog(pino({}, { write: (line) => void lines.push(line) })));
app.use((request, response) => {
  if (request.path === '/left') return;
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

it('the log holds no token and no query', async () => {
  const { port } = server.address() as AddressInfo;
  const headers = { 'X-AUTHENTICATION-KEY': 'secret', Authorization: 'Bearer secret' };
  const path = '/secrets?_AuthenticationKey=secret&query=lefevre';
  await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
  expect(lines.join()).toContain('"/secrets"');
  expect(lines.join()).not.toMatch(/secret"|secret&|lefevre/);
});

it('the log line of a client that left before its answer has the status 499', async () => {
  const controller = new AbortController();
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, 'request');
  const answer = fetch(`http://127.0.0.1:${port}/left`, { signal: controller.signal });
  const [, response] = (await arrived) as [unknown, ServerResponse];
  controller.abort();
  await Promise.all([once(response, 'close'), answer.catch(() => undefined)]);
  const line = lines
    .map((text) => JSON.parse(text) as Line)
    .find(({ req }) => req.path === '/left');
  expect(line!.res).toEqual({ status: 499 });
});

interface Line {
  req: { path: string };
  res: { status: number };
  refused?: string;
}
