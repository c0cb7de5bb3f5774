import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/event-stream.js';
import { freePort } from '../support/free-port.js';
import { openPush } from '../support/push-stream.js';
import { sendRaw } from '../support/raw.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

/** Runs the settings of docs/reverse-proxies.md with the installed programs. */

interface Kind {
  name: string;
  /** The language of the block in the guide. */
  language: string;
  program: string;
  args(file: string): string[];
  /** The settings, with the test's ports and folder. */
  adapt(text: string, ports: { listen: number; server: number }, folder: string): string;
}

const PROXIES: Kind[] = [
  {
    name: 'nginx',
    language: 'nginx',
    program: '/usr/sbin/nginx',
    args: (file) => ['-c', file, '-g', 'daemon off;'],
    adapt: (text, { listen, server }, folder) =>
      `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; pid ${folder}/pid; error_log ${folder}/main-error.log; events {} http { client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${text}\n}`
        .replace('listen 80;', `listen 127.0.0.1:${listen};`)
        .replace('127.0.0.1:3000', `127.0.0.1:${server}`)
        .replaceAll('/var/log/nginx', folder),
  },
  {
    name: 'HAProxy',
    language: 'haproxy',
    program: '/usr/sbin/haproxy',
    args: (file) => ['-f', file, '-db'],
    adapt: (text, { listen, server }) =>
      text
        .replace('bind *:80', `bind 127.0.0.1:${listen}`)
        .replace('/health/ready', '/platform/health/ready')
        .replace('127.0.0.1:3000', `127.0.0.1:${server}`),
  },
  {
    name: 'Caddy',
    language: 'caddyfile',
    program: '/usr/bin/caddy',
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    adapt: (text, { listen, server }) =>
      text
        .replace('{', '{\n  admin off')
        .replace(':80 {', `http://127.0.0.1:${listen} {`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${server}`),
  },
];

const guide = readFileSync('docs/reverse-proxies.md', 'utf8');
const settingsOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\n\`\`\``).exec(guide)![1]!;

let database: TestDatabase;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `UPDATE parameters SET value = '127.0.0.9' WHERE key LIKE '%ExternalAuthenticationAction%'`,
  );
  server = await startServerProcess({
    DATABASE_URL: urlOf(database.connection),
    BASE_PATH: '/platform',
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

interface Proxy {
  port: number;
  /** Everything that it wrote to its files and outputs. */
  logs(): string;
  stop(): Promise<void>;
}

/** Runs a proxy with the guide's settings in front of a port and waits until it answers. */
async function launch(kind: Kind, serverPort: number): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-proxied-'));
  const port = await freePort();
  const file = join(folder, 'settings');
  const ports = { listen: port, server: serverPort };
  writeFileSync(file, `${kind.adapt(settingsOf(kind.language), ports, folder)}\n`);
  const child = spawn(kind.program, kind.args(file), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((done) => child.once('exit', done));
  const logs = (): string =>
    [
      output,
      ...readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    ].join('\n');
  const answers = () =>
    send(port, '/platform/health/ready').then(
      () => true,
      () => false,
    );
  if ((await until(answers)) === undefined) throw new Error(logs());
  return {
    port,
    logs,
    stop: async () => {
      // With SIGTERM, because nginx has child processes.
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const expectLogged = (proxy: Proxy, text: string): Promise<void> =>
  eventually(() => expect(proxy.logs()).toContain(text));

async function signIn(port: number, login: string): Promise<string> {
  const body = { login, password: DEMO_PASSWORD };
  const path = '/platform/api/v2/authentication';
  const answer = await send(port, path, { method: 'POST', body, from: '127.0.0.9' });
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}

/** Request smuggling: a second request hidden in the body of the first for a reader that uses the other length. */
const HIDDEN = 'GET /platform/smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const FORMS: [string, string][] = [
  [
    'a length and chunks',
    `Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  [
    'chunks behind a blank',
    `Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  [
    'chunks by another word',
    `Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ['two lengths', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
];

describe.each(PROXIES)('$name in front of the server', (kind) => {
  const isThere = existsSync(kind.program);
  if (!isThere) process.stderr.write(`\nSKIPPED: ${kind.name} is not on this machine\n\n`);
  const test = isThere ? it : it.skip;
  const isDuplex = kind.name !== 'Caddy';
  let proxy: Proxy;
  let port: number;
  beforeAll(async () => {
    if (!isThere) return;
    proxy = await launch(kind, server.port);
    port = proxy.port;
    token = await signIn(port, 'bruno.keller');
  });
  afterAll(() => proxy?.stop());

  test("forwards the caller's address, and none that callers claim", async () => {
    const statusFrom = async (from: string, headers: Record<string, string> = {}) =>
      (await send(port, '/platform/api/v2', { from, headers })).status;
    expect(await statusFrom('127.0.0.9')).toBe(200);
    expect(await statusFrom('127.0.0.8')).toBe(403);
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'])
      for (const claimed of ['127.0.0.9', 'for=127.0.0.9'])
        expect([name, await statusFrom('127.0.0.8', { [name]: claimed })]).toEqual([name, 403]);
  });

  test('passes the base path, and logs paths without tokens', async () => {
    const path = `/platform/navigation/workplace/categories?_AuthenticationKey=${token}`;
    expect((await send(port, path, { from: '127.0.0.9' })).status).toBe(200);
    const byHeader = '/platform/api/v2/authentication';
    expect((await send(port, byHeader, { token, from: '127.0.0.9' })).status).toBe(200);
    await expectLogged(proxy, '/platform/navigation/workplace/categories');
    expect(proxy.logs()).not.toContain(token);
    expect(proxy.logs()).not.toContain('_AuthenticationKey');
  });

  test.each(FORMS)('sees the requests that the server sees: %s', async (form, rest) => {
    const head = 'POST /platform/api/v2/authentication HTTP/1.1\r\nHost: 127.0.0.1\r\n';
    const seen = server.printed().length;
    const bytes = `${head}Content-Type: application/json\r\n${rest}`;
    const answer = await sendRaw(port, bytes, 1_500, '127.0.0.9');
    // The server has logged everything before its next request.
    const last = `/platform/after-${seen}`;
    await send(port, last, { from: '127.0.0.9' });
    await eventually(() => expect(server.printed().slice(seen)).toContain(last));
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    const hidden = server.printed().slice(seen).split('/platform/smuggled').length - 1;
    // Caddy uses the chunked encoding, which is allowed: the bytes after it are an ordinary request, for Caddy too.
    const isOpen = kind.name === 'Caddy' && form === 'a length and chunks';
    expect({ statuses, hidden }).toEqual(
      isOpen
        ? { statuses: [400, expect.any(Number)], hidden: 1 }
        : { statuses: [expect.any(Number)], hidden: 0 },
    );
    expect([400, 501]).toContain(statuses[0]);
  });

  test('passes a stream, calls that wait and a push without an end, through 15 seconds of silence', async () => {
    const name = `BEHIND-${kind.name}`;
    await database.query(
      `WITH engine AS (SELECT id, $1 AS name FROM users WHERE login = 'process.engine'),
         source AS (INSERT INTO sources (label, reference, service_account_id) SELECT name, name, id FROM engine)
       INSERT INTO endpoints (label, reference, mode, account_id) SELECT name, name, 'pull', id FROM engine`,
      [name],
    );
    const engine = await signIn(port, 'process.engine');
    const path = '/platform/navigation/workplace/events';
    const stream = await openEvents(port, { token, path, from: '127.0.0.9' });
    expect(stream.status).toBe(200);
    expect(stream.headers).not.toHaveProperty('content-encoding');
    const base = '/platform';
    const push = openPush(port, { source: name }, { token: engine, base, from: '127.0.0.9' });
    const write = (externalId: string) => push.request.write(`${JSON.stringify({ externalId })}\n`);
    const waiting = Promise.all([
      send(port, `${base}/api/v2/process/endpoints/${name}/fetch`, {
        ...{ method: 'POST', body: { worker: 'w', wait: 17 } },
        ...{ token: engine, from: '127.0.0.9' },
      }),
      send(port, `${base}/engine-rest/external-task/fetchAndLock`, {
        ...{
          method: 'POST',
          body: {
            workerId: 'v',
            maxTasks: 1,
            asyncResponseTimeout: 17_000,
            topics: [{ topicName: name, lockDuration: 60_000 }],
          },
        },
        ...{ token: engine, from: '127.0.0.9' },
      }),
    ]);
    write('first');
    if (isDuplex) await eventually(() => expect(push.lines).toHaveLength(1));
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
    await eventually(() => expect(stream.comments).toHaveLength(1));
    await database.query(
      `INSERT INTO tasks (title, application_id, assignee_id)
       SELECT 'Streamed', min(a.id), min(u.id) FROM applications a, users u WHERE u.login = 'bruno.keller'`,
    );
    await eventually(() => expect(stream.dataOf('changes')).toHaveLength(1));
    stream.close();
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200]);
    write('second');
    push.request.end();
    expect([await push.ended, push.status(), push.lines.length]).toEqual(['end', 200, 3]);
  });

  test('logs no token either when the server is away', async () => {
    const lonely = await launch(kind, await freePort());
    const path = `/platform/navigation/workplace/categories?_AuthenticationKey=${token}`;
    const { status } = await send(lonely.port, path, { from: '127.0.0.9' });
    expect([502, 503]).toContain(status);
    await expectLogged(lonely, '/platform/navigation/workplace/categories');
    expect(lonely.logs()).not.toContain(token);
    await lonely.stop();
  });
});
