import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ConcurrencyLimiter } from '../../src/base/concurrency/limiter.js';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { TokensService } from '../../src/auth/credentials/tokens.service.js';
import { unavailable } from '../../src/base/errors/api-errors.js';
import { ByteBudget } from '../../src/http/byte-budget.js';
import { REQUEST_PIPELINE } from '../../src/request-pipeline.js';
import {
  ParametersService,
  ParameterValues,
} from '../../src/security/parameters/parameters.service.js';
import { PermissionGuard } from '../../src/security/permission.guard.js';
import { makeCertificate } from '../support/certificate.js';
import { freePort } from '../support/free-port.js';
import { listen, portOf, stopListening } from '../support/identity-provider.js';
import { followRequests, type PipelineTrail } from '../support/pipeline-trail.js';
import { readRaw, sendRaw } from '../support/raw.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { type Answer, type Call, DEMO_PASSWORD, send } from '../support/test-server.js';

/** A server that records the stations of its requests. */
interface Followed {
  app: NestExpressApplication;
  port: number;
  trail: PipelineTrail;
}

let database: TestDatabase;
let folder: string;
/** Accepts all traces: an exporter that finds no collector tries again after the server has closed. */
let collector: Server;
/** With no variable set. */
let plain: Followed;
/** With every variable that adds a station. */
let full: Followed;
let ca: string;
let tokens: { person: string; admin: string };

beforeAll(async () => {
  database = await createTestDatabase();
  plain = await start({});
  folder = mkdtempSync(join(tmpdir(), 'process-platform-pipeline-'));
  collector = await listen((request, response) => {
    request.resume();
    response.end('{}');
  });
  const { cert, key } = makeCertificate();
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(TLS_CERT_FILE, cert);
  writeFileSync(TLS_KEY_FILE, key);
  ca = cert;
  full = await start({
    TLS_CERT_FILE,
    TLS_KEY_FILE,
    BASE_PATH: '/platform',
    PUBLIC_URL: 'https://portal.example/platform',
    CORS_ORIGINS: 'https://intranet.example',
    METRICS_PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(collector)}`,
  });
  tokens = { person: await signIn('bruno.keller'), admin: await signIn('alice.martin') };
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await plain.app.close();
  await full.app.close();
  await stopListening(collector);
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function start(env: Record<string, string>): Promise<Followed> {
  const config = loadConfig({ LOG_LEVEL: 'silent', ...env }).withDatabase(database.connection);
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, port, trail: followRequests(app) };
}

async function signIn(login: string): Promise<string> {
  const body = { login, password: DEMO_PASSWORD };
  const answer = await send(plain.port, '/api/v2/authentication', { method: 'POST', body });
  return (answer.body as { token: string }).token;
}

const call = (path: string, options?: Call): Promise<Answer> => send(plain.port, path, options);
const fullCall = (path: string, { headers, ...options }: Call = {}): Promise<Answer> =>
  send(full.port, path, { ca, headers: { Host: 'portal.example', ...headers }, ...options });
const raw = async (text: string, port = plain.port) => readRaw(await sendRaw(port, text));

/** Replaces a station with one that passes every request on. */
function skip(name: string): void {
  const station = plain.trail.steps.find((step) => step.name === name)!;
  jest.spyOn(station, 'handle').mockImplementation((_request, _response, next) => next());
}

const namesAt = (...stages: string[]): string[] =>
  REQUEST_PIPELINE.filter(({ stage }) => stages.includes(stage)).map(({ name }) => name);

/** The stations that environment variables enable. */
const OPTIONAL = ['metrics', 'strictTransport', 'traceBegin', 'traceContext'];

describe('the stations of a request', () => {
  it('are installed in the order of the list', () => {
    const all = namesAt('before Express', 'Express', 'guard');
    expect(full.trail.installed).toEqual(all);
    expect(plain.trail.installed).toEqual(all.filter((name) => !OPTIONAL.includes(name)));
  });

  it('are entered in the order of the list', async () => {
    for (const [server, answer] of [
      [plain, () => call('/api/v2')],
      [full, () => fullCall('/platform/api/v2')],
    ] as const) {
      server.trail.entered.length = 0;
      expect((await answer()).status).toBe(200);
      expect(server.trail.entered).toEqual(server.trail.installed);
    }
  });

  it('have no pipe, interceptor or filter beside those of the list', () => {
    const { config } = plain.app as unknown as { config: Record<string, () => object[]> };
    const global = ['getGlobalPipes', 'getGlobalInterceptors', 'getGlobalFilters'] as const;
    const found = global.flatMap((get) =>
      config[get]!().map(({ constructor }) => constructor.name),
    );
    expect(found).toEqual(['ErrorFilter']);
  });

  it('match the table of docs/architecture.md', () => {
    const document = readFileSync('docs/architecture.md', 'utf8').replace(/ {2,}/g, ' ');
    const rows = REQUEST_PIPELINE.map(({ stage, name, answers, does }) =>
      `| ${stage} | \`${name}\` | ${does} | ${answers.join(', ')} |`.replace(/ {2,}/g, ' '),
    );
    expect(document).toContain(rows.join('\n'));
  });
});

const USER = '/api/v2/directory/users/me';
const json = { 'Content-Type': 'application/json' };
const away = (): never => {
  throw unavailable();
};

/** For each station and each status that it may answer, a request that gets this answer there. */
const ANSWERS: [name: string, status: number, ask: () => Promise<{ status: number }>][] = [
  ['clientErrors', 400, () => raw('GET / NONSENSE\r\n\r\n')],
  [
    'clientErrors',
    408,
    () => {
      jest.replaceProperty(plain.app.getHttpServer(), 'headersTimeout', 100);
      return raw('GET / HTTP/1.1\r\n');
    },
  ],
  ['clientErrors', 431, () => raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`)],
  ['clientErrors', 501, () => raw('FETCH / HTTP/1.1\r\nHost: x\r\n\r\n')],
  [
    'preflight',
    204,
    () =>
      fullCall('/platform/api/v2', {
        method: 'OPTIONS',
        headers: { Origin: 'https://intranet.example', 'Access-Control-Request-Method': 'PUT' },
      }),
  ],
  [
    'loadShedding',
    503,
    () => {
      jest.spyOn(ConcurrencyLimiter.prototype, 'isFull', 'get').mockReturnValue(true);
      return call('/api/v2');
    },
  ],
  [
    'requestHead',
    400,
    () => raw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
  ],
  [
    'requestHead',
    431,
    () => {
      const lines = Array.from({ length: 101 }, (_, n) => [`X-${n}`, 'x']);
      return call('/api/v2', { headers: Object.fromEntries(lines) as Record<string, string> });
    },
  ],
  ['requestHead', 501, () => raw('PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['basePath', 404, () => fullCall('/api/v2')],
  ['ownHost', 400, () => fullCall('/platform/api/v2', { headers: { Host: 'rebound.example' } })],
  ['ipAllowlist', 403, () => call('/api/v2', { from: '127.0.0.9' })],
  [
    'ipAllowlist',
    503,
    () => {
      jest.spyOn(plain.app.get(ParametersService), 'current').mockImplementation(away);
      return call('/api/v2');
    },
  ],
  ['pages', 200, () => call('/workplace')],
  ['pages', 303, () => call('/', { headers: { Accept: 'text/html' } })],
  ['pages', 404, () => call('/assets/nothing.js')],
  ['pages', 405, () => call('/workplace', { method: 'DELETE' })],
  [
    'bodyParser',
    503,
    () => {
      jest.spyOn(ByteBudget.prototype, 'take').mockReturnValue(undefined);
      return call('/api/v2/authentication', { method: 'POST', body: {} });
    },
  ],
  [
    'admission',
    503,
    () => {
      jest.spyOn(ConcurrencyLimiter.prototype, 'run').mockRejectedValue(unavailable());
      return call('/api/v2');
    },
  ],
  ['router', 400, () => call('/api/v2/directory/users/%E9', { token: tokens.admin })],
  [
    'IpAllowlistGuard',
    403,
    () => {
      skip('ipAllowlist');
      return call('/api/v2', { from: '127.0.0.9' });
    },
  ],
  [
    'IpAllowlistGuard',
    503,
    () => {
      skip('ipAllowlist');
      jest.spyOn(plain.app.get(ParametersService), 'current').mockImplementation(away);
      return call('/api/v2');
    },
  ],
  ['TokenGuard', 401, () => call(USER)],
  [
    'TokenGuard',
    503,
    () => {
      jest.spyOn(plain.app.get(TokensService), 'find').mockImplementation(away);
      return call(USER, { token: tokens.person });
    },
  ],
  [
    'CallLimitGuard',
    429,
    async () => {
      const tokenService = plain.app.get(TokensService);
      const caller = await tokenService.find(tokens.person);
      jest.spyOn(tokenService, 'find').mockResolvedValue({ ...caller!, callsPerMinute: 0.5 });
      return call(USER, { token: tokens.person });
    },
  ],
  [
    'PermissionGuard',
    403,
    () => call('/api/v2/administration/parameters', { token: tokens.person }),
  ],
  [
    'WriteLimitGuard',
    429,
    () => {
      jest.spyOn(ParameterValues.prototype, 'number').mockReturnValue(0.5);
      return call(USER, { method: 'PATCH', token: tokens.person, body: [] });
    },
  ],
  [
    'AccessGuard',
    403,
    () => call('/api/v2/directory/users', { method: 'POST', token: tokens.person, body: {} }),
  ],
  [
    'AccessGuard',
    404,
    () =>
      call('/api/v2/process/tasks/999999999', { method: 'PUT', token: tokens.person, body: {} }),
  ],
  ['RequestFormatGuard', 400, () => call('/api/v2?unknown=1')],
  [
    'RequestFormatGuard',
    403,
    () =>
      call('/api/v2/process/tasks?source=x', {
        method: 'PUT',
        token: tokens.person,
        body: 'x'.repeat(100 * 1024 + 1),
        headers: json,
      }),
  ],
  [
    'RequestFormatGuard',
    406,
    () => call('/api/v2', { headers: { Accept: 'application/json;q=0' } }),
  ],
  [
    'RequestFormatGuard',
    413,
    () =>
      call('/api/v2/authentication', { method: 'POST', body: 'x'.repeat(5_000), headers: json }),
  ],
  [
    'RequestFormatGuard',
    415,
    () =>
      call('/api/v2/authentication', {
        method: 'POST',
        body: 'x',
        headers: { 'Content-Type': 'text/plain' },
      }),
  ],
  ['pipes', 400, () => call('/api/v2/directory/users?range=first', { token: tokens.admin })],
  [
    'reply',
    304,
    () =>
      call('/navigation/workplace/categories', {
        token: tokens.person,
        headers: { 'If-None-Match': '*' },
      }),
  ],
  [
    'ErrorFilter',
    500,
    () => {
      jest.spyOn(plain.app.get(PermissionGuard), 'canActivate').mockImplementation(() => {
        throw new Error('a defect');
      });
      return call('/api/v2');
    },
  ],
];

describe('each status that a station may answer', () => {
  it.each(ANSWERS)('%s answers %d', async (name, status, ask) => {
    plain.trail.entered.length = 0;
    full.trail.entered.length = 0;
    expect((await ask()).status).toBe(status);
    const entered = [...plain.trail.entered, ...full.trail.entered];
    if (full.trail.installed.includes(name)) expect(entered.at(-1)).toBe(name);
  });

  it('has a test above', () => {
    const listed = REQUEST_PIPELINE.flatMap(({ name, answers }) =>
      answers.map((status) => `${name} ${status}`),
    );
    expect(ANSWERS.map(([name, status]) => `${name} ${status}`)).toEqual(listed);
  });
});

describe('IpAllowlistGuard', () => {
  it('does not read the parameters again after its early check', async () => {
    const current = jest.spyOn(plain.app.get(ParametersService), 'current');
    expect((await call('/api/v2')).status).toBe(200);
    expect(current).toHaveBeenCalledTimes(1);
  });
});
