import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { GetRevalidated } from '../../http/etag.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { answerList } from '../../resources/http/answer-list.js';
import { List } from '../../resources/http/list.pipe.js';
import type { ListPlan } from '../../resources/list/plan-list.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { count, atLeast, listOf, orNull, REF, text } from '../../resources/openapi/schemas.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { tasks } from '../tasks/task.resource.js';
import { countWaiting, planWaiting, type WaitingCounts } from './waiting-tasks.js';

const WAITING_COUNTS = namedSchema(
  'WaitingCounts',
  atLeast({
    count,
    overdue: count,
    applications: listOf(atLeast({ application: orNull(REF), title: text, count })),
  }),
);

/** The inbox of the caller: the tasks that wait (docs/api-contract.md#inbox). */
@Controller('api/v2/process/tasks')
export class WaitingTasksController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'listWaitingTasks',
    tag: 'Tasks',
    summary:
      'List the open tasks that wait for the caller, for a group of the caller, for either as a candidate, or for a person whose substitute is the caller',
    lists: tasks,
  })
  @Get('waiting')
  @AnyParameters()
  waiting(
    @List(tasks) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, planWaiting(plan), response);
  }

  @ApiOperation({
    operationId: 'countWaitingTasks',
    tag: 'Tasks',
    summary: 'Count the open tasks that wait for the caller, by application',
    answer: WAITING_COUNTS,
  })
  @GetRevalidated('waiting/counts')
  waitingCounts(@CurrentCaller() caller: Caller): Promise<WaitingCounts> {
    return countWaiting(this.database, caller);
  }
}
