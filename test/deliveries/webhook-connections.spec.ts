import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connections, post } from '../../src/deliveries/engines/webhook.js';
import { Destinations } from '../../src/deliveries/engines/destinations.js';
import { retryAfter, pauseAfter, waitAfter } from '../../src/deliveries/events/retry-schedule.js';

/** How one message is sent, to receivers that misbehave (docs/api-contract.md#task-events). */

let server: Server;
let port: number;
let sockets: Socket[];
let connections: Connections;
/** What the receiver does once a request has arrived. */
let answer: (socket: Socket) => void;
beforeEach(async () => {
  sockets = [];
  connections = new Connections();
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  connections.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const LOOPBACK = { address: '127.0.0.1', family: 4 } as const;
const send = (timeout = 20_000, host = '127.0.0.1') =>
  post(new URL(`http://${host}:${port}/hook`), LOOPBACK, {}, '{}', connections, timeout);
const NO_ANSWER = 'no answer within 1 s';
const says = (text: string) => (socket: Socket) => void socket.write(text);

describe('a message', () => {
  it('goes to the address that was checked, whatever its name leads to by now', async () => {
    let head = '';
    answer = says('HTTP/1.1 204 No Content\r\n\r\n');
    server.on('connection', (socket) => socket.on('data', (data) => (head += String(data))));
    // No resolver knows a name below .invalid (RFC 6761).
    expect(await send(5_000, 'hooks.invalid')).toMatchObject({ status: 204 });
    expect(head).toContain(`Host: hooks.invalid:${port}\r\n`);
  });

  it.each([
    ['a receiver that hangs', () => undefined, { error: NO_ANSWER }],
    [
      'one that resets the connection',
      (socket: Socket) => socket.resetAndDestroy(),
      { error: expect.stringMatching(/ECONNRESET|socket hang up/) },
    ],
    [
      'one that closes it',
      (socket: Socket) => socket.end(),
      { error: expect.stringMatching(/hang up|ECONNRESET/) },
    ],
    [
      'one that speaks another protocol',
      says('+OK ready\r\n'),
      { error: expect.stringContaining('HPE_') },
    ],
    [
      'endless headers',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        for (let at = 0; at < 2_000; at++) socket.write(`x-${at}: ${'y'.repeat(50)}\r\n`);
      },
      { error: expect.stringContaining('HPE_HEADER_OVERFLOW') },
    ],
    ['headers that never end', says('HTTP/1.1 200 OK\r\nx: y\r\n'), { error: NO_ANSWER }],
    [
      'a redirect',
      says('HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
      { status: 301 },
    ],
  ])('leads to a result in spite of %s', async (_name, behaviour, expected: object) => {
    answer = behaviour;
    const isSilent = 'error' in expected && expected.error === NO_ANSWER;
    expect(await send(isSilent ? 1_000 : undefined)).toMatchObject(expected);
  });

  it('counts by its status where the body never ends, and reads little of it', async () => {
    let written = 0;
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && written < 2 ** 31) {
          written += 65_536;
          if (!socket.write('x'.repeat(65_536))) return void socket.once('drain', more);
        }
      };
      more();
    };
    const result = await send(10_000);
    expect(result).toMatchObject({ status: 200, body: 'x'.repeat(16_384) });
    expect(written).toBeLessThan(64 * 2 ** 20);
  });

  it('counts by its status where the body comes byte by byte', async () => {
    answer = (socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.once('close', () => clearInterval(timer));
    };
    const result = await send(3_000);
    expect(result).toMatchObject({ status: 202, body: expect.stringMatching(/^x+$/) });
    // The whole body takes 100 seconds.
    expect(result.duration).toBeLessThan(30_000);
  });

  it('reuses the connection of the message before', async () => {
    answer = says('HTTP/1.1 204 No Content\r\n\r\n');
    await send();
    await send();
    expect(sockets).toHaveLength(1);
  });

  it('is sent again at once where the receiver has closed a kept connection', async () => {
    const isFirstOf = new Map<Socket, boolean>();
    answer = (socket) => {
      if (isFirstOf.has(socket)) return void socket.destroy();
      isFirstOf.set(socket, true);
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    };
    expect(await send()).toMatchObject({ status: 204 });
    expect(await send()).toMatchObject({ status: 204 });
    expect(sockets).toHaveLength(2);
  });

  it('follows a name to its new address only after a new check', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const destinations = new Destinations('*.example.com 127.0.0.1', () =>
      Promise.resolve(answers.shift() ?? []),
    );
    const url = new URL('https://rebind.example.com/');
    expect(await destinations.check(url)).toEqual(LOOPBACK);
    await expect(destinations.check(url)).rejects.toThrow('an inner address');
  });
});

describe('the schedule', () => {
  it('is the one of Standard Webhooks, 10 % more or less', () => {
    const waits = Array.from({ length: 10 }, (_, at) => waitAfter(at + 1, 0.5));
    expect(waits).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, undefined]);
    expect([waitAfter(1, 0), waitAfter(1, 1)]).toEqual([4.5, 5.5]);
  });

  it('pauses a failing endpoint for longer and longer', () => {
    expect([4, 5, 6, 7, 20].map(pauseAfter)).toEqual([undefined, 5, 10, 20, 300]);
  });

  it.each([
    ['120', 120],
    ['Tue, 24 Nov 2026 00:01:00 GMT', 60],
    ['999999999', 86_400],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['Tue, 24 Nov 2025 00:01:00 GMT', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (value, seconds) => {
    expect(retryAfter(value, Date.parse('2026-11-24T00:00:00Z'))).toBe(seconds);
  });
});
