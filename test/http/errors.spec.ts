import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from '../support/raw.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
});
afterAll(() => server.close());

describe('every answer', () => {
  it('is application/json; charset=utf-8, is not stored, and carries X-Request-Id', async () => {
    for (const path of ['/api/v2', '/api/v2/directory/users', '/nothing']) {
      const { headers } = await server.call(path, { token });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('has to HEAD the length of the answer to GET, and no body', async () => {
    for (const path of [
      '/api/v2',
      '/api/v2/directory/users',
      '/navigation/workplace',
      '/nothing',
    ]) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => server.call(path, { method, token })),
      );
      expect([head!.status, head!.text]).toEqual([get!.status, '']);
      expect(head!.headers['content-length']).toBe(String(Buffer.byteLength(get!.text)));
    }
  });

  it('has a request id of the server, whatever the caller sends', async () => {
    const headers = { 'X-Request-Id': 'portal-4711' };
    const ids = await Promise.all(
      [{ headers }, { headers }, {}].map(
        async (options) => (await server.call('/api/v2', options)).headers['x-request-id'],
      ),
    );
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('status codes', () => {
  it.each([
    '/nothing',
    '/api/v2/directory/userss',
    '/api/v1/directory/users',
    '/API/v2/directory/users',
    '/api/v2//directory/users',
    '/navigation',
    '/',
  ])('404 for the unknown route %s, with or without a token', async (path) => {
    for (const call of [{}, { token }]) {
      const answer = await server.call(path, call);
      expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Not found' }]);
    }
  });

  it.each([
    ['PUT', '/api/v2/authentication', 'POST, GET, HEAD, DELETE'],
    ['DELETE', '/api/v2', 'GET, HEAD'],
    ['PATCH', '/api/v2/directory/users', 'GET, HEAD, POST'],
    ['POST', '/api/v2/directory/users/1', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['POST', '/navigation/workplace/categories', 'GET, HEAD'],
  ])('405 for %s %s with Allow', async (method, path, allow) => {
    const answer = await server.call(path, { method, token });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.body).toEqual({ code: 405, message: `Method not allowed; allowed: ${allow}` });
  });

  const PATCH_TYPES = 'application/json-patch+json, application/json';
  it.each([
    ['/api/v2', 'GET, HEAD', undefined],
    ['/api/v2/directory/users', 'GET, HEAD, POST', undefined],
    ['/api/v2/directory/users/1?x=%zz', 'GET, HEAD, PUT, PATCH, DELETE', PATCH_TYPES],
    ['/navigation/workplace/categories', 'GET, HEAD', undefined],
    ['/navigation/search/workplace', 'GET, HEAD', undefined],
  ])(
    'OPTIONS of %s answers 204 with Allow, and Accept-Patch where PATCH is',
    async (path, ...headers) => {
      for (const call of [{}, { token }, { token: 'unknown' }]) {
        const answer = await server.call(path, { method: 'OPTIONS', ...call });
        expect([answer.status, answer.headers.allow, answer.headers['accept-patch']]).toEqual([
          204,
          ...headers,
        ]);
        expect(answer.body).toBeFalsy();
      }
    },
  );

  it('OPTIONS of an unknown path is a 404', async () => {
    const answer = await server.call('/api/v2/nothing', { method: 'OPTIONS' });
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Not found' }]);
  });

  it.each([
    ['text/html', 200],
    ['application/xml', 200],
    ['application/json;q=0', 406],
    ['*/*;q=0', 406],
    ['application/json;q=0, */*', 406],
    ['application/json-patch+json', 200],
    ['application/json', 200],
    ['application/json, text/plain, */*', 200],
    ['application/*', 200],
    ['*/*', 200],
    ['text/html, application/json;q=0.1', 200],
    ['', 200],
  ])('Accept: %s is answered %d', async (accept, status) => {
    const answer = await server.call('/api/v2/directory/users', {
      token,
      headers: { Accept: accept },
    });
    expect(answer.status).toBe(status);
    if (status === 406)
      expect(answer.body).toEqual({
        code: 406,
        message: 'Not acceptable: the Accept header excludes application/json',
      });
  });

  it('400 for malformed JSON, without quoting it', async () => {
    const body = '{"login":"secret-word';
    const answer = await server.call('/api/v2/authentication', { method: 'POST', body });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: body',
        fields: [{ name: 'body', message: 'is not valid JSON in UTF-8' }],
      },
    ]);
  });

  it('401 before the body is checked', async () => {
    const answer = await server.call('/api/v2/directory/users', { method: 'POST', body: '{' });
    expect(answer.status).toBe(401);
  });

  it('415 with Accept-Patch for PATCH', async () => {
    const answer = await server.call('/api/v2/directory/users/1', {
      method: 'PATCH',
      token,
      body: '[]',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(answer.status).toBe(415);
    expect(answer.headers['accept-patch']).toBe('application/json-patch+json, application/json');
  });

  it('5xx reveals no internal details', async () => {
    await server.database.query('ALTER TABLE groups RENAME TO groups_away');
    const answer = await server.call('/api/v2/directory/groups', { token });
    await server.database.query('ALTER TABLE groups_away RENAME TO groups');
    expect([answer.status, answer.body]).toEqual([
      500,
      { code: 500, message: 'Internal server error' },
    ]);
  });

  it('503 with Retry-After while the database cannot answer in time', async () => {
    await server.database.query('BEGIN');
    await server.database.query('LOCK TABLE groups');
    const answer = await server.call('/api/v2/directory/groups', { token });
    await server.database.query('ROLLBACK');
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '1',
      { code: 503, message: 'The service is temporarily unavailable' },
    ]);
  });
});

describe('raw sockets', () => {
  const raw = (text: string): Promise<string> => sendRaw(server.port, text);
  const host = 'Host: x\r\nConnection: close\r\n';
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => `X-${n}: 1\r\n`).join('');

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['101 header lines', `GET /api/v2 HTTP/1.1\r\n${host}${lines(99)}\r\n`, 431],
    ['1,500 header lines', `GET /api/v2 HTTP/1.1\r\n${host}${lines(1500)}\r\n`, 431],
    ['no Host', 'GET /api/v2 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', `GET /api/v2 HTTP/1.1\r\n${host}Host: y\r\n\r\n`, 400],
    ['the same Host twice', `GET /api/v2 HTTP/1.1\r\n${host}Host: x\r\n\r\n`, 400],
    ['a target of another host', `GET http://y/api/v2 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a target that hides its host', `GET http://x@y/api/v2 HTTP/1.1\r\n${host}\r\n`, 400],
    [
      'two media types',
      `POST /api/v2/authentication HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
      400,
    ],
    [
      'another transfer coding',
      `POST /api/v2/authentication HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a coding that says nothing of the end',
      `POST /nothing HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: xchunked\r\n\r\n`,
      400,
    ],
    ['CONNECT', `CONNECT x:80 HTTP/1.1\r\n${host}\r\n`, 501],
  ])('%s is answered in the contract’s body', async (_, text, status) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('Content-Type: application/json; charset=utf-8');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: status,
    });
    expect(answer).toMatch(/X-Request-Id: [\da-f-]{36}\r\n/i);
  });

  it.each([
    ['100 header lines', `GET /api/v2 HTTP/1.1\r\n${host}${lines(98)}\r\n`],
    ['a target of the same host', `GET http://x/api/v2 HTTP/1.1\r\n${host}\r\n`],
    ['a target without a path', `GET http://X?a HTTP/1.1\r\n${host}\r\n`, 404],
    ['HTTP/1.0 without Host', 'GET /api/v2 HTTP/1.0\r\n\r\n'],
    ['an unknown expectation', `GET /api/v2 HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`],
    [
      'a wish for another protocol',
      `GET /api/v2 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    ],
  ])('%s is answered like any request', async (_, text, status = 200) => {
    expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('keeps little of a head of many lines', async () => {
    const kept: number[] = [];
    const keep = ({ rawHeaders }: IncomingMessage): void => void kept.push(rawHeaders.length / 2);
    const http = server.app.getHttpServer();
    http.on('request', keep);
    await raw(`GET /api/v2 HTTP/1.1\r\n${host}${lines(1500)}\r\n`);
    http.off('request', keep);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toBeLessThan(150);
  });

  it.each([
    ['CONNECT', `CONNECT x:80 HTTP/1.1\r\n${host}\r\n`],
    ['what is no HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('closes the connection after %s, whatever its client does', async (_, text) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    const broken = new Promise((resolve) => socket.once('error', resolve));
    socket.resume();
    socket.write(text);
    await once(socket, 'end');
    // The client ignores the end, and goes on sending.
    const sending = setInterval(() => socket.write('x'), 100);
    expect(await broken).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    clearInterval(sending);
  });
});
