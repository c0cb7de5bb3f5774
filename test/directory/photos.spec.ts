import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ME = '/api/v2/directory/users/me';
let server: TestServer;
let token: string, path: string, other: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
  const { id } = (await server.call(ME, { token })).body as { id: string };
  path = photoOf(id);
  other = photoOf('1');
});
afterAll(() => server.close());

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff') =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#336699' } })
    .withMetadata({ exif: { IFD0: { Artist: 'hidden-artist' } } })
    .toFormat(format)
    .toBuffer();
const photoOf = (id: string) => `/api/v2/directory/users/${id}/photo`;
const put = (body: Buffer | string, type: string, to = path, by = token) =>
  server.call(to, { method: 'PUT', token: by, body, headers: { 'Content-Type': type } });
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

const PNG_SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function pngChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(name), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** A PNG with an alpha channel whose header declares any size; it has no pixels. */
function declaredPng(width: number, height: number, { depth = 8, interlaced = false } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, 6, 0, 0, Number(interlaced)], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A small PNG whose compressed text chunks expand to 900 MB. */
async function pngOfTexts(): Promise<Buffer> {
  const text = deflateSync(Buffer.alloc(3_000_000, 'A'), { level: 9 });
  const texts = Array.from({ length: 300 }, (_, index) =>
    pngChunk('zTXt', Buffer.concat([Buffer.from(`key${index}\0\0`), text])),
  );
  const png = await picture('png');
  const headerEnd = PNG_SIGNATURE.length + 25;
  return Buffer.concat([png.subarray(0, headerEnd), ...texts, png.subarray(headerEnd)]);
}

/** A grey progressive JPEG of 64 × 64 pixels; every scan after the first is empty. */
function jpegOfScans(scans: number): Buffer {
  const segment = (marker: number, content: number[]) =>
    Buffer.from([0xff, marker, 0, content.length + 2, ...content]);
  const oneCode = (table: number, symbol: number) =>
    segment(0xc4, [table, 1, ...Array<number>(15).fill(0), symbol]);
  const scan = (first: number, last: number, data: number[]) =>
    Buffer.concat([segment(0xda, [1, 1, 0, first, last, 0]), Buffer.from(data)]);
  // One end-of-band run of 2^14 blocks (ITU-T T.81, section G.1.2.2), and one padding bit.
  const empty = scan(1, 63, [0, 1]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, 0, 64, 0, 64, 1, 1, 0x11, 0]),
    oneCode(0, 0),
    oneCode(0x10, 0xe0),
    scan(0, 0, Array<number>(8).fill(0)),
    ...Array<Buffer>(scans - 1).fill(empty),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });

describe('photos', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'accepts %s, re-encodes it and removes its metadata',
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

  it('are recognized by their content, not by the declared type', async () => {
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
    const { status, body } = await put(declaredPng(30_000, 30_000), 'image/png');
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: body',
        fields: [{ name: 'body', message: '30000 x 30000 pixels; at most 50000000 are allowed' }],
      },
    ]);
    const big = Buffer.concat([await picture('png'), Buffer.alloc(2 * 1024 * 1024)]);
    expect((await put(big, 'image/png')).status).toBe(413);
    expect((await put('', 'image/png')).status).toBe(400);
  });

  it('can be changed by the person and by administrators only', async () => {
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

  it.each<[string, number, () => Promise<Buffer> | Buffer]>([
    ['an interlaced PNG', 147, () => declaredPng(6000, 4000, { interlaced: true })],
    ['a PNG of 16 bits', 130, () => declaredPng(7050, 7050, { depth: 16 })],
    [
      'an interlaced PNG of 16 bits',
      509,
      () => declaredPng(7050, 7050, { depth: 16, interlaced: true }),
    ],
    ['a long and narrow PNG', 458, () => declaredPng(1000, 50_000)],
    [
      'a progressive JPEG',
      179,
      () => solid(6000, 4000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    ],
    ['a WebP', 156, () => solid(6000, 4000).webp().toBuffer()],
  ])('refuses %s that takes too much memory to decode', async (_, needed, make) => {
    const { status, body } = await put(await make(), 'image/png');
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: body',
        fields: [
          {
            name: 'body',
            message: `takes up to ${needed} MiB to decode, at most 112 are allowed; send fewer pixels, 8 bits a sample, or a picture that is neither interlaced nor progressive`,
          },
        ],
      },
    ]);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['12 million pixels', () => solid(4032, 3024).jpeg().toBuffer()],
    [
      '12 million pixels, progressive',
      () => solid(4032, 3024).jpeg({ progressive: true }).toBuffer(),
    ],
    ['24 million pixels', () => solid(6000, 4000).jpeg().toBuffer()],
    ['50 million pixels', () => solid(8160, 6120).jpeg().toBuffer()],
  ])('takes the JPEG of a camera: %s', async (_, make) => {
    expect((await put(await make(), 'image/jpeg')).status).toBe(204);
  });

  it('refuses a JPEG of more scans than pictures have', async () => {
    expect((await put(jpegOfScans(100), 'image/jpeg')).status).toBe(204);
    const { status, body } = await put(jpegOfScans(101), 'image/jpeg');
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: body',
        fields: [{ name: 'body', message: '101 scans; at most 100 are allowed' }],
      },
    ]);
  });

  it('does not unpack the compressed texts of a PNG', async () => {
    const file = await pngOfTexts();
    const before = process.memoryUsage.rss();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    expect((await put(file, 'image/png')).status).toBe(204);
    clearInterval(sampling);
    expect(most - before).toBeLessThan(128 * 2 ** 20);
  });

  it('decodes one picture at a time and answers 503 when too many wait', async () => {
    const file = await solid(7000, 7000).png().toBuffer();
    let atOnce = 0;
    const count = () => (atOnce = Math.max(atOnce, sharp.counters().process));
    const sampling = setInterval(count, 1);
    const admin = await server.signIn('alice.martin');
    const people = await server.database.query<{ id: string }>(
      `SELECT id::text FROM users WHERE login <> 'sysadmin' ORDER BY id LIMIT 24`,
    );
    const answers = await Promise.all(
      people.map(({ id }) => put(file, 'image/png', photoOf(id), admin)),
    );
    clearInterval(sampling);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204, 503]));
    expect(atOnce).toBe(1);
    expect((await put(file, 'image/png')).status).toBe(204);
  });

  it('takes one picture of a person at a time', async () => {
    const file = await solid(7000, 7000).png().toBuffer();
    const admin = await server.signIn('alice.martin');
    const others = await server.database.query<{ id: string }>(
      `SELECT id::text FROM users WHERE login NOT IN ('sysadmin', 'bruno.keller') ORDER BY id LIMIT 3`,
    );
    // Those of other people keep the decoder busy until both pictures of the person are there.
    const elsewhere = others.map(({ id }) => put(file, 'image/png', photoOf(id), admin));
    const [first, second] = await Promise.all([put(file, 'image/png'), put(file, 'image/png')]);
    expect([first.status, second.status].sort()).toEqual([204, 503]);
    const { headers, body } = first.status === 503 ? first : second;
    expect([headers['retry-after'], body]).toEqual([
      '1',
      { code: 503, message: 'The service is temporarily unavailable' },
    ]);
    for (const { status } of await Promise.all(elsewhere)) expect(status).toBe(204);
    expect((await put(file, 'image/png')).status).toBe(204);
  });
});
