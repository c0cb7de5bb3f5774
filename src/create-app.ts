import { Server as HttpsServer } from 'node:https';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { AppModule } from './app.module.js';
import { presentedToken } from './auth/presented-token.js';
import type { Config, Environment } from './config/config.js';
import { TokensService } from './credentials/tokens.service.js';
import { sendError, noteSearches } from './errors/send-error.js';
import { invalidField, notFound } from './errors/api-errors.js';
import { readBody } from './http/body-parser.js';
import { answerPreflight, shareWith } from './http/cors.js';
import { ExpressJsonAdapter } from './http/express-adapter.js';
import { answerClientErrors } from './http/client-errors.js';
import { checkHead } from './http/request-head.js';
import { LoadShedder } from './http/load-shedding.js';
import { httpsOptions, renewCertificate, strictTransport } from './http/tls.js';
import {
  serializePipelined,
  compose,
  closeStalledReaders,
  runBeforeExpress,
  securityHeaders,
  type Step,
} from './http/pre-framework.js';
import { makeLogger, NestLogger } from './operations/logger.js';
import { Metrics } from './operations/metrics.js';
import { MetricsServer } from './operations/metrics-server.js';
import { recognizePlainHttp, refuseMisdirected } from './http/plain-http.js';
import { RequestTraces } from './operations/request-traces.js';
import { requestLog } from './http/request-log.js';
import { Pages } from './pages/pages.js';
import { PROBES } from './http/route-facts.js';
import { IpAllowlist } from './security/ip-allowlist.js';
import { DeniedAccessAudit } from './security/denied-access-audit.js';

/** Slow clients are let go; in milliseconds. */
const HEADERS_TIMEOUT = 5_000;
const REQUEST_TIMEOUT = 10_000;
const KEEP_ALIVE_TIMEOUT = 65_000;
/** How often these are looked at; by default a timeout of 5 seconds can take 35. */
const CHECKING_INTERVAL = 1_000;

/**
 * The whole server, ready to listen: what main and the tests share.
 * @param features modules beside the shipped ones
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
  const admission = app.get(LoadShedder);
  const isTraced = config.env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const isMeasured = config.env.METRICS_PORT !== undefined;
  const traces = app.get(RequestTraces);
  const tokens = app.get(TokensService);
  const isSignedIn = async (request: Request): Promise<boolean> => {
    const token = presentedToken(request);
    return token !== undefined && (await tokens.find(token)) !== undefined;
  };
  if (isMeasured) await app.get(MetricsServer).start();
  const { BASE_PATH, CORS_ORIGINS } = config.env;
  runBeforeExpress(app.getHttpServer(), [
    noteSearches(BASE_PATH),
    serializePipelined,
    ...(isMeasured ? [app.get(Metrics).watch] : []),
    securityHeaders,
    shareWith(CORS_ORIGINS),
    ...(https ? stepsOfHttps(config.env) : []),
    answerPreflight,
    closeStalledReaders,
    admission.shed,
  ]);
  // One layer of the router for all of them: each layer matches the path anew.
  app.use(
    compose<Request, Response>([
      ...(isTraced ? [traces.watch] : []),
      requestLog(logger),
      checkHead,
      stripBasePath(BASE_PATH),
      refuseOtherHosts(config.env),
      app.get(DeniedAccessAudit).watch,
      app.get(IpAllowlist).handle,
      app.get(Pages).handle,
      readBody(isSignedIn),
      admission.admit,
      ...(isTraced ? [traces.enter] : []),
    ]),
  );
  setLimits(app);
  const server = app.getHttpServer();
  answerClientErrors(server, { basePath: BASE_PATH, origins: CORS_ORIGINS });
  if (server instanceof HttpsServer) {
    renewCertificate(server, config.env, logger);
    recognizePlainHttp(server);
  }
  return app;
}

/** With plain HTTP beside it, browsers may come either way. */
const stepsOfHttps = ({ HTTP_PORT }: Environment): Step[] => [
  refuseMisdirected,
  ...(HTTP_PORT === undefined ? [strictTransport] : []),
];

/** Set before the framework makes the router, which reads its settings once. */
function makeExpress(): Express {
  return express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false)
    .enable('case sensitive routing');
}

/**
 * With PUBLIC_URL, only its host is answered: a page of another name that was made to lead here
 * (DNS rebinding) would otherwise call from inside the address rule. Probes ask by any name. Plain HTTP
 * beside HTTPS has another port, so there the name alone counts.
 */
function refuseOtherHosts({ PUBLIC_URL, HTTP_PORT }: Environment) {
  const url = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!url || PROBES.has(request.path)) return next();
    const part = HTTP_PORT !== undefined && request.protocol === 'http' ? 'hostname' : 'host';
    const asked = hostOf(url.protocol, request.headers.host ?? '', part);
    if (asked === hostOf(url.protocol, url.host, part)) return next();
    sendError(response, invalidField('Host', `must be ${url[part]}`));
  };
}

/** A host as it compares (RFC 9110 section 4.2.3): without case, the scheme's own port and a final dot. */
function hostOf(protocol: string, host: string, part: 'host' | 'hostname'): string | undefined {
  const address = `${protocol}//${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(address)) return undefined;
  return new URL(address)[part].replace(/\.(?=:|$)/, '');
}

/** From here on all paths are relative to the base path; others do not exist. */
function stripBasePath(basePath: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (basePath === '') return next();
    const rest = request.url.startsWith(basePath) ? request.url.slice(basePath.length) : undefined;
    if (rest === undefined || !/^([/?]|$)/.test(rest)) return sendError(response, notFound());
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}

function setLimits(app: NestExpressApplication): void {
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  Object.assign(server, { connectionsCheckingInterval: CHECKING_INTERVAL });
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
}
