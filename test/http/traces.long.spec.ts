import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { listen, stopListening } from '../support/identity-provider.js';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send, startTestServer, type TestServer } from '../support/test-server.js';

/** OTEL_EXPORTER_OTLP_ENDPOINT, with a collector that stores the received spans. */

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A span in OTLP's JSON format. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code: number };
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const [SERVER, CLIENT] = [2, 3];
const ERROR = 2;

let collector: Server;
let endpoint: string;
/** The spans that the collector received. */
const received: string[] = [];
beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/otlp/v1/traces') received.push(body);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/otlp`;
});
afterAll(() => void collector.close());

const valuesOf = (attributes: Attribute[]): Record<string, string | number | undefined> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );

const exports = (): Export['resourceSpans'] =>
  received.flatMap((body) => (JSON.parse(body) as Export).resourceSpans);

const spans = (): Span[] =>
  exports().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

/** The server's request ids, by the id that the test sent with each request. */
const serverIds = new Map<string, string>();

/** The span of the request with which the test sent this id. */
const spanOf = (sent: string): Span =>
  spans().find(
    ({ attributes }) => valuesOf(attributes)['platform.request_id'] === serverIds.get(sent),
  )!;

const below = ({ traceId, spanId }: Span): Span[] =>
  spans().filter((span) => span.traceId === traceId && span.parentSpanId === spanId);

/** Runs calls on a server with tracing; by its end it has sent all spans. */
async function traced(
  env: Record<string, string>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  received.length = 0;
  const server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env });
  const call: TestServer['call'] = async (path, options) => {
    const answer = await server.call(path, options);
    const sent = options?.headers?.['X-Request-Id'];
    if (sent !== undefined) serverIds.set(String(sent), String(answer.headers['x-request-id']));
    return answer;
  };
  await work({ ...server, call }).finally(() => server.close());
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}` });
const withId = (id: string, headers = {}) => ({ headers: { 'X-Request-Id': id, ...headers } });

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let token: string;
  beforeAll(async () => {
    await traced({ OTEL_SERVICE_NAME: 'portal' }, async (server) => {
      const body = { login: 'alice.martin', password: DEMO_PASSWORD };
      const signIn = { method: 'POST', body, ...withId('of-signing-in') };
      const answer = await server.call('/api/v2/authentication', signIn);
      ({ token } = answer.body as { token: string });
      const users = '/api/v2/directory/users?filters=login:eq:bruno.keller&range=0-5';
      const listed = await server.call(users, { token, ...withId('of-a-list', traceparent('01')) });
      const [{ id }] = listed.body as [{ id: string }];
      await server.call(`/api/v2/directory/users/${id}`, {
        method: 'PATCH',
        token,
        body: [{ op: 'replace', path: '/phoneNumber', value: '+49 30 7654321' }],
        ...withId('of-a-change'),
      });
      const search = `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=lefevre&_AuthenticationKey=${token}`;
      await server.call(search, withId('of-a-search'));
      await server.call(`/nowhere/${token}`, withId('of-nothing'));
      await server.call('/api/v2', { from: '127.0.0.9', ...withId('of-a-stranger') });
    });
  });

  it('exports every request as one span, named by the pattern of its route', () => {
    const traceOf = (id: string) => {
      const { name, kind, attributes, status } = spanOf(id);
      return { name, kind, status: status.code, ...valuesOf(attributes) };
    };
    expect(traceOf('of-a-list')).toEqual({
      name: 'GET /api/v2/directory/users',
      kind: SERVER,
      status: 0,
      'http.request.method': 'GET',
      'http.route': '/api/v2/directory/users',
      'http.response.status_code': 200,
      'platform.request_id': serverIds.get('of-a-list'),
    });
    expect(traceOf('of-a-change').name).toBe('PATCH /api/v2/directory/users/:id');
    expect(traceOf('of-nothing')).toMatchObject({
      name: 'GET unknown',
      'http.response.status_code': 404,
    });
    expect(traceOf('of-a-stranger')).toEqual({
      name: 'GET',
      kind: SERVER,
      status: 0,
      'http.request.method': 'GET',
      'http.response.status_code': 403,
      'platform.request_id': serverIds.get('of-a-stranger'),
    });
    for (const { resource } of exports())
      expect(valuesOf(resource.attributes)).toMatchObject({ 'service.name': 'portal' });
  });

  it('continues the trace that the caller began', () => {
    expect(spanOf('of-a-list')).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(spanOf('of-a-search').traceId).not.toBe(TRACE);
    expect(spanOf('of-a-search').parentSpanId ?? '').toBe('');
  });

  it('exports the statements of a request below it, without values', () => {
    for (const id of ['of-signing-in', 'of-a-list', 'of-a-change', 'of-a-search']) {
      const statements = below(spanOf(id));
      expect([id, statements.length]).toEqual([id, expect.any(Number)]);
      expect(statements.length).toBeGreaterThan(0);
      for (const { kind, name, attributes } of statements) {
        expect(kind).toBe(CLIENT);
        expect(name).toMatch(/^(SELECT|INSERT|UPDATE|DELETE|WITH|START|COMMIT)$/);
        expect(valuesOf(attributes)).toEqual({
          'db.system.name': 'postgresql',
          'db.query.text': expect.any(String),
        });
      }
    }
    const texts = below(spanOf('of-a-change')).map(({ attributes }) =>
      String(valuesOf(attributes)['db.query.text']),
    );
    expect(texts).toContainEqual(expect.stringMatching(/^UPDATE "users"/));
    expect(texts.at(-1)).toBe('COMMIT');
    expect(spans().filter(({ kind, parentSpanId }) => kind === CLIENT && !parentSpanId)).toEqual(
      [],
    );
  });

  it('holds no token, password, login, search text or body', () => {
    const all = received.join('\n');
    expect(all).toContain(serverIds.get('of-a-change'));
    for (const secret of [
      'of-a-change',
      token,
      DEMO_PASSWORD,
      'alice',
      'bruno',
      'lefevre',
      '7654321',
      '_Auth',
      '?',
    ])
      expect(all).not.toContain(secret);
  });
});

describe('OTEL_TRACES_SAMPLER_ARG', () => {
  it('is the share of the requests that are traced, unless the caller decided', async () => {
    await traced({ OTEL_TRACES_SAMPLER_ARG: '0' }, async (server) => {
      await server.call('/api/v2', withId('of-nobody'));
      await server.call('/api/v2', withId('of-a-caller', traceparent('01')));
    });
    expect(spans().map(({ name, traceId }) => [name, traceId])).toEqual([['GET /api/v2', TRACE]]);
    await traced({ OTEL_TRACES_SAMPLER_ARG: '1' }, async (server) => {
      await server.call('/api/v2', withId('of-another', traceparent('00')));
    });
    expect(spanOf('of-another')).toBeUndefined();
  });
});

describe('a collector that is away', () => {
  /** Starts what listens at its address. */
  const AWAY = {
    'refuses connections': () => Promise.resolve(undefined),
    'never answers': (port: number) => listen(() => undefined, port),
  };

  // A process of its own: the exporter tries again until the process ends.
  it.each(Object.entries(AWAY))(
    'costs no answer, and does not keep the server from ending, when it %s',
    async (_, start) => {
      const port = await freePort();
      const silent = await start(port);
      const database = await createTestDatabase();
      const server = await startServerProcess({
        DATABASE_URL: urlOf(database.connection),
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      });
      const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
      const path = '/api/v2/authentication';
      expect((await send(server.port, path, { method: 'POST', body })).status).toBe(200);
      await server.stop();
      // A server whose shutdown takes too long exits with 1.
      expect(await server.ended).toBe(0);
      if (silent) await stopListening(silent);
      await database.drop();
    },
  );
});

describe('a statement that fails', () => {
  it('is exported with its code, without its message', async () => {
    await traced({}, async (server) => {
      const token = await server.signIn('alice.martin');
      await server.database.query('ALTER TABLE documents RENAME TO away');
      const headers = withId('of-a-fault');
      await server.call('/api/v2/content/documents', { token, ...headers });
      await server.database.query('ALTER TABLE away RENAME TO documents');
    });
    const request = spanOf('of-a-fault');
    expect(request.status.code).toBe(ERROR);
    const [failed] = below(request).filter(({ status }) => status.code === ERROR);
    expect(failed!.status).toEqual({ code: ERROR });
    expect(valuesOf(failed!.attributes)['db.response.status_code']).toBe('42P01');
  });
});

/** The OpenTelemetry packages that a server loads during its whole run, according to V8's coverage. */
async function loadedBy(env: Record<string, string>): Promise<string[]> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-loaded-'));
  try {
    const DATABASE_URL = urlOf(database.connection);
    const server = await startServerProcess({ NODE_V8_COVERAGE: folder, DATABASE_URL, ...env });
    await fetch(`http://127.0.0.1:${server.port}/api/v2/directory/users`);
    await server.stop();
    const records = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const urls = records.flatMap((text) =>
      (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
    );
    expect(urls.filter((url) => url.endsWith('/dist/src/http/tracing/tracing.js'))).toHaveLength(1);
    const packages = urls.map((url) => /@opentelemetry\/[\w-]+/.exec(url)?.[0]);
    return [...new Set(packages.filter((name) => name !== undefined))].sort();
  } finally {
    rmSync(folder, { recursive: true });
    await database.drop();
  }
}

describe('what is loaded of OpenTelemetry', () => {
  it('is nothing of this server without a collector', async () => {
    // The API package without an implementation, a dependency of prom-client.
    expect(await loadedBy({})).toEqual(['@opentelemetry/api']);
  });

  it('is the SDK with one', async () => {
    const loaded = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect(loaded).toContain('@opentelemetry/sdk-trace');
  });
});
