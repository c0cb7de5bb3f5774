import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { describeInBrowser, heading, signInAt } from '../support/browser.js';
import { makeCertificate, type SelfSigned } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';

let folder: string;
let files: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
let first: SelfSigned;
let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'process-platform-tls-'));
  files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  first = makeCertificate('first');
  install(first);
  database = await createTestDatabase();
  const url = urlOf(database.connection);
  server = await startServerProcess({ DATABASE_URL: url, ...files });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function install({ cert, key }: Partial<SelfSigned>): void {
  if (cert !== undefined) writeFileSync(files.TLS_CERT_FILE, cert);
  if (key !== undefined) writeFileSync(files.TLS_KEY_FILE, key);
}

/** An address of the server. */
const urlAt = (host: string): string => `https://${host}.portal.test:${server.port}`;

/** The name in the certificate of a new connection. */
const shown = (): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      done(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', fail);
  });

const becomes = (name: string): Promise<void> =>
  eventually(async () => expect(await shown()).toBe(name));

describe('TLS_CERT_FILE and TLS_KEY_FILE', () => {
  it('sign in over a connection that the certificate proves', async () => {
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const answer = await send(server.port, '/api/v2/authentication', {
      method: 'POST',
      body,
      ca: first.cert,
    });
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([
      200,
      ['token', 'expiration'],
    ]);
    expect(server.printed()).toContain(`https://127.0.0.1:${server.port}`);
  });

  it('keep browsers with HTTPS where the host name is the server’s alone: an address without a port', async () => {
    const hstsFor = async (Host: string) =>
      (await send(server.port, '/health/live', { ca: first.cert, headers: { Host } })).headers[
        'strict-transport-security'
      ];
    expect(await hstsFor('portal.example')).toBe('max-age=31536000');
    expect(await hstsFor('[::1]')).toBe('max-age=31536000');
    expect(await hstsFor('portal.example:8443')).toBeUndefined();
    expect(await hstsFor('[::1]:8443')).toBeUndefined();
  });

  it('are renewed by SIGHUP at once, and without it within seconds, while calls continue', async () => {
    install(makeCertificate('second'));
    process.kill(server.pid, 'SIGHUP');
    await becomes('second');
    install(makeCertificate('third'));
    await becomes('third');
    expect(server.printed()).toContain('the certificate was renewed');
  });

  it('keep serving the old certificate while the new files do not match each other', async () => {
    const next = makeCertificate('fourth');
    install({ cert: next.cert });
    process.kill(server.pid, 'SIGHUP');
    const reason = 'the certificate cannot be renewed and stays in use: TLS_KEY_FILE: the key';
    await eventually(() => expect(server.printed()).toContain(reason));
    expect(await shown()).toBe('third');
    install({ key: next.key });
    process.kill(server.pid, 'SIGHUP');
    await becomes('fourth');
  });
});

describeInBrowser('A host beside the server', (visits) => {
  it('cannot sign a person in as another one by a planted cookie', async () => {
    const page = { Origin: urlAt('www'), Host: `www.portal.test:${server.port}` };
    const { headers } = await send(server.port, '/api/v2/authentication', {
      method: 'POST',
      headers: { ...page, 'Sec-Fetch-Site': 'same-origin', Prefer: 'renewal' },
      body: { login: 'chloe.lefevre', password: DEMO_PASSWORD },
      ca: readFileSync(files.TLS_CERT_FILE, 'utf8'),
    });
    const secret = /=([^;]+)/.exec(headers['set-cookie']![0]!)![1]!;
    const planted = ['session', '__Host-session', '__Secure-session', '\u00a0__Host-session'].map(
      (name) =>
        `${name}=${secret}; Domain=portal.test; Path=/api/v2/authentication/renewal; Secure`,
    );
    const { cert, key } = makeCertificate('evil');
    const evil = createServer({ cert, key }, (_request, response) => {
      response
        .setHeader('Set-Cookie', planted)
        .setHeader('Content-Type', 'text/html')
        .end('planted');
    });
    const port = await new Promise<number>((done) =>
      evil.listen(0, '127.0.0.1', () => done((evil.address() as AddressInfo).port)),
    );
    try {
      const visit = await visits.open(`https://evil.portal.test:${port}/`, {
        ignoreHTTPSErrors: true,
      });
      const context = visit.page.context();
      expect((await context.cookies()).map(({ name }) => name)).toContain('session');
      await visit.page.goto(`${urlAt('www')}/workplace`);
      await signInAt(visit.page, 'bruno.keller');
      const tab = await context.newPage();
      await tab.goto(`${urlAt('www')}/workplace`);
      await heading(tab, 'Hello, Bruno').waitFor();
    } finally {
      evil.close();
      evil.closeAllConnections();
    }
  });
});

describe('files that cannot be used', () => {
  const { cert, key } = makeCertificate();
  const other = makeCertificate();
  it.each([
    ['are not there', {}, [/^TLS_CERT_FILE: cannot read the file/m, /^TLS_KEY_FILE: cannot read/m]],
    [
      'hold something else',
      { cert: 'x', key: cert },
      [
        /^TLS_CERT_FILE: the file .* does not contain a certificate in PEM format/m,
        /^TLS_KEY_FILE: the file .* does not contain a private key without a passphrase in PEM format/m,
      ],
    ],
    [
      'are no pair',
      { cert, key: other.key },
      [/^TLS_KEY_FILE: the key in .* does not belong to the certificate in /m],
    ],
  ])('stop the start: they %s', (_how, contents: Partial<SelfSigned>, messages) => {
    const where = mkdtempSync(join(tmpdir(), 'process-platform-tls-'));
    const env = { TLS_CERT_FILE: join(where, 'c'), TLS_KEY_FILE: join(where, 'k') };
    if (contents.cert !== undefined) writeFileSync(env.TLS_CERT_FILE, contents.cert);
    if (contents.key !== undefined) writeFileSync(env.TLS_KEY_FILE, contents.key);
    for (const message of messages) expect(() => loadConfig(env)).toThrow(message);
    rmSync(where, { recursive: true });
  });

  it('are a pair that starts', () => {
    const where = mkdtempSync(join(tmpdir(), 'process-platform-tls-'));
    const env = { TLS_CERT_FILE: join(where, 'c'), TLS_KEY_FILE: join(where, 'k') };
    writeFileSync(env.TLS_CERT_FILE, cert);
    writeFileSync(env.TLS_KEY_FILE, key);
    expect(loadConfig(env).env).toMatchObject(env);
    rmSync(where, { recursive: true });
  });
});
