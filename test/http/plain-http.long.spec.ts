import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { sendRaw } from '../support/raw.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';

/** HTTP_PORT: plain HTTP beside HTTPS. */

const { cert, key } = makeCertificate();
const BASE_PATH = '/platform';
const AUTHENTICATION = `${BASE_PATH}/api/v2/authentication`;
const CREDENTIALS = { login: 'bruno.keller', password: DEMO_PASSWORD };
const SEARCH = `${BASE_PATH}/navigation/search/workplace?searchName=workplace_searchUsers&searchField=login&query=bruno`;

let folder: string;
let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'process-platform-plain-http-'));
  const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  writeFileSync(files.TLS_CERT_FILE, cert);
  writeFileSync(files.TLS_KEY_FILE, key);
  database = await createTestDatabase();
  env = { DATABASE_URL: urlOf(database.connection), BASE_PATH, HTTP_PORT: '0', ...files };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

interface Way {
  scheme: string;
  port: number;
  ca?: string;
}

/** The two ways to a server. */
function waysTo(server: ServerProcess): Way[] {
  const [, plain] = /Plain HTTP beside it: http:\/\/[^\s]*:(\d+)/.exec(server.printed())!;
  return [
    { scheme: 'https', port: server.port, ca: cert },
    { scheme: 'http', port: Number(plain) },
  ];
}

async function signIn({ port, ca }: Way): Promise<string> {
  const answer = await send(port, AUTHENTICATION, { method: 'POST', body: CREDENTIALS, ca });
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}

describe('HTTP_PORT', () => {
  let server: ServerProcess;
  let ways: Way[];
  beforeAll(async () => {
    server = await startServerProcess(env);
    ways = waysTo(server);
  });
  afterAll(() => server.stop());

  it('serves the three interfaces on both ports, with tokens that hold on both', async () => {
    for (const origin of ways) {
      const token = await signIn(origin);
      for (const { port, ca } of ways) {
        const users = await send(port, `${BASE_PATH}/api/v2/directory/users`, { token, ca });
        expect([users.status, (users.body as unknown[]).length]).toEqual([200, 50]);
        const query = `_AuthenticationKey=${token}`;
        const path = `${BASE_PATH}/navigation/workplace/categories?${query}`;
        const categories = await send(port, path, { ca });
        expect([categories.status, (categories.body as object[])[0]]).toMatchObject([
          200,
          { title: 'Everyday' },
        ]);
        const found = await send(port, `${SEARCH}&${query}`, { ca });
        expect([found.status, found.body]).toMatchObject([
          200,
          { type: 'success', data: [{ login: 'bruno.keller' }] },
        ]);
      }
    }
  });

  it('sends no Strict-Transport-Security, so that browsers may use both ports', async () => {
    for (const { port, ca } of ways) {
      const headers = { Host: 'portal.example' };
      const answer = await send(port, `${BASE_PATH}/health/live`, { ca, headers });
      expect([answer.status, answer.headers['strict-transport-security']]).toEqual([
        200,
        undefined,
      ]);
    }
  });

  it('refuses on both ports an address that the allowlist no longer admits', async () => {
    const statuses = () =>
      Promise.all(
        ways.map(
          async ({ port, ca }) =>
            (await send(port, `${BASE_PATH}/api/v2`, { ca, from: '127.0.0.9' })).status,
        ),
      );
    const admit = (addresses: string) =>
      database.query(
        `UPDATE parameters SET value = '${addresses}' WHERE key LIKE '%ExternalAuthenticationAction%'`,
      );
    expect(await statuses()).toEqual([403, 403]);
    await admit('127.0.0.1, ::1, 127.0.0.9');
    await eventually(async () => expect(await statuses()).toEqual([200, 200]));
    await admit('127.0.0.1, ::1');
    await eventually(async () => expect(await statuses()).toEqual([403, 403]));
  });

  it('answers malformed requests and limits headers like the HTTPS port', async () => {
    const { port } = ways[1]!;
    expect(await sendRaw(port, 'GET\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"code":400,/);
    const long = `GET ${BASE_PATH}/api/v2 HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await sendRaw(port, long)).toMatch(/^HTTP\/1\.1 431 [\s\S]*\{"code":431,/);
    // The time-out of a request head.
    const began = connect(port, '127.0.0.1').on('error', () => undefined);
    began.write('GET / HTTP/1.1\r\n');
    const [answer] = (await once(began, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
    began.destroy();
  });
});

describe('plain HTTP on the port of HTTPS', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess(env);
  });
  afterAll(() => server.stop());

  it('is closed without an answer', async () => {
    const request = `GET ${BASE_PATH}/api/v2 HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await sendRaw(server.port, request)).not.toContain('HTTP/1.1');
  });

  it('is closed when it sends nothing', async () => {
    const silent = connect(server.port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'close');
    const ended = connect(server.port, '127.0.0.1').on('error', () => undefined);
    ended.end();
    await once(ended, 'close');
  });
});

describe('the end of a server with two ports', () => {
  it('answers the open requests of both, and listens on neither', async () => {
    const server = await startServerProcess(env);
    const ways = waysTo(server);
    const token = await signIn(ways[0]!);
    const agents = [new HttpsAgent({ keepAlive: true }), new Agent({ keepAlive: true })];
    const ask = ({ port, scheme }: Way, at: number): Promise<number> =>
      new Promise((done, fail) => {
        const options = {
          host: '127.0.0.1',
          port,
          path: AUTHENTICATION,
          ca: cert,
          agent: agents[at],
          headers: { 'X-AUTHENTICATION-KEY': token },
        };
        (scheme === 'https' ? httpsRequest : httpRequest)(options, (response) => {
          response.resume().once('end', () => done(response.statusCode!));
        })
          .once('error', fail)
          .end();
      });
    // On kept connections: a server without connections does not wait.
    expect(await Promise.all(ways.map(ask))).toEqual([200, 200]);
    const stopped = server.stop();
    await delay(100);
    expect(await Promise.all(ways.map(ask))).toEqual([200, 200]);
    await stopped;
    for (const { port, ca } of ways)
      await expect(send(port, AUTHENTICATION, { ca })).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    for (const agent of agents) agent.destroy();
  });
});

describe('several processes with two ports', () => {
  it('share both ports', async () => {
    const server = await startServerProcess({ ...env, WEB_CONCURRENCY: '2' });
    const answering = async ({ port, ca }: Way): Promise<number | undefined> => {
      const { headers } = await send(port, `${BASE_PATH}/api/v2`, { ca });
      const id = String(headers['x-request-id']);
      const lineOf = () =>
        server
          .printed()
          .split('\n')
          .find((one) => one.includes(id));
      await eventually(() => expect(lineOf()).toBeDefined());
      return (JSON.parse(lineOf()!) as { worker?: number }).worker;
    };
    for (const way of waysTo(server)) {
      const workers = new Set<number | undefined>();
      await eventually(async () => {
        workers.add(await answering(way));
        expect([way.scheme, [...workers].sort()]).toEqual([way.scheme, [1, 2]]);
      });
    }
    await server.stop();
  }, 180_000);
});

describe('settings of HTTP_PORT', () => {
  it('stop the start when they contradict other settings', async () => {
    expect(() => loadConfig({ HTTP_PORT: '3080' })).toThrow(
      'HTTP_PORT: requires TLS_CERT_FILE: without it PORT itself serves plain HTTP',
    );
    expect(() => loadConfig({ ...env, PORT: '3443', HTTP_PORT: '3443' })).toThrow(
      'HTTP_PORT: must not be PORT',
    );
    expect(loadConfig({ ...env, PORT: '3443', HTTP_PORT: '3080' }).env.HTTP_PORT).toBe(3080);
    const taken = await freePort();
    const first = await startServerProcess({ ...env, HTTP_PORT: String(taken) });
    await expect(startServerProcess({ ...env, HTTP_PORT: String(taken) })).rejects.toThrow(
      `The port ${taken} on 127.0.0.1 is taken: stop what uses it, or set HTTP_PORT.`,
    );
    await first.stop();
  });
});
