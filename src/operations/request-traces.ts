import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Tracing } from '../tracing/tracing.js';
import { methodOf, requestRoute } from '../http/request-route.js';
import { stateOf } from '../http/request-state.js';

/** The trace of each request, from its arrival to the end of its answer. */
@Injectable()
export class RequestTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Express middleware before everything that may answer. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const trace = this.tracing.begin(request.headers);
    if (!trace) return next();
    stateOf(request).trace = trace;
    response.once('close', () =>
      trace.end({
        method: methodOf(request),
        route: requestRoute(request),
        status: response.statusCode,
        requestId: String(response.getHeader('X-Request-Id')),
      }),
    );
    next();
  };

  /** Express middleware behind the reading of bodies, whose events belong to no request. */
  readonly enter = (request: Request, _response: Response, next: NextFunction): void => {
    const { trace } = stateOf(request);
    if (trace) trace.run(next);
    else next();
  };
}
