import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { uriOf } from '../support/id-of.js';

/** Requests that are sent before the ones before them are answered (docs/api-contract.md#pipelined-requests). */

const TASKS = '/api/v2/process/tasks';
const PROBE = '/health/live';
const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';

let world: EndpointWorld;
let file: string;
beforeAll(async () => {
  world = await startEndpointWorld();
  await world.pull({ reference: 'WORK' });
  await world.call('POST', '/api/v2/process/sources', {
    reference: 'ERP',
    label: 'ERP',
    serviceAccount: await uriOf(world.server, 'users', 'process.engine'),
  });
  const task = await world.task({ assignee: await uriOf(world.server, 'users', 'bruno.keller') });
  file = `${TASKS}/${task}/files`;
});
afterAll(() => world.server.close());

interface Asked {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: string | object;
}

/** A request as bytes. */
function bytesOf(path: string, { method = 'GET', token, headers = {}, body }: Asked = {}): string {
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const lines = Object.entries({
    Host: 'x',
    ...(token !== undefined && { 'X-AUTHENTICATION-KEY': token }),
    ...(body !== undefined && { 'Content-Type': JSON_TYPE, 'Content-Length': text.length }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** A connection that sends bytes; `text` is what has been answered. */
function send(bytes: string): { socket: Socket; text: () => string; statuses: () => string[] } {
  let text = '';
  const socket = connect(world.server.port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (data) => (text += data.toString('latin1')));
  socket.on('error', () => undefined);
  return {
    socket,
    text: () => text,
    statuses: () => (text.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => line.slice(9)),
  };
}

describe('pipelined requests', () => {
  it.each([PROBE, '/nothing', '/workplace', '/api/v2/directory/users'])(
    'do not harm another caller: %s',
    async (path) => {
      const count = 20_000;
      const { socket, statuses } = send(bytesOf(path).repeat(count));
      await eventually(() => expect(statuses().length).toBeGreaterThan(0));
      const other = await world.call('GET', '/api/v2');
      expect(other.status).toBe(200);
      expect(statuses().length).toBeLessThan(count / 2);
      socket.destroy();
    },
  );

  it('are not answered before a sign-in in front of them, and do not outlive their connection', async () => {
    const body = { login: 'bruno.keller', password: 'wrong' };
    const signIn = bytesOf('/api/v2/authentication', { method: 'POST', body });
    const first = send(signIn + bytesOf(PROBE).repeat(200) + bytesOf('/nothing'));
    await eventually(() => expect(first.statuses()).toHaveLength(202));
    const probes = Array.from({ length: 200 }, () => '200');
    expect(first.statuses()).toEqual(['401', ...probes, '404']);
    first.socket.destroy();
    const second = send(signIn + bytesOf(PROBE).repeat(20_000));
    await eventually(() => expect(second.socket.bytesWritten).toBeGreaterThan(0));
    second.socket.destroy();
    expect((await world.call('GET', PROBE)).status).toBe(200);
  });
});

describe('a long answer', () => {
  const long = (): [string, string, Asked][] => {
    const [token, lines] = [world.engine, { Accept: NDJSON }];
    const wait = {
      workerId: 'w',
      asyncResponseTimeout: 50,
      topics: [{ topicName: 'WORK', lockDuration: 1000 }],
    };
    const asOctets = { 'Content-Type': 'application/octet-stream' };
    const feed = '/api/v2/changes?kinds=categories';
    return [
      ['a feed that may wait', `${feed}&wait=1`, { token }],
      ['a feed as lines', feed, { token, headers: lines }],
      [
        'a fetch with a wait',
        `${ENDPOINTS}/WORK/fetch`,
        { token, method: 'POST', body: { worker: 'w', wait: 1 } },
      ],
      [
        'external tasks with a timeout',
        '/engine-rest/external-task/fetchAndLock',
        { token, method: 'POST', body: wait },
      ],
      [
        'the upload of a file',
        `${file}?name=a`,
        { token: world.bruno, method: 'POST', body: 'abc', headers: asOctets },
      ],
      [
        'a push of lines',
        `${TASKS}?source=ERP`,
        { token, method: 'PUT', body: '{"externalId":"1"}\n', headers: { 'Content-Type': NDJSON } },
      ],
    ];
  };

  it.each([
    'a feed that may wait',
    'a feed as lines',
    'a fetch with a wait',
    'external tasks with a timeout',
    'the upload of a file',
    'a push of lines',
    'the download of a file',
  ])('is the last one of its connection: %s', async (name) => {
    const [, path, asked] = long().find(([one]) => one === name) ?? (await download());
    const { socket, text, statuses } = send(bytesOf(path, asked) + bytesOf(PROBE).repeat(40));
    const closed = new Promise((done) => socket.once('close', done));
    await closed;
    expect([statuses(), text()]).toEqual([
      [expect.stringMatching(/^20[01]$/)],
      expect.stringMatching(/\r\nConnection: close\r\n/),
    ]);
  });

  it('is the last one of its connection: a stream of events', async () => {
    const stream = bytesOf('/navigation/workplace/events', { token: world.bruno });
    const { socket, text, statuses } = send(stream + bytesOf(PROBE).repeat(40));
    await eventually(() => expect(text()).toMatch(/event: /));
    expect(text()).toMatch(/\r\nConnection: close\r\n/);
    socket.write(Buffer.from(bytesOf(PROBE).repeat(100_000)));
    // The server takes what it drops.
    await eventually(() => expect(socket.writableLength).toBe(0));
    expect(statuses()).toEqual(['200']);
    socket.destroy();
  });

  const download = async (): Promise<[string, string, Asked]> => {
    const { body } = await world.server.call(`${file}?name=b`, {
      method: 'POST',
      token: world.bruno,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.from('content'),
    });
    return ['the download of a file', `${file}/${body.id as string}`, { token: world.bruno }];
  };

  it.each([
    ['a feed', () => bytesOf('/api/v2/changes?kinds=categories', { token: world.engine })],
    [
      'a fetch',
      () =>
        bytesOf(`${ENDPOINTS}/WORK/fetch`, {
          token: world.engine,
          method: 'POST',
          body: { worker: 'w' },
        }),
    ],
  ])('is none without a wait: %s', async (_, first) => {
    const { socket, text, statuses } = send(first() + bytesOf(PROBE));
    await eventually(() => expect(statuses()).toEqual(['200', '200']));
    expect(text()).not.toMatch(/Connection: close/);
    socket.destroy();
  });
});
