import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeInBrowser } from '../support/browser.js';
import { uriOf } from '../support/id-of.js';
import { sendRaw } from '../support/raw.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';

/**
 * The calls of a portal by common HTTP clients, each with its default headers. Every client of test/clients
 * prints a line per call: its name, the status, the content type and the body in base64, separated by tabs.
 */

/** The time-out in milliseconds: starting a Java source file is slow on a busy host. */
const PATIENCE = 120_000;

const LOGIN = 'bruno.keller';
const JSON_TYPE = 'application/json; charset=utf-8';

interface Client {
  name: string;
  /** The program and its first arguments; the base URL, the login, the password and a nick name follow. */
  command: [string, ...string[]];
  /** A command that succeeds if the client is installed. */
  probe: [string, ...string[]];
  /** The calls that the client cannot make. */
  without?: string;
}

const CLIENTS: Client[] = [
  {
    name: 'Java HttpURLConnection',
    command: ['java', 'test/clients/HttpUrlConnectionClient.java'],
    probe: ['java', '-version'],
    without: 'patch',
  },
  {
    name: 'java.net.http',
    command: ['java', 'test/clients/JavaNetHttpClient.java'],
    probe: ['java', '-version'],
  },
  {
    name: 'Python urllib',
    command: ['python3', 'test/clients/urllib_client.py'],
    probe: ['python3', '--version'],
  },
  {
    name: 'Python requests',
    command: ['python3', 'test/clients/requests_client.py'],
    probe: ['python3', '-c', 'import requests'],
  },
  {
    name: 'PHP curl',
    command: ['php', 'test/clients/curl_client.php'],
    probe: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
  },
  { name: 'curl', command: ['bash', 'test/clients/curl.sh'], probe: ['curl', '--version'] },
  { name: 'wget', command: ['bash', 'test/clients/wget.sh'], probe: ['wget', '--version'] },
  {
    name: 'axios',
    command: [process.execPath, 'test/clients/axios.mjs'],
    probe: [process.execPath, '--version'],
  },
];

const CALLS = [
  'sign in',
  'users',
  'me',
  'patch',
  'categories',
  'apps',
  'indicator',
  'search',
  'next page',
  'photo',
] as const;

interface Line {
  name: string;
  status: number;
  type: string;
  body: Buffer;
}

const table: Record<string, Record<string, number | undefined>> = {};

let database: TestDatabase;
let portal: Server;
let server: ServerProcess;
let base: string;
/** The URIs of a category and of an application in it. */
let everyday: string, leave: string;
beforeAll(async () => {
  database = await createTestDatabase();
  portal = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>A portal</title>');
  });
  await new Promise<void>((done) => portal.listen(0, '127.0.0.1', done));
  server = await startServerProcess({
    DATABASE_URL: urlOf(database.connection),
    CORS_ORIGINS: originOfPortal(),
  });
  base = `http://127.0.0.1:${server.port}`;
  everyday = await uriOf({ database }, 'categories', 'EVERYDAY');
  leave = await uriOf({ database }, 'applications', 'LEAVE');
});
afterAll(async () => {
  process.stderr.write(`${tableText()}\n`);
  await server.stop();
  portal.close();
  await database.drop();
});

const originOfPortal = (): string => `http://localhost:${(portal.address() as AddressInfo).port}`;

function tableText(): string {
  const rows = Object.entries(table).map(([client, statuses]) =>
    [client.padEnd(24), ...CALLS.map((call) => String(statuses[call] ?? '-').padEnd(10))].join(' '),
  );
  return [['client'.padEnd(24), ...CALLS.map((call) => call.padEnd(10))].join(' '), ...rows].join(
    '\n',
  );
}

function linesOf(client: string, output: string): Line[] {
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', status, type = '', body = '']) => ({
      name,
      status: Number(status),
      type,
      body: Buffer.from(body, 'base64'),
    }));
  table[client] = Object.fromEntries(lines.map(({ name, status }) => [name, status]));
  return lines;
}

/** Asserts that each call was served; the bodies are those of the contract. */
function expectServed(lines: Line[], nickName: string, calls: readonly string[]): void {
  expect(lines.map(({ name, status, type }) => [name, status, type])).toEqual(
    calls.map((call) => [
      call,
      200,
      call === 'photo' ? expect.stringMatching(/^image\//) : JSON_TYPE,
    ]),
  );
  const bodyOf = (call: string) => {
    const body = lines.find(({ name }) => name === call)?.body;
    return body && JSON.parse(body.toString());
  };
  expect(Object.keys(bodyOf('sign in'))).toEqual(['token', 'expiration']);
  const users = bodyOf('users') as { login: string; lastName: string }[];
  expect(users).toHaveLength(25);
  expect(users.every(({ login }) => login.includes('e'))).toBe(true);
  expect(users[0]!.lastName > users[24]!.lastName).toBe(true);
  expect(bodyOf('me')).toMatchObject({ login: LOGIN });
  if (calls.includes('patch')) expect(bodyOf('patch')).toMatchObject({ login: LOGIN, nickName });
  expect(bodyOf('categories')[0]).toMatchObject({ id: everyday });
  expect(bodyOf('apps')[0]).toMatchObject({ id: leave, type: 'PROCESS' });
  expect(bodyOf('indicator')).toEqual({ type: 'COUNTER', count: expect.any(Number) });
  const [first, next] = ['search', 'next page'].map(
    (call) => bodyOf(call) as { type: string; data: { ID: string }[] },
  );
  expect([first!.type, next!.type, first!.data.length]).toEqual(['success', 'success', 20]);
  expect(next!.data.length).toBeGreaterThan(0);
  const seen = new Set(first!.data.map(({ ID }) => ID));
  expect(next!.data.filter(({ ID }) => seen.has(ID))).toEqual([]);
}

describe.each(CLIENTS)('$name', ({ name, command: [program, ...args], probe, without }) => {
  const [probed, ...probeArgs] = probe;
  const isThere = spawnSync(probed, probeArgs).status === 0;
  if (!isThere) process.stderr.write(`\nSKIPPED: ${name} is not on this machine\n\n`);
  (isThere ? it : it.skip)(
    'signs in, lists, patches, shows the workplace and searches',
    async () => {
      const nickName = `By ${name}`;
      const run = promisify(execFile)(program, [...args, base, LOGIN, DEMO_PASSWORD, nickName], {
        maxBuffer: 10_000_000,
      });
      // A client that fails early has printed the answer that made it fail.
      const { stdout } = await run.catch((error: { stdout: string }) => error);
      const calls = CALLS.filter((call) => call !== without);
      expectServed(linesOf(name, stdout), nickName, calls);
    },
    PATIENCE,
  );
});

describeInBrowser('fetch in a browser', (visits) => {
  it('signs in, lists, patches, shows the workplace and searches from a page of another origin', async () => {
    const { page, problems } = await visits.open(originOfPortal());
    await page.addScriptTag({ path: 'test/clients/fetch.js' });
    const parameters = JSON.stringify([base, LOGIN, DEMO_PASSWORD, 'By fetch']);
    const output = await page.evaluate<string>(`callPlatform(...${parameters})`);
    expectServed(linesOf('fetch in Chromium', output), 'By fetch', CALLS);
    expect(problems.filter((problem) => !problem.includes('favicon'))).toEqual([]);
  });
});

/** The recorded requests of clients that few hosts have. */
describe('over a socket', () => {
  let token: string;
  beforeAll(async () => {
    const body = { login: LOGIN, password: DEMO_PASSWORD };
    const answer = await send(server.port, '/api/v2/authentication', { method: 'POST', body });
    token = (answer.body as { token: string }).token;
  });

  const CREDENTIALS = Buffer.from(JSON.stringify({ login: LOGIN, password: DEMO_PASSWORD }));
  const SIGN_IN = 'POST /api/v2/authentication HTTP/1.1';
  const JAVA_8 = 'Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
  const json = 'Content-Type: application/json';
  const KEY = 'X-AUTHENTICATION-KEY: TOKEN';
  const chunk = (bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
  const lengthOf = (body: Buffer): string => `Content-Length: ${body.length}`;

  interface Sent {
    name: string;
    /** TOKEN stands for a token. */
    head: string[];
    body?: Buffer;
    expected: unknown;
  }
  const SIGNED_IN = { token: expect.any(String), expiration: expect.any(String) };
  const CATEGORIES = expect.arrayContaining([expect.objectContaining({ title: 'Everyday' })]);
  const USERS = [expect.objectContaining({ login: 'sysadmin' })];
  const FOUND = expect.objectContaining({ type: 'success' });
  const ROWS: Sent[] = [
    {
      name: 'Java 8 HttpURLConnection signs in',
      head: [
        SIGN_IN,
        json,
        'User-Agent: Java/1.8.0_392',
        JAVA_8,
        'Connection: close',
        lengthOf(CREDENTIALS),
      ],
      body: CREDENTIALS,
      expected: SIGNED_IN,
    },
    {
      name: 'Java 8 HttpURLConnection asks for categories',
      head: ['GET /navigation/workplace/categories?_AuthenticationKey=TOKEN HTTP/1.1', JAVA_8],
      expected: CATEGORIES,
    },
    {
      name: 'Java 8 HttpURLConnection searches',
      head: [
        'GET /navigation/search/workplace?query=e&searchName=workplace_searchUsers&searchField=quickSearch&searchIndexBottom=&searchIndexTop=&_AuthenticationKey=TOKEN HTTP/1.1',
        JAVA_8,
      ],
      expected: FOUND,
    },
    {
      name: '.NET HttpClient signs in without Accept',
      head: [SIGN_IN, 'Content-Type: application/json; charset=utf-8', lengthOf(CREDENTIALS)],
      body: CREDENTIALS,
      expected: SIGNED_IN,
    },
    {
      name: '.NET Framework and PHP curl expect 100-continue',
      head: [SIGN_IN, 'Accept: */*', json, 'Expect: 100-continue', lengthOf(CREDENTIALS)],
      body: CREDENTIALS,
      expected: SIGNED_IN,
    },
    {
      name: 'a client of HTTP/1.0',
      head: [
        'GET /api/v2/directory/users?range=0-1 HTTP/1.0',
        'User-Agent: Wget/1.12',
        'X-AUTHENTICATION-KEY: TOKEN',
      ],
      expected: USERS,
    },
    {
      name: 'chunked body',
      head: [SIGN_IN, json, 'Transfer-Encoding: chunked'],
      body: chunk(CREDENTIALS),
      expected: SIGNED_IN,
    },
    {
      name: 'gzip body of a caller with a token',
      head: [SIGN_IN, json, KEY, 'Content-Encoding: gzip', lengthOf(gzipSync(CREDENTIALS))],
      body: gzipSync(CREDENTIALS),
      expected: SIGNED_IN,
    },
    {
      name: 'chunked gzip body of a caller with a token',
      head: [SIGN_IN, json, KEY, 'Content-Encoding: gzip', 'Transfer-Encoding: chunked'],
      body: chunk(gzipSync(CREDENTIALS)),
      expected: SIGNED_IN,
    },
    {
      name: 'body with a byte order mark',
      head: [SIGN_IN, json, `Content-Length: ${CREDENTIALS.length + 3}`],
      body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), CREDENTIALS]),
      expected: SIGNED_IN,
    },
    {
      name: 'application/json;charset=UTF-8',
      head: [SIGN_IN, 'Content-Type: application/json;charset=UTF-8', lengthOf(CREDENTIALS)],
      body: CREDENTIALS,
      expected: SIGNED_IN,
    },
    {
      name: 'charset=utf8',
      head: [SIGN_IN, 'Content-Type: application/json; charset=utf8', lengthOf(CREDENTIALS)],
      body: CREDENTIALS,
      expected: SIGNED_IN,
    },
    {
      name: 'names of headers in capitals',
      head: [
        'GET /api/v2/directory/users?range=0-1 HTTP/1.1',
        'ACCEPT: application/json',
        'X-AUTHENTICATION-KEY: TOKEN',
      ],
      expected: USERS,
    },
    {
      name: 'names of headers in small letters',
      head: ['GET /api/v2/directory/users?range=0-1 HTTP/1.1', 'x-authentication-key: TOKEN'],
      expected: USERS,
    },
    {
      name: 'jQuery’s cache buster',
      head: [
        'GET /api/v2/directory/users?range=0-1&_=1700000000000 HTTP/1.1',
        'Accept: application/json, text/javascript, */*; q=0.01',
        'X-AUTHENTICATION-KEY: TOKEN',
      ],
      expected: USERS,
    },
    {
      name: 'the token as header and as parameter',
      head: [
        'GET /api/v2/directory/users?range=0-1&_AuthenticationKey=TOKEN HTTP/1.1',
        'X-AUTHENTICATION-KEY: TOKEN',
      ],
      expected: USERS,
    },
    {
      name: 'a blank token header beside the parameter',
      head: [
        'GET /navigation/workplace/categories?_AuthenticationKey=TOKEN HTTP/1.1',
        'X-AUTHENTICATION-KEY:',
      ],
      expected: CATEGORIES,
    },
    {
      name: 'a slash at the end',
      head: ['GET /api/v2/directory/users/?range=0-1 HTTP/1.1', 'X-AUTHENTICATION-KEY: TOKEN'],
      expected: USERS,
    },
    {
      name: 'an empty Accept',
      head: ['GET /navigation/workplace/categories?_AuthenticationKey=TOKEN HTTP/1.1', 'Accept:'],
      expected: CATEGORIES,
    },
  ];

  it.each(ROWS)('serves $name', async ({ head, body = Buffer.alloc(0), expected }) => {
    const lines = [...head, 'Host: x', 'Connection: close', '', ''].join('\r\n');
    const bytes = Buffer.concat([Buffer.from(lines.replaceAll('TOKEN', token)), body]);
    const answer = await sendRaw(server.port, bytes);
    const final = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    const [answered = '', text = ''] = final.split('\r\n\r\n');
    expect([answered.split('\r\n')[0], dechunked(answered, text)]).toEqual([
      'HTTP/1.1 200 OK',
      expected,
    ]);
    expect(answered).toContain(`\r\nContent-Type: ${JSON_TYPE}\r\n`);
    if (head.includes('Expect: 100-continue')) expect(answer).not.toBe(final);
  });

  const dechunked = (head: string, text: string): unknown =>
    JSON.parse(
      Buffer.from(
        /^Transfer-Encoding: chunked/im.test(head)
          ? text.replace(/^[0-9a-f]+\r\n/, '').replace(/\r\n0$/, '')
          : text,
        'latin1',
      ).toString(),
    );
});
