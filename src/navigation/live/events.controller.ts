import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { forbidden } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { AnyParameters, Produces } from '../../http/request-format.guard.js';
import { stateOf } from '../../http/request-state.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { text } from '../../resources/openapi/schemas.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { LiveCounters } from './live-counters.js';

const EVENT_STREAM = 'text/event-stream';

/** Live counters of the caller (docs/api-contract.md#live-counters). */
@Controller('navigation/workplace/events')
@AnyParameters()
export class EventsController {
  constructor(private readonly counters: LiveCounters) {}

  @ApiOperation({
    operationId: 'streamCounters',
    tag: 'Navigation',
    summary: 'Get the counters of the caller, and each change of them, as server-sent events',
    answer: text,
    answerType: EVENT_STREAM,
  })
  @Get()
  @Produces(EVENT_STREAM)
  events(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    // All streams of a person have the same numbers.
    if (caller.rights.limit !== null) throw forbidden(reason('limited-rights'));
    response.setHeader('Content-Type', EVENT_STREAM);
    // Proxies must not compress or buffer it.
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    if (request.method === 'HEAD') response.end();
    else this.counters.open(response, caller, stateOf(request).allowedAddress ?? '');
  }
}
