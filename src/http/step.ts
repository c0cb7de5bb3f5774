import type { IncomingMessage, Server, ServerResponse } from 'node:http';

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
