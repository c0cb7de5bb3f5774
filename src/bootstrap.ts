import cluster from 'node:cluster';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { demoMigrations } from '../migrations/demo/index.js';
import { functions, migrations } from '../migrations/index.js';
import { type Config, loadConfig } from './base/config/config.js';
import { createApp } from './create-app.js';
import { demonstrationLogins } from './auth/credentials/demonstration-logins.js';
import { prepareDummyHash } from './auth/credentials/password-hash.js';
import { PasswordSignIn } from './auth/credentials/password-sign-in.service.js';
import { setFirstSysadminPassword } from './auth/credentials/sysadmin-password.js';
import { connectionsFor } from './database/connection-options.js';
import {
  DATA_FOLDER,
  type EmbeddedServer,
  startEmbeddedServer,
} from './database/embedded/embedded-server.js';
import { migrate } from './database/migrate.js';
import { warnOfFewConnections } from './database/warn-of-few-connections.js';
import { LoadShedder } from './http/load-shedding.js';
import { LiveCounters } from './navigation/live/live-counters.js';
import { makeLogger } from './operations/logger.js';
import { listenForWorkers } from './operations/metrics-server.js';
import { closeServer } from './http/close-server.js';
import { listenForPlainHttp } from './http/plain-http.js';
import { startupBanner } from './operations/startup-banner.js';
import { explainStartupError } from './startup-errors.js';
import { reportServing, Workers, WorkersFailed } from './cluster.js';

/**
 * When the process exits at the latest, in milliseconds after the drain (DRAIN_SECONDS): a second more than requests
 * may take.
 */
const STOP_TIMEOUT = 8_000;

type EndSignal = 'SIGINT' | 'SIGTERM';

/** The running parts, in the order of their shutdown. */
interface Running {
  app?: NestExpressApplication;
  /** Plain HTTP beside the HTTPS of `app`. */
  plainHttp?: Server;
  workers?: Workers;
  /** A promise, so that a signal during the start waits for the database that it must stop. */
  database?: Promise<EmbeddedServer>;
  /** How long the server drains after SIGTERM, in milliseconds; zero before it serves. */
  drainTime?: number;
  stopping?: boolean;
  /** Aborts with SIGINT, because a person waits after Ctrl-C. */
  urgency: AbortController;
}

/**
 * Starts the server, or reports in one message why it cannot and exits with 1. With WEB_CONCURRENCY the
 * first process prepares the database and starts worker processes, which serve.
 */
export async function startServer(): Promise<void> {
  // The heap may at most double before a collection (docs/decisions/0009).
  setFlagsFromString('--heap-growing-percent=100');
  const running: Running = { urgency: new AbortController() };
  stopOnSignals(running);
  // A closed standard error is no reason to stop.
  process.stderr.on('error', () => undefined);
  try {
    if (cluster.isWorker) reportServing(await serve(loadConfig(), running));
    else await start(running);
  } catch (error) {
    // A signal during the start makes it fail, which is not an error to report.
    if (running.stopping) return;
    if (!(error instanceof WorkersFailed)) process.stderr.write(`${explainStartupError(error)}\n`);
    fail(running);
  }
}

async function start(running: Running): Promise<void> {
  const config = await withDatabase(loadConfig(), running);
  await migrate(config, { migrations, functions, demonstration: demoMigrations }, () =>
    setFirstSysadminPassword(config),
  );
  await warnOfFewConnections(config, makeLogger(config.env.LOG_LEVEL));
  const serveSomehow = config.env.WEB_CONCURRENCY > 1 ? serveByWorkers : serve;
  const urls = await serveSomehow(config, running);
  const logins = config.env.DEMO_DATA ? await demonstrationLogins(config) : [];
  process.stderr.write(startupBanner(config, { urls, logins }));
}

/** @returns the addresses at which it listens */
async function serve(config: Config, running: Running): Promise<string[]> {
  const app = await createApp(config);
  running.app = app;
  running.drainTime = config.env.DRAIN_SECONDS * 1000;
  await prepareDummyHash();
  const { HOST, PORT, HTTP_PORT } = config.env;
  await app.listen(PORT, HOST);
  await app.get(PasswordSignIn).warnWithoutProvider();
  const url = await app.getUrl();
  if (HTTP_PORT === undefined) return [url];
  running.plainHttp = await listenForPlainHttp(app.getHttpServer(), HTTP_PORT, HOST);
  const { port } = running.plainHttp.address() as AddressInfo;
  return [url, url.replace('https:', 'http:').replace(/\d+$/, String(port))];
}

/** @returns the addresses at which they listen */
async function serveByWorkers(config: Config, running: Running): Promise<string[]> {
  const { WEB_CONCURRENCY, METRICS_PORT, TLS_CERT_FILE, LOG_LEVEL } = config.env;
  if (METRICS_PORT !== undefined) await listenForWorkers(config);
  const workers = new Workers(config.variablesOfWorkers, makeLogger(LOG_LEVEL), () =>
    fail(running),
  );
  running.workers = workers;
  running.drainTime = config.env.DRAIN_SECONDS * 1000;
  if (TLS_CERT_FILE !== undefined) process.on('SIGHUP', () => workers.signal('SIGHUP'));
  return workers.start(WEB_CONCURRENCY);
}

async function withDatabase(config: Config, running: Running): Promise<Config> {
  if (config.database) return config;
  running.database = startEmbeddedServer({
    folder: join(process.cwd(), DATA_FOLDER),
    settings: { max_connections: String(connectionsFor(config.env.WEB_CONCURRENCY)) },
  });
  return config.withDatabase((await running.database).connection);
}

/**
 * Drains the server: it reports that it is not ready, answers pending requests, then stops; the database stops last.
 */
async function stop(
  { app, plainHttp, workers, database, drainTime = 0, urgency }: Running,
  signal: EndSignal,
): Promise<void> {
  if (app) {
    const server = app.getHttpServer();
    // The clients of the streams then reconnect to another server at once.
    app.get(LiveCounters).stop();
    await app.get(LoadShedder).drain(server, drainTime, urgency.signal);
    await closeServer(server, plainHttp, urgency.signal);
    await app.close();
  }
  await workers?.stop(signal);
  const started = await database?.catch(() => undefined);
  await started?.stop();
}

/** Stops every running part in bounded time, then exits. */
function end(running: Running, signal: EndSignal, code: number): void {
  running.stopping = true;
  setTimeout(() => process.exit(1), STOP_TIMEOUT + (running.drainTime ?? 0)).unref();
  stop(running, signal).then(
    () => process.exit(code),
    () => process.exit(1),
  );
}

function fail(running: Running): void {
  running.urgency.abort();
  end(running, 'SIGINT', 1);
}

/** A second SIGTERM has no effect; SIGINT ends the drain. Ctrl-C reaches workers both directly and through the first process. */
function stopOnSignals(running: Running): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (signal === 'SIGINT') running.urgency.abort();
      if (running.stopping) running.workers?.signal(signal);
      else end(running, signal, 0);
    });
}
