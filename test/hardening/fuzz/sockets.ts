import { type AttackClass, type Attempt, refusedWith, type Reply } from './attempt.js';
import { pairs, type Random } from '../../support/random.js';

const HEAD = 'Host: x\r\nConnection: close\r\n';
const PATHS = [
  '/api/v2',
  '/api/v2/directory/users',
  '/navigation/workplace/categories',
  '/nothing',
  '/health/live',
];
const JSON_BODY = 'Content-Type: application/json\r\n';

/** Header lines that no server may accept (RFC 9112), without their line ends. */
const BROKEN_HEADERS = [
  ...['Host : x', 'Content-Length : 0', 'Transfer-Encoding : chunked', ' X: folded', '\tX: folded'],
  ...[
    'Content-Length: 1\r\nContent-Length: 2',
    'Content-Length: 1, 2',
    'Content-Length: +1',
    'Content-Length: -1',
  ],
  ...[
    'Content-Length: 0x1',
    'Content-Length: 1e1',
    'Content-Length: 99999999999999999999',
    'Content-Length: a',
  ],
  ...[
    'Content-Length: 1\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 1',
  ],
  ...[
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip',
  ],
  ...[
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: \u000bchunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  ],
  ...[
    'X\u0000: a',
    'X: a\u0000b',
    'X: a\rb',
    'X',
    ': a',
    'X Y: a',
    'X\u007f: a',
    '(X): a',
    'X,Y: a',
    '"X": a',
    'X: \u0001',
  ],
  ...['Host: y', 'Host: x', 'Host: x\r\nHost: z', 'HOST: y', 'Content-Type: a\r\nContent-Type: b'],
];

const STARTS = [
  ...[
    'GET',
    'GET /',
    'GET  / HTTP/1.1',
    'GET / HTTP/1.1 ',
    'GET / HTTP/9.9',
    'GET / HTTP/1',
    'GET / http/1.1',
    'GET / HTTP 1.1',
  ],
  ...[
    'get / HTTP/1.1',
    'GE\u0000T / HTTP/1.1',
    'GET\t/ HTTP/1.1',
    'FOO / HTTP/1.1',
    'G€T / HTTP/1.1',
    ' GET / HTTP/1.1',
  ],
  ...[
    'GET / HTTP/1.1\nHost: x',
    'GET /a b HTTP/1.1',
    'GET /\u0000 HTTP/1.1',
    'GET /\u0001 HTTP/1.1',
    'GET \\ HTTP/1.1',
    'GET a HTTP/1.1',
  ],
  ...[
    '\u0016\u0003\u0001\u0002\u0000\u0001',
    'PRI * HTTP/2.0',
    'HTTP/1.1 200 OK',
    '\u0000\u0000\u0000',
    '{"jsonrpc":"2.0"}',
    'EHLO x',
  ],
  ...['GET http://y/api/v2 HTTP/1.1', 'GET http://x@y/ HTTP/1.1', 'GET https://y:80/ HTTP/1.1'],
];

const CHUNKS = [
  'g\r\n',
  '-1\r\n',
  '0x1\r\na\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n',
  '1\r\nab\r\n0\r\n\r\n',
  '1 \r\na',
  '1\na\n0\n\n',
  '\r\n',
  '1;a\u0000\r\na\r\n',
];

/** Checks that the request is rejected with the contract's body; a socket that just closes fails. */
const refused = (answer: Reply): string | undefined =>
  answer.status === 0 ? 'no answer' : refusedWith(400, 404, 405, 408, 413, 415, 431, 501)(answer);

/** Checks that the answer is well formed; there may be none to bytes that are not HTTP. */
const orderly = (answer: Reply): string | undefined =>
  answer.status === 0 || answer.status === 200 || answer.status === 204
    ? undefined
    : refusedWith(answer.status)(answer);

const lines = (count: number, length: number): string =>
  Array.from({ length: count }, (_, n) => `X-${n}: ${'y'.repeat(length)}\r\n`).join('');

function rawRequests(random: Random): Attempt[] {
  const attempt = (raw: string, judge: Attempt['judge']): Attempt => ({
    path: '',
    raw: Buffer.from(raw, 'latin1'),
    judge,
  });
  const broken = pairs(BROKEN_HEADERS, PATHS).map(([header, path]) =>
    attempt(`POST ${path} HTTP/1.1\r\n${HEAD}${JSON_BODY}${header}\r\n\r\n`, refused),
  );
  const starts = STARTS.map((start) => attempt(`${start}\r\n${HEAD}\r\n`, orderly));
  const hostless = pairs(PATHS, ['', 'X: y\r\n']).map(([path, more]) =>
    attempt(`GET ${path} HTTP/1.1\r\nConnection: close\r\n${more}\r\n`, refused),
  );
  const heavy = pairs([101, 150, 500, 1_000, 1_500], PATHS).map(([count, path]) =>
    attempt(`GET ${path} HTTP/1.1\r\n${HEAD}${lines(count, 1)}\r\n`, refusedWith(431)),
  );
  const long = pairs([16_384, 20_000, 100_000], PATHS).flatMap(([length, path]) => [
    attempt(`GET ${path}?${'a'.repeat(length)} HTTP/1.1\r\n${HEAD}\r\n`, refusedWith(431)),
    attempt(`GET ${path} HTTP/1.1\r\n${HEAD}X: ${'a'.repeat(length)}\r\n\r\n`, refusedWith(431)),
  ]);
  const chunked = pairs(CHUNKS, PATHS).map(([chunk, path]) =>
    attempt(
      `POST ${path} HTTP/1.1\r\n${HEAD}${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
      orderly,
    ),
  );
  const smuggled = PATHS.map((path) =>
    attempt(
      `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v2 HTTP/1.1\r\nHost: x\r\n\r\n`,
      refused,
    ),
  );
  const methods = [
    'TRACE',
    'OPTIONS',
    'CONNECT',
    'PROPFIND',
    'SEARCH',
    'LOCK',
    'PURGE',
    'M-SEARCH',
    'LINK',
    'HEAD',
  ];
  const odd = pairs(methods, PATHS).map(([method, path]) =>
    attempt(
      `${method} ${method === 'CONNECT' ? 'x:80' : path} HTTP/1.1\r\n${HEAD}\r\n`,
      (answer) =>
        answer.status !== 501 && (answer.status === 0 || answer.status >= 500)
          ? `status ${answer.status}`
          : undefined,
    ),
  );
  const legal = [
    `GET /api/v2 HTTP/1.1\r\n${HEAD}Expect: tea\r\n\r\n`,
    `GET /api/v2 HTTP/1.1\r\n${HEAD}${lines(98, 1)}\r\n`,
    `GET http://x/api/v2 HTTP/1.1\r\n${HEAD}\r\n`,
    'GET /api/v2 HTTP/1.0\r\n\r\n',
    'GET /api/v2 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
  ].map((raw) => attempt(raw, ({ status }) => (status === 200 ? undefined : `status ${status}`)));
  const pipelined = attempt(
    `${'GET /api/v2 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(999)}GET /api/v2 HTTP/1.1\r\n${HEAD}\r\n`,
    ({ status, text }) =>
      status === 200 && (text.match(/HTTP\/1\.1 200 OK/g) ?? []).length === 999
        ? undefined
        : 'not all answered',
  );
  const shares = [
    broken,
    starts,
    hostless,
    heavy,
    long,
    chunked,
    smuggled,
    odd,
    legal,
    [pipelined],
  ];
  return random.sample(shares.flat(), 10_000);
}

export const rawHttp: AttackClass = {
  id: 'A8',
  goal: 'raw sockets: what could be read in two ways is refused, in the contract’s body',
  size: 420,
  attempts: (_, count, random) => Promise.resolve(rawRequests(random).slice(0, count)),
};
