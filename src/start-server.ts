import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { demoMigrations } from '../migrations/demo/index.js';
import { migrations } from '../migrations/index.js';
import { type Config, ConfigError, loadConfig } from './config/config.js';
import { createApp } from './create-app.js';
import { prepareDecoy } from './credentials/password-hash.js';
import { setFirstSysadminPassword } from './credentials/sysadmin-password.js';
import {
  DATA_FOLDER,
  type EmbeddedServer,
  startEmbeddedServer,
} from './database/embedded-server.js';
import { migrate } from './database/migrate.js';
import { Admission } from './operations/admission.js';
import { welcome } from './operations/welcome.js';

/**
 * The end, in milliseconds: how long a server that is asked to end lets supervisors notice that it is
 * not ready any more, how long requests may then take, and when it ends whatever happens.
 */
const GRACE = 2_000;
const FINISH_TIMEOUT = 7_000;
const STOP_TIMEOUT = 10_000;

/** What has to be ended, in this order. */
interface Running {
  app?: NestExpressApplication;
  /** A promise, so that a signal during the start waits for what there is to end. */
  database?: Promise<EmbeddedServer>;
}

/** Starts everything, or says in one message why not and ends with exit code 1. */
export async function startServer(): Promise<void> {
  // Garbage may double the heap before it is collected, not more (decisions 0009).
  setFlagsFromString('--heap-growing-percent=100');
  const running: Running = {};
  stopOnSignals(running);
  // Nobody reads what is meant for people: no reason to stop.
  process.stderr.on('error', () => undefined);
  try {
    await start(running);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    await stop(running, 0).catch(() => undefined);
    process.exit(1);
  }
}

async function start(running: Running): Promise<void> {
  const environment = loadConfig();
  const config = await withDatabase(environment, running);
  let password: string | undefined;
  await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
    password = await setFirstSysadminPassword(config);
  });
  running.app = await createApp(config);
  await prepareDecoy();
  const { HOST, PORT } = config.env;
  await running.app.listen(PORT, HOST);
  process.stderr.write(welcome(config, await running.app.getUrl(), password));
}

async function withDatabase(config: Config, running: Running): Promise<Config> {
  if (config.database) return config;
  running.database = startEmbeddedServer({ folder: join(process.cwd(), DATA_FOLDER) });
  return config.withDatabase((await running.database).connection);
}

/** Takes no part any more, answers what was asked, and ends; the database last. */
async function stop({ app, database }: Running, grace: number): Promise<void> {
  if (app) {
    const server = app.getHttpServer();
    await app.get(Admission).leave(server, grace);
    const timer = setTimeout(() => server.closeAllConnections(), FINISH_TIMEOUT);
    await app.close();
    clearTimeout(timer);
  }
  const started = await database?.catch(() => undefined);
  await started?.stop();
}

/** Ctrl-C is somebody who waits, SIGTERM a supervisor; a second signal changes nothing. */
function stopOnSignals(running: Running): void {
  let stopping = false;
  for (const [signal, grace] of [
    ['SIGINT', 0],
    ['SIGTERM', GRACE],
  ] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_TIMEOUT).unref();
      stop(running, grace).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
}

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number };

/** Why the server cannot listen, by the code of the operating system. */
const LISTEN_PROBLEMS: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port, address }) =>
    `The port ${port} on ${address} is taken: stop what uses it, or set PORT.`,
  EACCES: ({ port, address }) =>
    `The port ${port} on ${address} may not be used by this user: set PORT to 1024 or above.`,
  EADDRNOTAVAIL: ({ address }) => `The address ${address} is not one of this machine: check HOST.`,
};

/** Codes of the network, and the SQLSTATEs of a wrong password, user or database. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '28P01',
  '28000',
  '3D000',
]);

/** One clear message; the stack is for our own mistakes alone. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The environment has mistakes:\n${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as SystemError;
  const listening = syscall === 'listen' ? LISTEN_PROBLEMS[code] : undefined;
  if (listening) return listening(error);
  return UNREACHABLE.has(code) || /^timeout/i.test(error.message)
    ? `The database cannot be reached: ${error.message}. Check DATABASE_URL.`
    : `The server cannot start: ${error.message}`;
}
