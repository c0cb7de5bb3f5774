import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../support/test-server.js';

const NEWS = '/api/v2/content/news?sorter=-id&range=0-180';
/** The memory for unsent answers of one process. */
const MEMORY = 32 * 2 ** 20;

let server: TestServer;
let token: string;
/** The size of one answer in bytes, without its head. */
let length: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
  await server.database.query(
    `INSERT INTO news (title, summary, body, description)
     SELECT 'Long ' || i, repeat('x', 2000), repeat('y', 10000), repeat('z', 10000) FROM generate_series(1, 180) i`,
  );
  length = Buffer.byteLength((await server.call(NEWS, { token })).text);
});
afterAll(() => server.close());

const sockets: net.Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Requests the list and stops reading once the answer begins. */
async function ask(connection = 'close'): Promise<net.Socket> {
  const socket = net.connect(server.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `GET ${NEWS} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: ${connection}\r\nX-AUTHENTICATION-KEY: ${token}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket;
}

/** Reads the rest of an answer and returns whether it is complete. */
async function isWhole(socket: net.Socket): Promise<boolean> {
  let bytes = 0;
  socket.on('data', (data: Buffer) => (bytes += data.length));
  await new Promise((resolve) => socket.once('close', resolve));
  return bytes > length;
}

describe('unread answers', () => {
  it('close the connection that has been reading for longest beyond 32 MiB together', async () => {
    const fitting = Math.floor(MEMORY / (length + 2_000));
    const readers: net.Socket[] = [];
    for (let at = 0; at < fitting + 2; at++) readers.push(await ask());
    const whole = await Promise.all(readers.map(isWhole));
    expect(whole).toEqual(readers.map((_, at) => at >= 2));
  });

  it('keep a connection open once its answer was read', async () => {
    const reader = await ask('keep-alive');
    await new Promise<void>((resolve) => {
      let bytes = 0;
      reader.on('data', (data: Buffer) => {
        bytes += data.length;
        if (bytes > length) resolve();
      });
    });
    const fitting = Math.floor(MEMORY / (length + 2_000));
    for (let at = 0; at < fitting + 2; at++) await ask();
    await delay(100);
    expect(reader.closed).toBe(false);
  });
});
