import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { uriOf } from '../support/id-of.js';
import { readRaw, sendRaw } from '../support/raw.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Bodies whose shape costs the server more than their bytes: short pieces, compressed ones, many values. */

const AUTHENTICATION = '/api/v2/authentication';
const DOCUMENTS = '/api/v2/content/documents';
const TASKS = '/api/v2/process/tasks';
const JSON_TYPE = 'application/json';
const CREDENTIALS = JSON.stringify({ login: 'bruno.keller', password: 'Portal-Demo-2026' });

let writing: WritingServer;
let server: WritingServer['server'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server } = writing);
});
afterAll(() => writing.close());

const UNAUTHENTICATED = {
  code: 401,
  message: 'You are not logged in: the token is missing, invalid or expired',
};

/** A body in the chunked coding, in chunks of a size. */
function inChunks(body: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

interface Sent {
  token?: string;
  type?: string;
  headers?: string[];
}

/** The head of a request, whose body is chunked unless `headers` says otherwise. */
function headOf(
  method: string,
  path: string,
  { token, type = JSON_TYPE, headers = ['Transfer-Encoding: chunked'] }: Sent = {},
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `Content-Type: ${type}`,
    ...(token === undefined ? [] : [`X-AUTHENTICATION-KEY: ${token}`]),
    ...headers,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

async function sendBody(method: string, path: string, body: Buffer, sent: Sent = {}) {
  const whole = Buffer.concat([headOf(method, path, sent), body]);
  return readRaw(await sendRaw(server.port, whole, 1_000));
}

const TOO_MANY_PIECES = {
  code: 400,
  message: 'Invalid: body',
  fields: [
    {
      name: 'body',
      message: 'comes in more than 1,024 pieces a second of fewer than 16 bytes',
    },
  ],
};

describe('a body in short pieces', () => {
  const blanks = Buffer.alloc(50_000, ' ');

  it.each([
    ['of a sign-in', 'POST', AUTHENTICATION],
    ['of a guest', 'POST', '/api/v2/directory/invitations'],
    ['of a push', 'PUT', `${TASKS}?source=x`],
    ['that no route takes', 'POST', '/nothing'],
    ['that is ignored', 'GET', '/health/live'],
  ])('%s breaks off, and its connection with it', async (_, method, path) => {
    const next = `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`;
    const body = Buffer.concat([inChunks(blanks, 1), Buffer.from(next)]);
    const text = await sendRaw(server.port, Buffer.concat([headOf(method, path), body]));
    // Where the body is not waited for, its own answer may come first; the next request has none.
    expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
  });

  it('is refused with a body that says why', async () => {
    const { status, headers, body } = await sendBody(
      'POST',
      AUTHENTICATION,
      inChunks(Buffer.alloc(4_000, ' '), 1),
    );
    expect([status, headers.connection, body]).toEqual([400, 'close', TOO_MANY_PIECES]);
  });

  it('never counts as complete when it is cut off', async () => {
    const before = await writing.state('documents');
    const document = JSON.stringify({ title: 'Room' });
    for (const more of [1_300, 2_000]) {
      // What has come until it breaks off is a document already.
      const body = inChunks(Buffer.from(document + ' '.repeat(more)), 1);
      const { status } = await sendBody('POST', DOCUMENTS, body, { token: writing.admin });
      expect(status).toBe(400);
    }
    expect(await writing.state('documents')).toEqual(before);
  });

  it('is read when it has a thousand of one byte, or any number of sixteen', async () => {
    const padded = Buffer.from(CREDENTIALS.padEnd(1_000));
    expect((await sendBody('POST', AUTHENTICATION, inChunks(padded, 1))).status).toBe(200);
    const document = Buffer.from(JSON.stringify({ title: 'Room' }).padEnd(100_000));
    const { status } = await sendBody('POST', DOCUMENTS, inChunks(document, 16), {
      token: writing.admin,
    });
    expect(status).toBe(201);
  });

  it('is stored as the file that it is', async () => {
    const { uri: task } = await writing.create(TASKS, {
      title: 'With a file',
      application: await uriOf(server, 'applications', 'LEAVE'),
      assignee: await uriOf(server, 'users', 'alice.martin'),
    });
    const content = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251));
    const { status, body } = await sendBody(
      'POST',
      `/api/v2${task}/files?name=a`,
      inChunks(content, 17),
      { token: writing.admin, type: 'application/octet-stream' },
    );
    expect(status).toBe(201);
    const { id } = body as { id: string };
    const read = await fetch(`http://127.0.0.1:${server.port}/api/v2${task}/files/${id}`, {
      headers: { 'X-AUTHENTICATION-KEY': writing.admin },
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
  });
});

/** The headers of a body that has a length. */
const lengthOf = (body: Buffer, ...more: string[]): string[] => [
  `Content-Length: ${body.length}`,
  ...more,
];
const encoded = (coding: string, body: Buffer): string[] =>
  lengthOf(body, `Content-Encoding: ${coding}`);

describe('a compressed body', () => {
  const document = JSON.stringify({ title: 'Room' });
  const packed = gzipSync(document);
  const expected = (codings: string, accepted: string) => [
    415,
    accepted,
    { code: 415, message: `Unsupported Content-Encoding; expected ${codings}` },
  ];
  const post = async (path: string, body: Buffer, sent: Sent) => {
    const { status, headers, body: answer } = await sendBody('POST', path, body, sent);
    return [status, headers['accept-encoding'], answer];
  };

  it('is rejected if a guest sends it, whatever its content', async () => {
    const body = gzipSync(CREDENTIALS);
    for (const [bytes, coding] of [
      [body, 'gzip'],
      [Buffer.from('no gzip'), 'GZIP'],
      [brotliCompressSync(CREDENTIALS), 'br'],
    ] as const) {
      const headers = encoded(coding, bytes);
      expect(await post(AUTHENTICATION, bytes, { headers })).toEqual(expected('none', 'identity'));
      const unknown = { headers, token: 'x'.repeat(43) };
      expect(await post(AUTHENTICATION, bytes, unknown)).toEqual(expected('none', 'identity'));
      expect(await post(DOCUMENTS, bytes, { headers })).toEqual([401, undefined, UNAUTHENTICATED]);
    }
    const plain = Buffer.from(CREDENTIALS);
    const headers = encoded('identity', plain);
    expect((await post(AUTHENTICATION, plain, { headers }))[0]).toBe(200);
  });

  it('is read if the caller has a token', async () => {
    for (const [bytes, coding] of [
      [packed, 'gzip'],
      [deflateSync(document), 'deflate'],
      [brotliCompressSync(document), 'br'],
    ] as const) {
      const sent = { token: writing.admin, headers: encoded(coding, bytes) };
      expect((await post(DOCUMENTS, bytes, sent))[0]).toBe(201);
    }
    const broken = packed.subarray(0, -9);
    const sent = { token: writing.admin, headers: encoded('gzip', broken) };
    expect(await post(DOCUMENTS, broken, sent)).toEqual([
      400,
      undefined,
      {
        code: 400,
        message: 'Invalid: body',
        fields: [{ name: 'body', message: 'is not valid JSON in UTF-8' }],
      },
    ]);
  });

  it('gets 415 with the known codings if its coding is unknown', async () => {
    for (const coding of ['compress', 'gzip, gzip', 'zip']) {
      const sent = { token: writing.admin, headers: encoded(coding, packed) };
      expect(await post(DOCUMENTS, packed, sent)).toEqual(
        expected('gzip, deflate, br or none', 'gzip, deflate, br'),
      );
    }
    const photo = { token: writing.admin, type: 'image/png', headers: encoded('gzip', packed) };
    const path = `/api/v2${await uriOf(server, 'users', 'alice.martin')}/photo`;
    const { status, headers } = await sendBody('PUT', path, packed, photo);
    expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
  });
});

describe('a push of more than 100 KiB', () => {
  const length = 100 * 1024 + 1;
  const source = `${TASKS}?source=x`;

  it.each([
    ['announced', [`Content-Length: ${length}`], '['],
    ['chunked', ['Transfer-Encoding: chunked'], '1\r\n[\r\n'],
    ['compressed', ['Content-Length: 100', 'Content-Encoding: gzip'], '['],
  ])(
    '%s is refused before it has arrived, without a token or the right',
    async (_, headers, begun) => {
      for (const [token, answer] of [
        [undefined, UNAUTHENTICATED],
        [writing.bruno, { code: 403, message: 'You have no access to this endpoint or resource' }],
      ] as const) {
        const sent = token === undefined ? { headers } : { headers, token };
        const { status, body } = await sendBody('PUT', source, Buffer.from(begun), sent);
        expect([status, body]).toEqual([answer.code, answer]);
      }
    },
  );

  it('is read of a service account and of administrators', async () => {
    const { reference } = await writing.create('/api/v2/process/sources', {
      reference: 'SHAPED',
      label: 'An engine',
      serviceAccount: await uriOf(server, 'users', 'process.engine'),
      applications: [await uriOf(server, 'applications', 'LEAVE')],
    });
    const items = [{ externalId: 'a', title: 'Task', application: 'LEAVE' }];
    const body = Buffer.from(JSON.stringify(items).padEnd(length));
    for (const token of [writing.engine, writing.admin]) {
      const sent = { token, headers: lengthOf(body) };
      const path = `${TASKS}?source=${String(reference)}`;
      expect((await sendBody('PUT', path, body, sent)).status).toBe(200);
      const packed = gzipSync(body);
      const coded = { token, headers: encoded('gzip', packed) };
      expect((await sendBody('PUT', path, packed, coded)).status).toBe(200);
    }
  });

  it('has at most 100,000 values, which are counted before they are parsed', async () => {
    const row = (items: number) => Array(items).fill(0) as unknown[];
    const push = async (items: unknown[], text = JSON.stringify(items)) => {
      const body = Buffer.from(text);
      const sent = { token: writing.engine, headers: lengthOf(body) };
      const path = `${TASKS}?source=SHAPED&dryRun=true`;
      return (await sendBody('PUT', path, body, sent)) as { status: number; body: unknown };
    };
    const tooMany = {
      code: 400,
      message: 'Invalid: body',
      fields: [{ name: 'body', message: 'has more than 100,000 values' }],
    };
    // An array of 100 arrays, and what is in them.
    const rows = [...(Array(99).fill(row(999)) as unknown[]), row(998)];
    expect((await push(rows)).status).toBe(200);
    const more = [...rows.slice(0, -1), row(999)];
    expect(await push(more)).toMatchObject({ status: 400, body: tooMany });
    const empty = Array(990).fill(Array(700).fill({})) as unknown[];
    expect(await push(empty)).toMatchObject({ status: 400, body: tooMany });
    // Commas and brackets in texts are none.
    const texts = [{ title: ',[{'.repeat(70_000), reference: '\\",'.repeat(30_000) }];
    expect((await push(texts)).status).toBe(200);
    expect(await push([], `[${'{'.repeat(150_000)}${' '.repeat(60_000)}`)).toMatchObject({
      status: 400,
      body: tooMany,
    });
  });
});
