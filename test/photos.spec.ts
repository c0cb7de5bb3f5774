import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { startTestServer, type TestServer } from './support/test-server.js';

const ME = '/api/v2/directory/users/me';
let server: TestServer;
let token: string, path: string, other: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
  const { id } = (await server.call(ME, { token })).body as { id: string };
  path = `/api/v2/directory/users/${id}/photo`;
  other = '/api/v2/directory/users/1/photo';
});
afterAll(() => server.close());

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff') =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#336699' } })
    .withMetadata({ exif: { IFD0: { Artist: 'hidden-artist' } } })
    .toFormat(format)
    .toBuffer();
const put = (body: Buffer | string, type: string, to = path) =>
  server.call(to, { method: 'PUT', token, body, headers: { 'Content-Type': type } });
const fetchPicture = async (from: string) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${from}`, {
    headers: { 'X-AUTHENTICATION-KEY': token },
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    etag: answer.headers.get('etag'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
};

/** A PNG whose header declares any size. */
function declaredPng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('photos', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'takes %s, re-encodes it and strips what it hides',
    async (format) => {
      expect((await put(await picture(format), `image/${format}`)).status).toBe(204);
      const main = await fetchPicture(path);
      expect([main.status, main.type]).toEqual([200, 'image/webp']);
      const { width, height, exif } = await sharp(main.bytes).metadata();
      expect([width, height, exif]).toEqual([512, 512, undefined]);
      expect(main.bytes.includes('hidden-artist')).toBe(false);
      const shown = await fetchPicture(path.replace('/api/v2', '/navigation'));
      expect(shown.bytes.equals(main.bytes)).toBe(true);
      const again = await server.call(path, { token, headers: { 'If-None-Match': main.etag! } });
      expect(again.status).toBe(304);
    },
  );

  it('decides by the content, not by the declared type', async () => {
    expect((await put(await picture('png'), 'image/jpeg')).status).toBe(204);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const content of [
      svg,
      '<html>',
      'GIF89a/*<script>*/',
      '%PDF-1.7',
      'x',
      await picture('gif'),
      await picture('tiff'),
    ]) {
      const answer = await put(content, 'image/png');
      expect([answer.status, answer.body.code]).toEqual([415, 415]);
    }
    for (const type of ['image/svg+xml', 'image/gif', 'application/json', 'text/html'])
      expect((await put(await picture('png'), type)).status).toBe(415);
    const truncated = (await picture('png')).subarray(0, 300);
    expect([400, 415]).toContain((await put(truncated, 'image/png')).status);
  });

  it('refuses a picture of too many pixels and a file of more than 2 MiB', async () => {
    expect([400, 415]).toContain((await put(declaredPng(30_000, 30_000), 'image/png')).status);
    const big = Buffer.concat([await picture('png'), Buffer.alloc(2 * 1024 * 1024)]);
    expect((await put(big, 'image/png')).status).toBe(413);
    expect((await put('', 'image/png')).status).toBe(400);
  });

  it('is the person’s own or an administrator’s to change', async () => {
    expect((await put(await picture('png'), 'image/png', other)).status).toBe(403);
    expect((await server.call(other, { method: 'DELETE', token })).status).toBe(403);
    const admin = await server.signIn('alice.martin');
    expect((await server.call(path, { method: 'DELETE', token: admin })).status).toBe(204);
    expect((await server.call(path, { method: 'DELETE', token: admin })).status).toBe(404);
    expect((await server.call(path, { token })).status).toBe(404);
    expect(
      (await put(await picture('png'), 'image/png', path.replace(/\d+/, '999999'))).status,
    ).toBe(404);
  });
});
