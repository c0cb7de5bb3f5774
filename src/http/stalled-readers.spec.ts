import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { closeStalledReaders } from './stalled-readers.js';
import { runBeforeExpress } from './step.js';

/** More than the system's buffers hold while the client does not read. */
const ANSWER = Buffer.alloc(32 * 2 ** 20);

let server: Server;
let client: net.Socket;
beforeEach(async () => {
  server = createServer((_request, response) => response.end(ANSWER));
  runBeforeExpress(server, [{ name: 'closeStalledReaders', handle: closeStalledReaders }]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await new Promise((resolve) => client.once('readable', resolve));
});
afterEach(async () => {
  jest.useRealTimers();
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Bytes that arrive until the connection closes or the answer is complete. */
const readRest = (): Promise<number> =>
  new Promise((resolve) => {
    let bytes = 0;
    client.on('data', (data: Buffer) => {
      bytes += data.length;
      if (bytes > ANSWER.length) resolve(bytes);
    });
    client.once('close', () => resolve(bytes));
  });

describe('an answer that is read slowly', () => {
  it('may take a minute', async () => {
    jest.advanceTimersByTime(59_999);
    expect(await readRest()).toBeGreaterThan(ANSWER.length);
  });

  it('is cut off after a minute, however steadily it is read', async () => {
    jest.advanceTimersByTime(60_000);
    expect(await readRest()).toBeLessThan(ANSWER.length);
  });
});
