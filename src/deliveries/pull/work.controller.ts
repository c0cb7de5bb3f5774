import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { conflict, invalidField } from '../../base/errors/api-errors.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { Access, type AccessRule } from '../../security/access.guard.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import type { AuditContext } from '../../security/audit.service.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { RequirePermission } from '../../security/permission.guard.js';
import { asReason } from '../events/confirmations.js';
import { longCall } from './long-call.js';
import { ExtendDto, FailDto, FetchDto, RefuseDto, WorkDto } from '../endpoints/endpoint.dto.js';
import { FETCHED, WORK_RESULTS } from '../endpoints/endpoint.schemas.js';
import type { TaskEvent } from '../events/event.js';
import { WorkQueue } from './work-queue.service.js';
import { reason as because } from '../../base/errors/reason.js';

const isTheirs: AccessRule<WorkController> = ({ queue }, caller, { id }) => queue.find(caller, id!);

/** A result for each delivery of a request. */
interface WorkResults {
  results: { id: string; done: boolean }[];
}

/** The calls of workers about deliveries (docs/api-contract.md#fetching-deliveries). */
@Controller('api/v2/process/endpoints/:id')
@RequirePermission('endpoints:work')
export class WorkController {
  constructor(readonly queue: WorkQueue) {}

  @ApiOperation({
    operationId: 'fetchDeliveries',
    tag: 'Endpoints',
    summary:
      'Lease deliveries of an endpoint of the mode pull, and wait for them if there are none',
    answer: FETCHED,
  })
  @Post('fetch')
  @Access(isTheirs)
  @HttpCode(200)
  async fetch(
    @CurrentCaller() caller: Caller,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, limit, lease, wait }: FetchDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{
    deliveries: { id: string; retries: number; leasedUntil: string; event: TaskEvent }[];
  }> {
    const queue = await this.queue.find(caller, endpoint);
    const order = {
      worker,
      limit,
      leases: new Map([[queue.id, lease]]),
      wait: wait * 1000,
    };
    const call = longCall(request, response, order.wait);
    const leased = await this.queue.fetch(caller, [queue], order, call);
    return {
      deliveries: leased.map(({ id, retries, leasedUntil, event }) => ({
        id,
        retries,
        leasedUntil,
        event,
      })),
    };
  }

  @ApiOperation({
    operationId: 'completeDeliveries',
    tag: 'Endpoints',
    summary: 'Say that leased deliveries are done',
    answer: WORK_RESULTS,
  })
  @Post('complete')
  @Access(isTheirs)
  @HttpCode(200)
  async complete(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, deliveries }: WorkDto,
  ): Promise<WorkResults> {
    const queue = await this.queue.find(caller, endpoint);
    const done = await this.queue.complete(queue, worker, deliveries, auditContext);
    return resultsOf(deliveries, done);
  }

  @ApiOperation({
    operationId: 'refuseDeliveries',
    tag: 'Endpoints',
    summary: 'Refuse the decisions that leased deliveries tell: their tasks are open again',
    answer: WORK_RESULTS,
    errors: [409],
  })
  @Post('refuse')
  @Access(isTheirs)
  @HttpCode(200)
  async refuse(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, deliveries, reason }: RefuseDto,
  ): Promise<WorkResults> {
    const queue = await this.queue.find(caller, endpoint);
    const awaited = await this.queue.awaited(queue, deliveries);
    if (awaited.length === 0 && !queue.confirms) throw conflict(because('not-confirming'));
    const why = asReason(reason);
    if (why === '') throw invalidField('reason', because('blank'));
    const done = await this.queue.refuse(queue, worker, awaited, why, auditContext);
    return resultsOf(deliveries, done);
  }

  @ApiOperation({
    operationId: 'failDeliveries',
    tag: 'Endpoints',
    summary: 'Say that leased deliveries failed; they are offered again while retries are left',
    answer: WORK_RESULTS,
  })
  @Post('fail')
  @Access(isTheirs)
  @HttpCode(200)
  async fail(
    @CurrentCaller() caller: Caller,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, deliveries, retries, delay, message }: FailDto,
  ): Promise<WorkResults> {
    const { id } = await this.queue.find(caller, endpoint);
    const failure = { retries, delay, message };
    return resultsOf(deliveries, await this.queue.fail(id, worker, deliveries, failure));
  }

  @ApiOperation({
    operationId: 'extendDeliveries',
    tag: 'Endpoints',
    summary: 'Extend the lease of deliveries',
    answer: WORK_RESULTS,
  })
  @Post('extend')
  @Access(isTheirs)
  @HttpCode(200)
  async extend(
    @CurrentCaller() caller: Caller,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, deliveries, lease }: ExtendDto,
  ): Promise<WorkResults> {
    const { id } = await this.queue.find(caller, endpoint);
    return resultsOf(deliveries, await this.queue.extend(id, worker, deliveries, lease));
  }

  @ApiOperation({
    operationId: 'unlockDeliveries',
    tag: 'Endpoints',
    summary: 'Give leased deliveries back',
    answer: WORK_RESULTS,
  })
  @Post('unlock')
  @Access(isTheirs)
  @HttpCode(200)
  async unlock(
    @CurrentCaller() caller: Caller,
    @Param('id') endpoint: string,
    @Body(FixedBodyPipe) { worker, deliveries }: WorkDto,
  ): Promise<WorkResults> {
    const { id } = await this.queue.find(caller, endpoint);
    return resultsOf(deliveries, await this.queue.unlock(id, worker, deliveries));
  }
}

const resultsOf = (ids: string[], done: Set<string>): WorkResults => ({
  results: ids.map((id) => ({ id, done: done.has(id) })),
});
