import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** An answer of which nothing went out for so long (milliseconds) is not read. */
const SILENCE_TIMEOUT = 10_000;

/** Answers a request, or lets it go on. */
export type Handler<In, Out> = (
  request: In,
  response: Out,
  next: (error?: unknown) => void,
) => void;

/** What a request passes before it reaches the framework. */
export type Step = Handler<IncomingMessage, ServerResponse>;

/** One handler of several, each of which lets the next begin. */
export function inTurn<In, Out>(steps: Handler<In, Out>[]): Handler<In, Out> {
  return (request, response, next) => {
    const go = (at: number, error?: unknown): void => {
      const step = steps[at];
      if (error !== undefined || !step) next(error);
      else step(request, response, (failure) => go(at + 1, failure));
    };
    go(0);
  };
}

/**
 * Puts steps in front of the framework: what they refuse costs a tenth of what it would cost inside,
 * so that saying no leaves time for what was let in (decisions 0009).
 */
export function passFirst(server: Server, steps: Step[]): void {
  const [framework] = server.listeners('request') as RequestListener[];
  const first = inTurn(steps);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    first(request, response, () => framework!(request, response)),
  );
}

/**
 * Requests that a client sends without awaiting answers (RFC 9112 section 9.3.2) begin one after the
 * other: all at once, those of one connection would take the places of everybody else. A response has
 * its socket from when those before it are sent.
 */
export const awaitTurn: Step = (_request, response, next) => {
  if (response.socket) next();
  else response.once('socket', () => process.nextTick(next));
};

/** Nothing may be kept or guessed at unless a route says otherwise. */
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

/** Only from when the answer is made: working on it may take longer than reading may pause. */
export const letSlowReadersGo: Step = (_request, response, next) => {
  response.once('prefinish', () => response.socket?.setTimeout(SILENCE_TIMEOUT));
  next();
};
