import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { AppModule } from './app.module.js';
import type { Config } from './base/config/config.js';
import { renewCertificate } from './http/certificate-renewal.js';
import { ExpressJsonAdapter } from './http/express-adapter.js';
import { httpsOptions } from './http/https-options.js';
import { compose, runBeforeExpress } from './http/step.js';
import { makeLogger, NestLogger } from './operations/logger.js';
import { MetricsServer } from './operations/metrics-server.js';
import { makeHandlers } from './request-pipeline.js';

/** Time-outs after which the server disconnects slow clients, in milliseconds. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 10_000;
const KEEP_ALIVE_TIMEOUT = 65_000;
/** How often Node checks these; with its default a time-out of 5 seconds can take 35. */
const CHECKING_INTERVAL = 1_000;

/**
 * Creates the whole server, ready to listen, for `main.ts` and the tests.
 * @param features modules in addition to those of AppModule
 */
export async function createApp(
  config: Config,
  features: Type[] = [],
): Promise<NestExpressApplication> {
  const logger = makeLogger(config.env.LOG_LEVEL);
  const https = httpsOptions(config.env);
  const encryption = https ? { httpsOptions: https } : {};
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, features),
    new ExpressJsonAdapter(makeExpress()),
    { bodyParser: false, abortOnError: false, logger: new NestLogger(logger), ...encryption },
  );
  const { env } = config;
  if (env.METRICS_PORT !== undefined) await app.get(MetricsServer).start();
  const server = app.getHttpServer();
  const handlers = makeHandlers({ app, env, logger, server });
  runBeforeExpress(server, handlers.beforeExpress);
  // One router layer for all handlers: each further layer would match the path again.
  app.use(compose(handlers.express));
  setLimits(server);
  for (const { handle } of handlers.connection) handle();
  if (server instanceof HttpsServer) renewCertificate(server, env, logger);
  return app;
}

/** Creates Express with its settings, which its router reads only once, before Nest creates that router. */
function makeExpress(): Express {
  return express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false)
    .enable('case sensitive routing');
}

function setLimits(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  Object.assign(server, { connectionsCheckingInterval: CHECKING_INTERVAL });
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
}
