import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LoadShedder } from '../../src/http/load-shedding.js';
import { askRaw, readRaw, sendPackets, sendRaw } from '../support/raw.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/**
 * Every station that rejects a search request answers with the search envelope, except the HTTP parser
 * (docs/api-contract.md#search-errors).
 */

const ORIGIN = 'https://portal.example';
let plain: TestServer;
let below: TestServer;
beforeAll(async () => {
  plain = await startTestServer({ CORS_ORIGINS: ORIGIN });
  below = await startTestServer({ BASE_PATH: '/platform', CORS_ORIGINS: ORIGIN });
});
afterAll(() => Promise.all([plain.close(), below.close()]));

const SEARCH = '/navigation/search/workplace';
const USERS = '/api/v2/directory/users';
const lines = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: 1\r\n`).join('');

/** Errors of the HTTP parser on any path: the status, and the head that provokes it. */
const UNPARSED: [string, number, (path: string) => string][] = [
  ['a raw ¤', 400, (path) => `GET ${path}?a=Users\xa4x HTTP/1.1\r\nHost: x\r\n`],
  ['a blank in the address', 400, (path) => `GET ${path}?a=b c HTTP/1.1\r\nHost: x\r\n`],
  ['a broken header', 400, (path) => `GET ${path} HTTP/1.1\r\nHost : x\r\n`],
  [
    'a broken chunk',
    400,
    (path) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  [
    'a long header',
    431,
    (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n`,
  ],
  ['a long address', 431, (path) => `GET ${path}?a=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n`],
];

/** Heads that the parser reads and the server refuses. */
const REFUSED: [string, number, (path: string) => string][] = [
  ['two hosts', 400, (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n`],
  ['a target of another host', 400, (path) => `GET http://y${path} HTTP/1.1\r\nHost: x\r\n`],
  ['101 headers', 431, (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines(101)}`],
];

const send = async ({ port }: TestServer, text: string) =>
  readRaw(await sendRaw(port, Buffer.from(text, 'latin1'), 1_000));

describe.each([
  ['', () => plain],
  ['/platform', () => below],
])('a refusal below %s/navigation/search/', (base, server) => {
  it.each(REFUSED)('has the search envelope: %s', async (_, status, head) => {
    const answer = await send(
      server(),
      `${head(`${base}${SEARCH}`)}Connection: close\r\nOrigin: ${ORIGIN}\r\n\r\n`,
    );
    expect(answer.status).toBe(status === 400 ? 200 : status);
    expect(answer.body).toEqual({ type: 'error', message: expect.any(String) });
  });

  it.each([
    ...UNPARSED.map((refusal) => [SEARCH, ...refusal] as const),
    ...[...UNPARSED, ...REFUSED].map((refusal) => [USERS, ...refusal] as const),
  ])('has an Error body at %s: %s', async (path, _, status, head) => {
    const answer = await send(
      server(),
      `${head(`${base}${path}`)}Connection: close\r\nOrigin: ${ORIGIN}\r\n\r\n`,
    );
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: status });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has an Error body if the head arrives in several packets', async () => {
    const parts = Array.from({ length: 5 }, (_, n) => `X-${n}: ${'x'.repeat(4_000)}\r\n`);
    const answer = await sendPackets(server().port, [
      `GET ${base}${SEARCH}?query=x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
      ...parts,
      '\r\n',
    ]);
    const { status, body } = readRaw(answer);
    expect([status, body]).toEqual([
      431,
      { code: 431, message: 'The headers are too large: at most 16 KiB' },
    ]);
  });

  it('has the envelope for an unknown path, a method, an address and overload', async () => {
    const { port, app } = server();
    for (const [head, status] of [
      [`GET ${base}/navigation/search/other HTTP/1.1`, 404],
      [`POST ${base}${SEARCH} HTTP/1.1`, 405],
      [`GET ${base}${SEARCH}/ HTTP/1.1`, 200],
    ] as const) {
      const answer = await askRaw(port, [head]);
      expect([head, answer.status, answer.body]).toEqual([
        head,
        status,
        { type: 'error', message: expect.any(String) },
      ]);
    }
    const elsewhere = await server().call(`${base}${SEARCH}`, { from: '127.0.0.9' });
    expect([elsewhere.status, elsewhere.body]).toEqual([
      403,
      { type: 'error', message: 'The calling address is not authorized' },
    ]);
    const release = fill(app.get(LoadShedder));
    const overload = await askRaw(port, [`GET http://127.0.0.1${base}${SEARCH}?a=1 HTTP/1.1`]);
    release();
    expect([overload.status, overload.headers['retry-after'], overload.body]).toEqual([
      503,
      '1',
      { type: 'error', message: 'The service is temporarily unavailable' },
    ]);
  });
});

/** Makes the server reject every request until the returned function is called. */
function fill(admission: LoadShedder): () => void {
  const { others } = admission as unknown as { others: { isFull?: boolean } };
  Object.defineProperty(others, 'isFull', { value: true, configurable: true });
  return () => delete others.isFull;
}

const refusal = (message: string) => ({
  code: 400,
  message: 'Invalid: request',
  fields: [{ name: 'request', message }],
});
const BAD_ADDRESS = refusal(
  'blanks, control characters and characters outside ASCII in the address must be percent-encoded in UTF-8: a blank as %20, the ¤ of a marker as %C2%A4',
);
const NOT_HTTP = refusal('is not valid HTTP');

describe('what the HTTP parser refuses', () => {
  it.each([
    ['UTF-8', 'utf8'],
    ['Latin-1', 'latin1'],
  ] as const)(
    'an address with a raw ¤ in %s is a 400 that says how to send it',
    async (_, encoding) => {
      const head = `GET ${SEARCH}?query=e&searchIndexTop=Users¤MTE3 HTTP/1.1\r\nHost: x\r\n\r\n`;
      const { status, body } = readRaw(await sendRaw(plain.port, Buffer.from(head, encoding)));
      expect([status, body]).toEqual([400, BAD_ADDRESS]);
    },
  );

  it('an address with a blank is a 400 that says how to send it', async () => {
    const answer = await send(plain, `GET ${USERS}?a=a b HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([answer.status, answer.body]).toEqual([400, BAD_ADDRESS]);
  });

  const host = `Host: x\r\nOrigin: ${ORIGIN}\r\n`;
  const good = 'GET /api/v2 HTTP/1.1\r\nHost: x\r\n\r\n';
  const bad = `&b=\xa4 HTTP/1.1\r\n${host}\r\n`;
  const chunked = `POST /nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const body = `GET ${USERS}?b=1 HTTP/1.1\r\n`;
  const post = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  it.each<[string, string[], unknown]>([
    ['with a raw ¤ in the second packet', [`GET ${SEARCH}?a=1`, bad], BAD_ADDRESS],
    [
      'of which each byte is a packet',
      [...`GET ${SEARCH}`, ` HTTP/1.1\r\n${host}`, 'X B: 1\r\n\r\n'],
      NOT_HTTP,
    ],
    ['behind answered requests', [good, `GET ${SEARCH}?a=1`, bad], BAD_ADDRESS],
    ['behind a request in the same packet', [`${good}GET ${SEARCH}?a=1`, bad], BAD_ADDRESS],
    ['behind a body that looks like one', [post, body, `GET ${SEARCH}?a=1`, bad], BAD_ADDRESS],
    ['behind a body in the same packet', [`${post}${body}\r\nGET ${SEARCH}?a=1`, bad], BAD_ADDRESS],
    [
      'behind a chunked body',
      [chunked, `5\r\nGET /\r\n0\r\n\r\n`, `GET ${SEARCH}?a=1`, bad],
      BAD_ADDRESS,
    ],
    [
      'behind a chunked body in the same packet',
      [`${chunked}0\r\n\r\nGET ${USERS} HTTP/1.1\r\nHost: x\r\n`, `GET ${SEARCH} : 1\r\n\r\n`],
      NOT_HTTP,
    ],
    [
      'with 170 KB of headers',
      [
        `GET ${SEARCH} HTTP/1.1\r\n${host}`,
        ...Array.from({ length: 17 }, () => `X: ${'x'.repeat(10_000)}\r\n`),
      ],
      { code: 431, message: 'The headers are too large: at most 16 KiB' },
    ],
    [
      'that never ends',
      [`GET ${SEARCH} HTTP/1.1\r\n${host}`],
      { code: 408, message: 'The request took too long to arrive' },
    ],
  ])('a head %s is an Error body', async (_, packets, expected) => {
    const answers = await sendPackets(plain.port, packets);
    const answer = readRaw(answers.slice(answers.lastIndexOf('HTTP/1.1 ')));
    expect(answer.body).toEqual(expected);
    expect(answer.status).toBe((expected as { code: number }).code);
  });
});

describe('a method', () => {
  const HOST = `Host: x\r\nOrigin: ${ORIGIN}\r\n\r\n`;

  it.each([
    ['get', 'The method is unknown; allowed: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['X-FETCH', 'The method is unknown; allowed: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['PROPFIND', 'The method is unknown; allowed: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['TRACE', 'The method is unknown; allowed: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['CONNECT', 'The method is unknown; allowed: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s is a 501 on every interface', async (method, message) => {
    for (const path of [SEARCH, USERS]) {
      const answer = await send(plain, `${method} ${path} HTTP/1.1\r\n${HOST}`);
      expect([answer.status, answer.body]).toEqual([501, { code: 501, message }]);
      expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    }
  });
});

describe('pipelined requests', () => {
  const good = `GET /api/v2 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const badSearch = `GET ${SEARCH}?a=\xa4 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const badList = `GET ${USERS}?a=\xa4 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const search = `GET ${SEARCH}?query=e HTTP/1.1\r\nHost: x\r\n\r\n`;
  const statusesAndTypes = async (...parts: string[]) => {
    const answers = await sendRaw(plain.port, Buffer.from(parts.join(''), 'latin1'), 1_000);
    return answers
      .split(/(?=HTTP\/1\.1 \d)/)
      .map(readRaw)
      .map(({ status, body }) => [status, Object.keys(body as object)[0]]);
  };

  it('are answered in their order, a malformed one last and with an Error body', async () => {
    expect(await statusesAndTypes(good, badSearch)).toEqual([
      [200, 'name'],
      [400, 'code'],
    ]);
    expect(await statusesAndTypes(search, good, badList)).toEqual([
      [200, 'type'],
      [200, 'name'],
      [400, 'code'],
    ]);
  });

  it('get an Error body when the malformed one began in an earlier packet', async () => {
    // The body looks like the head of a search.
    const body = `GET ${SEARCH} HTTP/1.1\r\n`;
    const post = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await statusesAndTypes(post, badList)).toEqual([
      [404, 'code'],
      [400, 'code'],
    ]);
  });
});

describe('a listed origin', () => {
  const cors = ({ headers }: { headers: Record<string, unknown> }) => [
    headers['access-control-allow-origin'],
    headers.vary,
  ];
  const ORIGIN_LINE = `Origin: ${ORIGIN}`;

  it.each([
    ...[...UNPARSED, ...REFUSED].map((refusal) => [USERS, ...refusal] as const),
    ...UNPARSED.map((refusal) => [SEARCH, ...refusal] as const),
    ...REFUSED.map(
      ([of, status, head]) => [SEARCH, of, status === 400 ? 200 : status, head] as const,
    ),
  ])('may read the error at %s of %s', async (path, _, status, head) => {
    const answer = await send(
      plain,
      // Placed before the invalid part, as browsers send it.
      head(path).replace('\r\nHost', `\r\n${ORIGIN_LINE}\r\nHost`) + 'Connection: close\r\n\r\n',
    );
    expect(cors(answer)).toEqual([ORIGIN, 'Origin']);
    expect(answer.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(answer.status).toBe(status);
  });

  it('may read the errors of the IP allowlist, base path, overload, token and unknown paths', async () => {
    const headers = { Origin: ORIGIN };
    const address = await plain.call(USERS, { from: '127.0.0.9', headers });
    expect([address.status, ...cors(address)]).toEqual([403, ORIGIN, 'Origin']);
    const base = await below.call(USERS, { headers });
    expect([base.status, ...cors(base)]).toEqual([404, ORIGIN, 'Origin']);
    const release = fill(plain.app.get(LoadShedder));
    const overload = await plain.call(USERS, { headers });
    release();
    expect([overload.status, ...cors(overload)]).toEqual([503, ORIGIN, 'Origin']);
    const token = await plain.call(USERS, { headers });
    expect([token.status, ...cors(token)]).toEqual([401, ORIGIN, 'Origin']);
    const unknown = await plain.call('/nothing', { headers });
    expect([unknown.status, ...cors(unknown)]).toEqual([404, ORIGIN, 'Origin']);
  });

  it('is the only one that gets the headers', async () => {
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const answer = await plain.call(USERS, { headers: { Origin: origin }, from: '127.0.0.9' });
      expect([answer.status, ...cors(answer)]).toEqual([403, undefined, 'Origin']);
      const raw = await send(
        plain,
        `GET ${USERS}?a=\xa4 HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n\r\n`,
      );
      expect([raw.status, ...cors(raw)]).toEqual([400, undefined, 'Origin']);
    }
  });

  it('gets its preflight answered even where the call itself would fail', async () => {
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' };
    const preflight = { method: 'OPTIONS', headers };
    const statusFrom = async (from?: string) =>
      (await plain.call(USERS, { ...preflight, from })).status;
    expect(await statusFrom()).toBe(204);
    expect(await statusFrom('127.0.0.9')).toBe(204);
    const release = fill(plain.app.get(LoadShedder));
    expect(await statusFrom()).toBe(204);
    release();
    const other = { ...headers, Origin: 'https://evil.example' };
    const refused = await plain.call(USERS, { ...preflight, headers: other, from: '127.0.0.9' });
    expect(refused.status).toBe(403);
  });

  it('may read the headers of an answer that a client needs', async () => {
    const { headers } = await plain.call(USERS, { headers: { Origin: ORIGIN } });
    expect(headers['access-control-expose-headers']).toBe(
      'Accept-Encoding,Accept-Patch,Allow,Content-Disposition,ETag,Link,Location,Preference-Applied,Retry-After,WWW-Authenticate,X-Total-Count,X-Warning,X-Request-Id',
    );
  });
});

describe('a path that is not valid percent-encoding', () => {
  it('is named in the error body of its interface', async () => {
    const list = await send(plain, `GET ${USERS}/%ff HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([list.status, list.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: path',
        fields: [{ name: 'path', message: 'is not valid percent-encoded UTF-8' }],
      },
    ]);
  });
});

describe('401', () => {
  it('names the scheme on the main API and on navigation', async () => {
    for (const head of [
      `GET ${USERS} HTTP/1.1`,
      'GET /navigation/workplace/categories HTTP/1.1',
      'POST /api/v2/authentication HTTP/1.1',
    ]) {
      const answer = await askRaw(plain.port, [head, 'Authorization: Bearer x']);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    const search = await askRaw(plain.port, [`GET ${SEARCH} HTTP/1.1`]);
    expect([search.status, search.headers['www-authenticate']]).toEqual([200, undefined]);
  });
});
