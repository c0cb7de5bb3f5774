import { stateOf } from './request-state.js';
import { routeFacts } from './route-facts.js';
import type { Step } from './step.js';

/** Looks up the route facts of a request, before any step sends an error or changes the URL. */
export const findRouteFacts =
  (basePath: string): Step =>
  (request, _response, next) => {
    stateOf(request).facts = routeFacts(request.method!, request.url!, basePath);
    next();
  };
