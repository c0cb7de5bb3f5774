import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** An answer, and the milliseconds from the request to its last byte. */
export interface TimedAnswer {
  status: number;
  body: unknown;
  milliseconds: number;
}

/** The server as shipped, in a process of its own, on the embedded database of its folder. */
export interface BenchServer {
  call(
    path: string,
    options?: { method?: string; token?: string; body?: unknown },
  ): Promise<TimedAnswer>;
  signIn(login: string, password: string): Promise<string>;
  stop(): Promise<void>;
}

const START_TIMEOUT = 120_000;

/** @param folder made by createBenchFolder */
export async function startBenchServer(folder: string): Promise<BenchServer> {
  const port = await freePort();
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.js');
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: '',
      DEMO_DATA: 'false',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const agent = new Agent({ keepAlive: true });
  const call: BenchServer['call'] = (path, { method = 'GET', token, body } = {}) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const sent = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          path,
          method,
          headers: {
            ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const milliseconds = performance.now() - started;
            const text = Buffer.concat(chunks).toString();
            const isJson = String(response.headers['content-type']).startsWith('application/json');
            resolve({
              status: response.statusCode ?? 0,
              body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
              milliseconds,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  await untilReady(child, call);
  return {
    call,
    signIn: async (login, password) => {
      const { status, body } = await call('/api/v2/authentication', {
        method: 'POST',
        body: { login, password },
      });
      if (status !== 200) throw new Error(`${login} cannot sign in: ${status}`);
      return (body as { token: string }).token;
    },
    stop: async () => {
      agent.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, call: BenchServer['call']): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT;
  for (;;) {
    const ready = await call('/health/ready').catch(() => undefined);
    if (ready?.status === 200) return;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error('the server does not start');
    await delay(100);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** A password that passes the rules. */
export const newPassword = (): string => `Aa1!${randomBytes(12).toString('hex')}`;
