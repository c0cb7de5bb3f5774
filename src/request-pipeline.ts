import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { CanActivate, INestApplicationContext, Provider, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { TokenGuard } from './auth/token.guard.js';
import type { Environment } from './base/config/config.js';
import { stripBasePath } from './http/base-path.js';
import { readBody } from './http/body-parser.js';
import { answerClientErrors } from './http/client-errors.js';
import { mostConnections } from './http/connection-limit.js';
import { readConnections } from './http/connection-reader.js';
import { answerPreflight, shareWith } from './http/cors.js';
import { ErrorFilter } from './http/error.filter.js';
import { findRouteFacts } from './http/find-route-facts.js';
import { LoadShedder } from './http/load-shedding.js';
import { requireOwnHost } from './http/own-host.js';
import { overrideMethod } from './http/method-override.js';
import { serializePipelined } from './http/pipelined-requests.js';
import { RequestFormatGuard } from './http/request-format.guard.js';
import { checkHead } from './http/request-head.js';
import { requestLog } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { closeStalledReaders } from './http/stalled-readers.js';
import type { Handler, Named, Step } from './http/step.js';
import { strictTransport } from './http/strict-transport.js';
import { Metrics } from './operations/metrics.js';
import { RequestTracing } from './operations/request-tracing.js';
import { Pages } from './operations/pages/pages.js';
import { TaskPush } from './process/push/push.service.js';
import { AccessGuard } from './security/access.guard.js';
import { CallLimitGuard } from './security/call-limit.guard.js';
import { DeniedAccessAudit } from './security/denied-access-audit.js';
import { IpAllowlistGuard } from './security/ip-allowlist.guard.js';
import { PermissionGuard } from './security/permission.guard.js';
import { WriteLimitGuard } from './security/write-limit.guard.js';

/** One station that requests pass. */
interface Station<Stage extends string, Name extends string> {
  stage: Stage;
  name: Name;
  /** The statuses with which the station may end a request, by sending or by throwing. */
  answers: readonly number[];
  does: string;
}

const at =
  <Stage extends string>(stage: Stage) =>
  <Name extends string>(name: Name, answers: number[], does: string): Station<Stage, Name> => ({
    stage,
    name,
    answers,
    does,
  });
const connection = at('connection');
const before = at('before Express');
const middleware = at('Express');
const route = at('route');
const guard = <T extends Type<CanActivate>>(type: T, answers: number[], does: string) => ({
  ...at('guard')(type.name, answers, does),
  type,
});

/**
 * Every station that a request passes, in order: its name, the statuses that it may answer, and its task.
 * `create-app.ts` installs this list, and `test/http/request-pipeline.spec.ts` follows requests along it.
 */
export const REQUEST_PIPELINE = [
  connection(
    'connectionReader',
    [],
    'Reads a connection request by request; pauses while one waits.',
  ),
  connection('clientErrors', [400, 408, 431, 501], 'Answers unparsable and incomplete requests.'),

  before('methodOverride', [], 'Takes a POST that asks for it for a PATCH.'),
  before('routeFacts', [], 'Looks up body, error format and limits of the route.'),
  before('pipelining', [], 'Answers the requests of one connection one after another.'),
  before('metrics', [], 'METRICS_PORT: counts and times the request.'),
  before('securityHeaders', [], 'Forbids caching, framing and scripts by default.'),
  before('corsHeaders', [], 'CORS_ORIGINS: lets their pages read the response.'),
  before('strictTransport', [], 'HTTPS without HTTP_PORT: tells browsers to stay with HTTPS.'),
  before('preflight', [204], 'CORS_ORIGINS: answers their preflights.'),
  before('stalledReaders', [], 'Closes a connection whose client stops reading the response.'),
  before('loadShedding', [503], 'Rejects the request while queue and limit of its lane are full.'),

  middleware('traceBegin', [], 'OTEL_EXPORTER_OTLP_ENDPOINT: begins the trace.'),
  middleware('requestLog', [], 'Gives the request its id, and logs it when it ends.'),
  middleware(
    'requestHead',
    [400, 431, 501],
    'Rejects an unknown method, or a head that is too large or ambiguous.',
  ),
  middleware('basePath', [404], 'BASE_PATH: takes it off the URL.'),
  middleware('ownHost', [400], 'PUBLIC_URL: rejects any other host.'),
  middleware('deniedAccessAudit', [], 'Records 401, 403 and 429 in the audit trail.'),
  middleware('ipAllowlist', [403, 503], 'Runs IpAllowlistGuard before the body is read.'),
  middleware('pages', [200, 303, 404, 405], 'Serves the pages for people.'),
  middleware(
    'bodyParser',
    [503],
    'Reads the body; RequestFormatGuard parses it, or throws its error.',
  ),
  middleware('admission', [503], 'Queues the request until the limit of its lane lets it in.'),
  middleware('traceContext', [], 'OTEL_EXPORTER_OTLP_ENDPOINT: adds statements to the trace.'),

  route('router', [400], 'Finds the controller; rejects a path that it cannot decode.'),
  guard(IpAllowlistGuard, [403, 503], 'Is the client’s address on the IP allowlist?'),
  guard(TokenGuard, [401, 503], 'Is there a valid token, or is the route public?'),
  guard(
    CallLimitGuard,
    [429],
    'Has the service account a call left? The allowance refills evenly.',
  ),
  guard(PermissionGuard, [403], 'Has the caller the permission that the route asks for?'),
  guard(WriteLimitGuard, [429], 'Has the caller a write left? The allowance refills evenly.'),
  guard(AccessGuard, [403, 404], 'Does the access rule of the route let the caller through?'),
  guard(RequestFormatGuard, [400, 403, 406, 413, 415], 'Do Accept, query and body suit the route?'),
  route('pipes', [400], 'Parse the parameters of the controller’s method.'),
  route('controller', [], 'Does the work; the API description lists its statuses.'),
  route('reply', [304], 'Sends JSON, or no body where If-None-Match names the ETag.'),
  route('ErrorFilter', [500], 'Sends any thrown error; an unexpected one is a 500.'),
];

type StationsAt<Stage> = Extract<(typeof REQUEST_PIPELINE)[number], { stage: Stage }>['name'];

/** The dependencies of the handlers. */
export interface PipelineContext {
  app: INestApplicationContext;
  env: Environment;
  logger: Logger;
  server: Server;
}

/** Makes the handlers of one stage; `undefined` where the environment switches one off. */
type Handlers<Stage, T> = (context: PipelineContext) => Record<StationsAt<Stage>, T | undefined>;

/** Handlers on the server itself, which see a connection from its first byte. */
const ofConnection: Handlers<'connection', () => void> = ({ server, env }) => ({
  connectionReader: () => readConnections(server, mostConnections()),
  clientErrors: () => answerClientErrors(server, env.CORS_ORIGINS),
});

/** Handlers of Node's own request: an error that they send costs a tenth of one sent inside Express. */
const beforeExpress: Handlers<'before Express', Step> = ({ app, env, server }) => {
  return {
    methodOverride: overrideMethod,
    routeFacts: findRouteFacts(env.BASE_PATH),
    pipelining: serializePipelined,
    metrics: env.METRICS_PORT === undefined ? undefined : app.get(Metrics).watch,
    securityHeaders,
    corsHeaders: shareWith(env.CORS_ORIGINS),
    strictTransport:
      server instanceof HttpsServer && env.HTTP_PORT === undefined ? strictTransport : undefined,
    preflight: answerPreflight,
    stalledReaders: closeStalledReaders,
    loadShedding: app.get(LoadShedder).shed,
  };
};

/** Express middleware. */
const inExpress: Handlers<'Express', Handler<Request, Response>> = ({ app, env, logger }) => {
  const isTraced = env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const tracing = app.get(RequestTracing);
  return {
    traceBegin: isTraced ? tracing.begin : undefined,
    requestLog: requestLog(logger),
    requestHead: checkHead,
    basePath: stripBasePath(env.BASE_PATH),
    ownHost: requireOwnHost(env),
    deniedAccessAudit: app.get(DeniedAccessAudit).watch,
    ipAllowlist: app.get(IpAllowlistGuard).checkEarly,
    pages: app.get(Pages).handle,
    bodyParser: readBody({
      find: (request) => app.get(TokenGuard).find(request),
      mayPush: (caller) => app.get(TaskPush).mayPush(caller),
    }),
    admission: app.get(LoadShedder).admit,
    traceContext: isTraced ? tracing.enter : undefined,
  };
};

/** The enabled handlers of one stage, in the order of the list. */
function handlersAt<T>(stage: string, handlers: Record<string, T | undefined>): Named<T>[] {
  return REQUEST_PIPELINE.filter((station) => station.stage === stage).flatMap(({ name }) => {
    const handle = handlers[name];
    return handle === undefined ? [] : [{ name, handle }];
  });
}

/** The handlers that `create-app.ts` installs, stage by stage. */
export const makeHandlers = (context: PipelineContext) => ({
  connection: handlersAt('connection', ofConnection(context)),
  beforeExpress: handlersAt('before Express', beforeExpress(context)),
  express: handlersAt('Express', inExpress(context)),
});

/** The providers of the global guards and the filter, for `app.module.ts`. */
export const globalProviders: Provider[] = [
  ...REQUEST_PIPELINE.flatMap((station): Provider[] =>
    'type' in station ? [station.type, { provide: APP_GUARD, useExisting: station.type }] : [],
  ),
  { provide: APP_FILTER, useClass: ErrorFilter },
];
