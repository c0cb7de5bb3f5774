import type { Step } from './step.js';

/**
 * Takes a POST with `X-HTTP-Method-Override: PATCH` for a PATCH, before anything looks at the method: Java's own client
 * cannot send PATCH (docs/api-contract.md#json-patch). It allows no other method.
 */
export const overrideMethod: Step = (request, _response, next) => {
  if (request.method === 'POST' && request.headers['x-http-method-override'] === 'PATCH')
    request.method = 'PATCH';
  next();
};
