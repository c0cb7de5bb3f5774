import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  conflict,
  invalid,
  type InvalidField,
  missingPermission,
  notFound,
  type PresentedField,
  presentField,
  unavailable,
} from '../../base/errors/api-errors.js';
import type { Reason } from '../../base/errors/reason.js';
import type { ReasonCode } from '../../base/errors/reasons.js';
import { toApiError } from '../../base/errors/to-api-error.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { parsePatch } from '../../base/json-patch/parse-patch.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { INVALID_FIELD, PARAMETERS, REASON_CODE } from '../../resources/openapi/responses.js';
import { atLeast, listOf, orNull, REF, text, textOrNull } from '../../resources/openapi/schemas.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { type Detailed, ResourceReader } from '../../resources/resource-reader.js';
import { idIn } from '../../resources/uri.js';
import { ResourceWriter } from '../../resources/write/resource-writer.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import type { AuditContext } from '../../security/audit.service.js';
import { setWarnings } from '../../resources/http/set-warnings.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { Writes } from '../../security/write-limit.guard.js';
import { type Assigner, Assignments, tasksMatching, tasksOf } from './assignments.service.js';
import {
  BulkActionDto,
  faultsOfBulk,
  MAX_ASSIGNED_TASKS,
  writesOfBulk,
} from './bulk-action.dto.js';
import { TaskClaims } from './claims.service.js';
import { findNewOwner } from './new-owner.js';
import { OPEN, tasks } from './task.resource.js';
import { reasonOfEnd, taskHooks } from './task.rules.js';

/** How long a call continues after the database was too busy for one task, in milliseconds. */
const BUSY_PATIENCE = 5_000;

/** What became of one task (docs/api-contract.md#several-tasks-at-once). */
interface BulkResult {
  /** Its Ref; null for a task that the caller does not see. */
  task: Ref | null;
  /** The name of the task in the request. */
  name: string;
  result: 'done' | 'refused';
  /** Why it was refused. */
  message: string | null;
  reason: ReasonCode | null;
  parameters: Record<string, unknown>;
  fields: PresentedField[];
}

const BULK_RESULT = namedSchema(
  'BulkResult',
  atLeast({
    task: orNull(REF),
    name: text,
    result: { enum: ['done', 'refused'] },
    message: textOrNull,
    reason: orNull(REASON_CODE),
    parameters: PARAMETERS,
    fields: listOf(INVALID_FIELD),
  }),
);

/** Completes only open tasks: one closed in the meantime stays as it is, whatever the caller's rights. */
const hooks: WriteHooks = {
  ...taskHooks,
  beforeWrite: (write) => {
    if (write.before && write.before.status !== OPEN) throw conflict(reasonOfEnd(write.before));
    return taskHooks.beforeWrite(write);
  },
};

/** One action on several tasks, each on its own (docs/api-contract.md#several-tasks-at-once). */
@Controller('api/v2/process/tasks')
export class BulkController {
  constructor(
    private readonly claims: TaskClaims,
    private readonly assignments: Assignments,
    private readonly reader: ResourceReader,
    private readonly writer: ResourceWriter,
  ) {}

  @ApiOperation({
    operationId: 'actOnTasks',
    tag: 'Tasks',
    summary: 'Take, give back, complete or assign several tasks, with a result for each',
    warning: 'more than 1,000 open tasks match the filters: `only the first 1000 tasks`',
    answer: listOf(BULK_RESULT),
  })
  @Post('bulk')
  @Writes(writesOfBulk)
  @HttpCode(200)
  async act(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) action: BulkActionDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkResult[]> {
    const faults = faultsOfBulk(action);
    if (faults.length > 0) throw invalid(faults);
    if (action.action === 'assign') return this.assign({ caller, auditContext }, action, response);
    const results: BulkResult[] = [];
    const deadline = performance.now() + BUSY_PATIENCE;
    let isBusy = false;
    for (const name of action.tasks!) {
      let id: string | undefined;
      try {
        if (isBusy && performance.now() > deadline) throw unavailable();
        id = await this.idOf(caller, name);
        if (id === undefined) throw notFound();
        const done = await this.actOn({ caller, auditContext, id }, action);
        results.push(doneWith(refOf(done), name));
      } catch (error) {
        const { status, reason: why, details } = toApiError(error);
        if (status === 500) throw error;
        isBusy ||= status === 503;
        const task =
          id === undefined || status === 404 || status === 503
            ? null
            : await this.refOf(caller, id);
        results.push(refusedWith(task, name, why, details.fields));
      }
    }
    return results;
  }

  /** Assigns in one transaction, because tasks that others hold would be few. */
  private async assign(
    assigner: Assigner,
    { tasks: names, filters, filterMode, to }: BulkActionDto,
    response: Response,
  ): Promise<BulkResult[]> {
    const { caller } = assigner;
    this.assignments.requireMayAssign(caller);
    const owner = await findNewOwner(to, caller, this.reader.database);
    const wanted: [name: string, id: string | undefined][] = [];
    for (const name of names ?? []) wanted.push([name, await this.idOf(caller, name)]);
    const choice =
      filters === null
        ? tasksOf(wanted.flatMap(([, id]) => id ?? []))
        : tasksMatching(caller, { filters, filterMode });
    const { found, assigned } = await this.assignments.assign(assigner, choice, owner);
    if (filters !== null)
      for (const id of found.slice(0, MAX_ASSIGNED_TASKS)) wanted.push([id, id]);
    if (found.length > MAX_ASSIGNED_TASKS)
      setWarnings(response, [`only the first ${MAX_ASSIGNED_TASKS} tasks`]);
    const results: BulkResult[] = [];
    for (const [name, id] of wanted) {
      const ref = id === undefined ? undefined : assigned.get(id);
      results.push(ref ? doneWith(ref, name) : await this.refusal(caller, name, id));
    }
    return results;
  }

  /** Why a task was not assigned. */
  private async refusal(caller: Caller, name: string, id: string | undefined): Promise<BulkResult> {
    const task = await this.reader.get(tasks, caller, id ?? '').catch(() => undefined);
    if (!task) return refusedWith(null, name, notFound().reason);
    const { representation } = task;
    const why =
      representation.status === OPEN
        ? missingPermission('tasks:change').reason
        : reasonOfEnd(representation);
    return refusedWith(refOf(task), name, why);
  }

  private async idOf(caller: Caller, name: string): Promise<string | undefined> {
    return idIn(name, tasks.ref.uri) ?? (await this.reader.idOfName(tasks, caller, name));
  }

  private async actOn(
    take: { caller: Caller; auditContext: AuditContext; id: string },
    { action, outcome, comment }: BulkActionDto,
  ): Promise<Detailed> {
    if (action === 'claim') return this.claims.claim(take);
    if (action === 'release') return this.claims.release(take);
    const values = { status: 'done', outcome, comment };
    const operations = Object.entries(values).map(([name, value]) => ({
      op: 'replace',
      path: `/${name}`,
      value,
    }));
    return this.writer.patch({ ...take, resource: tasks }, hooks, parsePatch(operations));
  }

  /** The Ref of a task that the caller sees; null for any other. */
  private refOf(caller: Caller, id: string): Promise<Ref | null> {
    return this.reader.get(tasks, caller, id).then(refOf, () => null);
  }
}

function refOf({ representation }: Detailed): Ref {
  const { id, reference, label } = representation;
  return presentRef(tasks.ref, id, reference, label);
}

const doneWith = (task: Ref, name: string): BulkResult => ({
  task,
  name,
  result: 'done',
  message: null,
  reason: null,
  parameters: {},
  fields: [],
});

function refusedWith(
  task: Ref | null,
  name: string,
  why: Reason,
  faults: InvalidField[] = [],
): BulkResult {
  const { message, code, parameters } = why.presented;
  const fields = faults.map(presentField);
  return { task, name, result: 'refused', message, reason: code, parameters, fields };
}
