import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { conflict } from '../../base/errors/api-errors.js';
import type { Ref } from '../../resources/ref.js';
import { type Detailed, ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { groupsOf, isCandidate } from '../access/task-visibility.js';
import { OPEN, tasks } from './task.resource.js';
import { type Reason, reason } from '../../base/errors/reason.js';

type Representation = Record<string, unknown>;

/** The call of a person who claims or releases a task. */
export interface Take {
  caller: Caller;
  auditContext: AuditContext;
  id: string;
}

/**
 * One statement decides between concurrent claims: the task has no assignee, and waits for the caller or a group of the
 * caller.
 */
const CLAIM = `UPDATE tasks t SET assignee_id = $2, revision = revision + 1, modification_date = now()
  WHERE id = $1 AND status = '${OPEN}' AND assignee_id IS NULL
    AND (group_id = ANY (${groupsOf('$2')}) OR ${isCandidate('t', '$2')})`;

/** The task waits for its group and its candidates again. */
const RELEASE = `UPDATE tasks t SET assignee_id = NULL, revision = revision + 1, modification_date = now()
  WHERE id = $1 AND status = '${OPEN}' AND assignee_id = $2
    AND (group_id IS NOT NULL OR EXISTS (SELECT 1 FROM task_candidates c WHERE c.task_id = t.id))`;

/** People claim tasks that wait for them or their groups, and release them (docs/api-contract.md#claiming-tasks). */
@Injectable()
export class TaskClaims {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
  ) {}

  /** @throws ApiError 404; 409 with the assignee's name or the reason why the task cannot be claimed */
  claim(take: Take): Promise<Detailed> {
    return this.run(take, CLAIM, faultOfClaim);
  }

  /** @throws ApiError 404, 409 */
  release(take: Take): Promise<Detailed> {
    return this.run(take, RELEASE, faultOfRelease);
  }

  /**
   * @param faultOf why the statement changed nothing; undefined where the task already is as the caller wants it
   * @throws ApiError 404, 409
   */
  private async run(
    take: Take,
    statement: string,
    faultOf: (task: Representation, caller: Caller) => Reason | undefined,
  ): Promise<Detailed> {
    return this.database.transaction(async (transaction) => {
      const { caller, id } = take;
      const count = await transaction.execute({ text: statement, values: [id, caller.id] });
      if (count > 0) {
        const written = await this.reader.getWritten(tasks, caller, id, transaction);
        await this.record(transaction, take, written);
        return written;
      }
      const found = await this.reader.get(tasks, caller, id, transaction);
      const fault = faultOf(found.representation, caller);
      if (fault !== undefined) throw conflict(fault);
      return found;
    });
  }

  private record(
    transaction: Transaction,
    { auditContext, id }: Take,
    { representation }: Detailed,
  ): Promise<void> {
    return this.audit.record(transaction, auditContext, {
      action: 'update',
      objectUri: uriOf(tasks.ref.uri, id),
      after: { assignee: representation.assignee },
    });
  }
}

function faultOfClaim({ status, assignee }: Representation, caller: Caller): Reason | undefined {
  if (status !== OPEN) return reason('task-closed');
  const taker = assignee as Ref | null;
  if (taker?.id === caller.id) return undefined;
  return taker ? reason('task-taken', { name: taker.label }) : reason('not-waiting-for-you');
}

function faultOfRelease(
  { status, assignee, group, candidates }: Representation,
  caller: Caller,
): Reason | undefined {
  if (status !== OPEN) return reason('task-closed');
  const taker = assignee as Ref | null;
  const waits = group !== null || (candidates as Ref[]).length > 0;
  if (taker === null && waits) return undefined;
  if (taker?.id !== caller.id) return reason('not-the-assignee');
  return reason('no-group-to-give-back');
}
