import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** An answer of which nothing went out for so long (milliseconds) is not read. */
const SILENCE_TIMEOUT = 10_000;

/** What a request passes before it reaches the framework: answers it, or lets it go on. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Puts steps in front of the framework: what they refuse costs a tenth of what it would cost inside,
 * so that saying no leaves time for what was let in (decisions 0009).
 */
export function passFirst(server: Server, steps: Step[]): void {
  const framework = server.listeners('request') as ((...sent: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const go = (at: number): void => {
      const step = steps[at];
      if (step) step(request, response, () => go(at + 1));
      else for (const listener of framework) listener.call(server, request, response);
    };
    go(0);
  });
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
