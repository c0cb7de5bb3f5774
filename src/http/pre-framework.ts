import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ByteBudget } from './byte-budget.js';
import { stateOf } from './request-state.js';
import { routeFacts } from './route-facts.js';

/** How long a client may pause while it reads an answer, and how long reading may take (milliseconds). */
const SILENCE_TIMEOUT = 10_000;
const SENDING_TIMEOUT = 60_000;

/** Most bytes of unsent answers in this process; each takes several times its size until it is sent. */
const MAX_UNSENT_BYTES = 32 * 2 ** 20;
const unsent = new ByteBudget(MAX_UNSENT_BYTES);

/** Answers a request, or passes it on. */
export type Handler<In, Out> = (
  request: In,
  response: Out,
  next: (error?: unknown) => void,
) => void;

/** A handler that a request passes before it reaches Express. */
export type Step = Handler<IncomingMessage, ServerResponse>;

/** A handler under the name that the pipeline gives it. */
export interface Named<H> {
  name: string;
  handle: H;
}

/** One handler composed of several, each of which passes the request to the next; `steps` lists them. */
export interface Composed<In, Out> extends Handler<In, Out> {
  steps: Named<Handler<In, Out>>[];
}

/** Composes handlers into one that runs them in order and stops at the first error. */
export function compose<In, Out>(steps: Named<Handler<In, Out>>[]): Composed<In, Out> {
  const handler: Handler<In, Out> = (request, response, next) => {
    const go = (at: number, error?: unknown): void => {
      const step = steps[at];
      if (error !== undefined || !step) next(error);
      else step.handle(request, response, (failure) => go(at + 1, failure));
    };
    go(0);
  };
  return Object.assign(handler, { steps });
}

/**
 * Puts steps in front of Express. An error that they send costs a tenth of one sent inside Express, which
 * leaves processor time for the requests that pass (docs/decisions/0009).
 */
export function runBeforeExpress(server: Server, steps: Named<Step>[]): void {
  const [express] = server.listeners('request') as Step[];
  server.removeAllListeners('request');
  server.on('request', compose([...steps, { name: 'Express', handle: express! }]));
}

/** Looks up the route facts of a request, before any step sends an error or changes the URL. */
export const findRouteFacts =
  (basePath: string): Step =>
  (request, _response, next) => {
    stateOf(request).facts = routeFacts(request.method!, request.url!, basePath);
    next();
  };

/**
 * Starts pipelined requests (RFC 9112 section 9.3.2) one after another: if all of them started together,
 * one connection could take every slot of the limiter. Node gives a response its socket once the responses
 * before it are sent.
 */
export const serializePipelined: Step = (_request, response, next) => {
  if (response.socket) next();
  else response.once('socket', () => process.nextTick(next));
};

/** Forbids caching, MIME sniffing, framing and scripts, unless a route sets other headers. */
export const securityHeaders: Step = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('Cross-Origin-Resource-Policy', 'same-site');
  next();
};

/**
 * Closes connections whose client reads slowly: after a pause, when reading an answer takes too long, and,
 * when the memory for unsent answers is used up, the connection that has been reading for longest. The
 * time-outs start once the answer is made, because making it may take longer than a client may pause.
 */
export const closeStalledReaders: Step = (_request, response, next) => {
  response.once('prefinish', () => limitSending(response));
  next();
};

function limitSending(response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  socket.setTimeout(SILENCE_TIMEOUT);
  if (socket.writableLength === 0) return;
  const close = (): void => void socket.destroy();
  const holding = unsent.take(socket.writableLength, close);
  const deadline = setTimeout(close, SENDING_TIMEOUT).unref();
  response.once('close', () => {
    clearTimeout(deadline);
    holding?.release();
  });
}
