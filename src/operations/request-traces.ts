import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type RequestTrace, Tracing } from '../tracing/tracing.js';
import { methodOf, requestRoute } from '../http/request-route.js';

/** The trace of each request, from its arrival to the end of its answer. */
@Injectable()
export class RequestTraces {
  private readonly traces = new WeakMap<Request, RequestTrace>();

  constructor(private readonly tracing: Tracing) {}

  /** Express middleware before everything that may answer. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const trace = this.tracing.begin(request.headers);
    if (!trace) return next();
    this.traces.set(request, trace);
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
    const trace = this.traces.get(request);
    if (trace) trace.run(next);
    else next();
  };
}
