import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import net from 'node:net';
import { readRaw, sendRaw } from '../support/raw.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PHOTO_BYTES = 2 * 2 ** 20;
/** As many photos as fit into the memory for bodies of one process: 32 MiB. */
const FITTING = 16;
const REFUSED = { code: 503, message: 'The service is temporarily unavailable' };

let server: TestServer;
let token: string;
let photo: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  const { uri } = (await server.call('/api/v2/directory/users/me', { token })).body as {
    uri: string;
  };
  photo = `/api/v2${uri}/photo`;
});
afterAll(() => server.close());

const open: Unfinished[] = [];
afterEach(() => open.splice(0).forEach(({ socket }) => socket.destroy()));

/** A request whose body never ends, and its answer. */
interface Unfinished {
  socket: net.Socket;
  /** Resolves with everything that the server sent once it closes the connection. */
  closed: Promise<string>;
}

function begin(path: string, headers: Record<string, string>, method = 'PUT'): Promise<Unfinished> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
  return new Promise((resolve) => {
    const socket = net.connect(server.port, '127.0.0.1', () => {
      socket.write(`${head}x`);
      open.push(unfinished);
      // The server has begun to read it once it answers a later request.
      void server.call('/health/live').then(() => resolve(unfinished));
    });
    let text = '';
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => undefined);
    const closed = new Promise<string>((done) => socket.on('close', () => done(text)));
    const unfinished = { socket, closed };
  });
}

const beginPhoto = (length: number = PHOTO_BYTES): Promise<Unfinished> =>
  begin(photo, {
    'X-AUTHENTICATION-KEY': token,
    'Content-Type': 'image/png',
    'Content-Length': String(length),
  });

const isOpen = ({ socket }: Unfinished): boolean => !socket.destroyed;
const post = () =>
  server.call('/api/v2/content/documents', { method: 'POST', token, body: { title: 'Room' } });

describe('bodies that arrive have 32 MiB together', () => {
  it('refuse the oldest upload once they exceed that', async () => {
    const photos: Unfinished[] = [];
    for (let at = 0; at < FITTING; at++) photos.push(await beginPhoto());
    expect(photos.every(isOpen)).toBe(true);
    expect((await post()).status).toBe(201);
    const { status, headers, body } = readRaw(await photos[0]!.closed);
    expect([status, headers['retry-after'], headers.connection, body]).toEqual([
      503,
      '1',
      'close',
      REFUSED,
    ]);
    expect(photos.slice(1).every(isOpen)).toBe(true);
  });

  it('release their share once they were answered or aborted', async () => {
    for (let at = 0; at < FITTING; at++) (await beginPhoto()).socket.destroy();
    const headers = { 'Content-Type': 'image/png' };
    const body = Buffer.alloc(PHOTO_BYTES);
    for (let at = 0; at < FITTING; at++)
      expect((await server.call(photo, { method: 'PUT', token, headers, body })).status).toBe(415);
    const photos: Unfinished[] = [];
    for (let at = 0; at < FITTING; at++) photos.push(await beginPhoto());
    expect(photos.every(isOpen)).toBe(true);
  });

  it('count a chunked body as the largest that is allowed', async () => {
    const photos: Unfinished[] = [];
    for (let at = 0; at < FITTING; at++) photos.push(await beginPhoto());
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    await begin('/api/v2/content/documents', headers, 'POST');
    expect(readRaw(await photos[0]!.closed).status).toBe(503);
  });
});

describe('a photo without a valid token', () => {
  it.each([
    ['no token', {}],
    ['a token that is unknown', { 'X-AUTHENTICATION-KEY': 'x'.repeat(43) }],
  ])('is answered 401 before it has arrived: %s', async (_, credentials) => {
    const length = String(PHOTO_BYTES);
    const headers = { 'Content-Type': 'image/png', 'Content-Length': length, ...credentials };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `PUT ${photo} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\nx`;
    const { status, body } = readRaw(await sendRaw(server.port, text, 1_000));
    expect([status, body]).toEqual([
      401,
      { code: 401, message: 'You are not logged in: the token is missing, invalid or expired' },
    ]);
  });
});
