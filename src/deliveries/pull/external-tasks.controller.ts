import { Body, Controller, HttpCode, Param, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { invalid, type InvalidField, notFound, conflict } from '../../base/errors/api-errors.js';
import { AnyAccept, AnyParameters } from '../../http/request-format.guard.js';
import { JSON_TYPE } from '../../http/route-facts.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import type { AuditContext } from '../../security/audit.service.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { RequirePermission } from '../../security/permission.guard.js';
import { asReason } from '../events/confirmations.js';
import { longCall } from './long-call.js';
import { EXTERNAL_TASK_BODY, EXTERNAL_TASKS } from '../endpoints/endpoint.schemas.js';
import { presentExternalTask } from './external-task.js';
import { type Queue, WorkQueue } from './work-queue.service.js';
import { reason } from '../../base/errors/reason.js';

/** Most deliveries of one call, most topics, and the longest lock and wait, in milliseconds. */
const MAX_TASKS = 1_000;
const MAX_TOPICS = 50;
const MAX_LOCK = 3_600_000;
const MAX_WAIT = 30_000;

/** Longest wait before a failed delivery is offered again, in milliseconds. */
const MAX_RETRY_TIMEOUT = 30 * 86_400_000;

/** A body of a client of Camunda 7. The server ignores unknown attributes. */
type Given = Record<string, unknown>;

/**
 * The deliveries of endpoints in the form of Camunda 7's external tasks, for its clients: a topic is the reference of an
 * endpoint (docs/api-contract.md#external-tasks).
 */
@Controller('engine-rest/external-task')
@RequirePermission('endpoints:work')
@AnyParameters()
@AnyAccept()
export class ExternalTasksController {
  constructor(private readonly queue: WorkQueue) {}

  @ApiOperation({
    operationId: 'fetchAndLockExternalTasks',
    tag: 'External tasks',
    summary: 'Lease deliveries as external tasks of Camunda 7',
    body: EXTERNAL_TASK_BODY,
    answer: EXTERNAL_TASKS,
    errors: [404],
  })
  @Post('fetchAndLock')
  @HttpCode(200)
  async fetchAndLock(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const given = givenIn(body);
    const fields = new Fields(given);
    const worker = fields.text('workerId');
    const limit = fields.whole('maxTasks', 1, MAX_TASKS, 10);
    const wait = fields.whole('asyncResponseTimeout', 0, Infinity, 0);
    const topics = fields.topics();
    fields.refuse();
    const queues: Queue[] = [];
    const leases = new Map<string, number>();
    for (const { name, lock } of topics) {
      const found = await this.queue.find(caller, name);
      // A topic may come twice; its last lease counts.
      if (!leases.has(found.id)) queues.push(found);
      leases.set(found.id, lock / 1000);
    }
    const order = { worker, limit, leases, wait: Math.min(wait, MAX_WAIT) };
    const call = longCall(request, response, order.wait);
    const leased = await this.queue.fetch(caller, queues, order, call);
    // Its clients read JSON only if the type is exactly this one, without a charset.
    const text = JSON.stringify(leased.map((one) => presentExternalTask(one, worker)));
    return new StreamableFile(Buffer.from(text), { type: JSON_TYPE });
  }

  @ApiOperation({
    operationId: 'completeExternalTask',
    tag: 'External tasks',
    summary: 'Say that a leased delivery is done',
    body: EXTERNAL_TASK_BODY,
  })
  @Post(':id/complete')
  @HttpCode(204)
  async complete(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body() body: unknown,
  ): Promise<void> {
    await this.settle(caller, id, new Fields(givenIn(body)), (queue, worker) =>
      this.queue.complete(queue, worker, [id], auditContext),
    );
  }

  @ApiOperation({
    operationId: 'failExternalTask',
    tag: 'External tasks',
    summary: 'Say that a leased delivery failed',
    body: EXTERNAL_TASK_BODY,
  })
  @Post(':id/failure')
  @HttpCode(204)
  async failure(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @Body() body: unknown,
  ): Promise<void> {
    const fields = new Fields(givenIn(body));
    const retries = fields.has('retries') ? fields.whole('retries', 0, 1_000) : null;
    const delay = fields.whole('retryTimeout', 0, MAX_RETRY_TIMEOUT, 0) / 1000;
    const message = fields.message('errorMessage');
    await this.settle(caller, id, fields, (queue, worker) =>
      this.queue.fail(queue.id, worker, [id], { retries, delay, message }),
    );
  }

  /** A BPMN error refuses the decision where the endpoint confirms; elsewhere the delivery fails for good. */
  @ApiOperation({
    operationId: 'reportBpmnError',
    tag: 'External tasks',
    summary: 'Refuse the decision of a leased delivery, or say that the delivery failed for good',
    body: EXTERNAL_TASK_BODY,
  })
  @Post(':id/bpmnError')
  @HttpCode(204)
  async bpmnError(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body() body: unknown,
  ): Promise<void> {
    const fields = new Fields(givenIn(body));
    const [code, text] = [fields.message('errorCode'), fields.message('errorMessage')];
    const message = ['BPMN error', ...[code, text].filter((part) => part !== null)].join(': ');
    const reason = asReason(text ?? '') || asReason(code ?? '') || 'BPMN error';
    await this.settle(caller, id, fields, async (queue, worker) =>
      (await this.queue.awaited(queue, [id])).length > 0
        ? this.queue.refuse(queue, worker, [id], reason, auditContext)
        : this.queue.fail(queue.id, worker, [id], { retries: 0, delay: 0, message }),
    );
  }

  @ApiOperation({
    operationId: 'lockExternalTask',
    tag: 'External tasks',
    summary: 'Set the lease of a delivery that the worker holds',
    body: EXTERNAL_TASK_BODY,
  })
  @Post(':id/lock')
  @HttpCode(204)
  async lock(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @Body() body: unknown,
  ): Promise<void> {
    await this.extend(caller, id, body, 'lockDuration');
  }

  @ApiOperation({
    operationId: 'extendExternalTaskLock',
    tag: 'External tasks',
    summary: 'Extend the lease of a delivery that the worker holds',
    body: EXTERNAL_TASK_BODY,
  })
  @Post(':id/extendLock')
  @HttpCode(204)
  async extendLock(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @Body() body: unknown,
  ): Promise<void> {
    await this.extend(caller, id, body, 'newDuration');
  }

  /** Clients do not send their worker id here. */
  @ApiOperation({
    operationId: 'unlockExternalTask',
    tag: 'External tasks',
    summary: 'Give a leased delivery back',
  })
  @Post(':id/unlock')
  @HttpCode(204)
  async unlock(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: string): Promise<void> {
    const { queue, worker } = await this.holder(caller, id);
    await this.queue.unlock(queue.id, worker, [id]);
  }

  private async extend(caller: Caller, id: string, body: unknown, name: string): Promise<void> {
    const fields = new Fields(givenIn(body));
    const lease = fields.whole(name, 1, MAX_LOCK) / 1000;
    await this.settle(caller, id, fields, (queue, worker) =>
      this.queue.extend(queue.id, worker, [id], lease),
    );
  }

  /**
   * Changes a delivery for the worker that the fields name.
   * @throws ApiError 400 naming every field that is invalid; 404 for a delivery that is not leased, or that the caller
   * may not lease; 409 when another worker holds it
   */
  private async settle(
    caller: Caller,
    id: string,
    fields: Fields,
    change: (queue: Queue, worker: string) => Promise<Set<string>>,
  ): Promise<void> {
    const worker = fields.text('workerId');
    fields.refuse();
    const { queue } = await this.holder(caller, id);
    const done = await change(queue, worker);
    if (!done.has(id)) throw conflict(reason('leased-by-another', { id }));
  }

  private async holder(caller: Caller, id: string): Promise<{ queue: Queue; worker: string }> {
    const holder = await this.queue.holderOf(id);
    if (!holder) throw notFound();
    const queue = await this.queue.find(caller, holder.endpointId);
    return { queue, worker: holder.worker };
  }
}

const givenIn = (body: unknown): Given =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Given) : {};

/** Reads the fields of a body, and reports all invalid ones at once. */
class Fields {
  private readonly bad: InvalidField[] = [];

  constructor(private readonly given: Given) {}

  has(name: string): boolean {
    return this.given[name] !== undefined && this.given[name] !== null;
  }

  text(name: string): string {
    const value = this.given[name];
    if (typeof value === 'string' && value.trim() !== '' && value.length <= 200) return value;
    this.bad.push({ name, reason: reason('bad-length', { least: 1, most: 200 }) });
    return '';
  }

  /** @param usual the default; undefined for a required field */
  whole(name: string, least: number, most: number, usual?: number): number {
    const value = this.given[name];
    if (!this.has(name) && usual !== undefined) return usual;
    const isWhole = Number.isInteger(value) && (value as number) >= least;
    if (isWhole && (value as number) <= most) return value as number;
    this.bad.push({
      name,
      reason:
        most === Infinity
          ? reason('too-small', { least })
          : reason('out-of-range', { least, most }),
    });
    return 0;
  }

  /** A text for people; anything else is none. */
  message(name: string): string | null {
    const value = this.given[name];
    return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 1_000) : null;
  }

  topics(): { name: string; lock: number }[] {
    const { topics } = this.given;
    if (!Array.isArray(topics) || topics.length === 0 || topics.length > MAX_TOPICS) {
      this.bad.push({
        name: 'topics',
        reason: reason('bad-item-count', { max: MAX_TOPICS, noun: 'topics' }),
      });
      return [];
    }
    return topics.map((topic) => {
      const fields = new Fields(givenIn(topic));
      const name = fields.text('topicName');
      const lock = fields.whole('lockDuration', 1, MAX_LOCK);
      this.bad.push(...fields.bad);
      return { name, lock };
    });
  }

  /** @throws ApiError 400 naming every field that is invalid */
  refuse(): void {
    if (this.bad.length > 0) throw invalid(this.bad);
  }
}
