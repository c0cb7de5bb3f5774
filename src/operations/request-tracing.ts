import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Tracing } from '../http/tracing/tracing.js';
import { methodOf, requestRoute } from '../http/request-route.js';
import { stateOf } from '../http/request-state.js';
import { onceAnswered } from '../http/streaming.js';

/** Traces each request from its arrival to the end of its answer, where tracing is configured. */
@Injectable()
export class RequestTracing {
  constructor(private readonly tracing: Tracing) {}

  /** Begins the trace, before any handler may answer. */
  readonly begin = (request: Request, response: Response, next: NextFunction): void => {
    const trace = this.tracing.begin(request.headers);
    if (!trace) return next();
    stateOf(request).trace = trace;
    onceAnswered(response, 'close', () =>
      trace.end({
        method: methodOf(request),
        route: requestRoute(request),
        status: response.statusCode,
        requestId: String(response.getHeader('X-Request-Id')),
      }),
    );
    next();
  };

  /**
   * Runs the rest of the request in its trace. It is installed after the body parser, whose socket events would leave
   * the trace.
   */
  readonly enter = (request: Request, _response: Response, next: NextFunction): void => {
    const { trace } = stateOf(request);
    if (trace) trace.run(next);
    else next();
  };
}
