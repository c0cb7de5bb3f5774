import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { GetRevalidated } from '../../http/etag.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { REASON } from '../../resources/openapi/responses.js';
import {
  count,
  atLeast,
  flag,
  listOf,
  orNull,
  REF,
  text,
  textOrNull,
} from '../../resources/openapi/schemas.js';
import { answerList } from '../../resources/http/answer-list.js';
import { List } from '../../resources/http/list.pipe.js';
import type { ListPlan } from '../../resources/list/plan-list.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import {
  countOwn,
  countShared,
  type FilterCount,
  type OfferedFilter,
  planFiltered,
  readOfferedFilters,
} from './inbox-filters.js';
import type { StoredFilters } from '../tiles/parse-view.js';
import { taskFilterHooks } from './task-filter.rules.js';
import { taskFilters } from './task-filter.resource.js';
import { tasks } from '../tasks/task.resource.js';

const INBOX_FILTER = namedSchema(
  'InboxFilter',
  atLeast({
    uri: text,
    label: text,
    owner: REF,
    isOwn: flag,
    isShared: flag,
    position: count,
    filters: listOf(text),
    filterMode: { enum: ['and', 'or'] },
    sorter: textOrNull,
    count: orNull(count),
    problem: orNull(REASON),
  }),
);

/** Saved filters of the inbox (docs/api-contract.md#saved-filters). */
@Controller('api/v2/process/task-filters')
export class TaskFiltersController extends resourceController(taskFilters) {
  override hooks: WriteHooks = taskFilterHooks;

  /** Executes a filter in the inbox of the caller. */
  @ApiOperation({
    operationId: 'listTaskFilterRecords',
    tag: 'TaskFilters',
    summary:
      'Execute a saved filter, and list what it matches among the tasks that wait for the caller',
    lists: tasks,
    errors: [409],
  })
  @Get(':id/records')
  @AnyParameters()
  async records(
    @Param('id') id: string,
    @List(tasks) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    const { representation } = await this.reader.get(taskFilters, plan.caller, id);
    const filter = representation as unknown as StoredFilters;
    return answerList(this.reader, planFiltered(plan, filter), response);
  }
}

/** The filters that the inbox of the caller offers. */
@Controller('api/v2/process/tasks/waiting/filters')
export class InboxFiltersController {
  constructor(private readonly database: Database) {}

  @ApiOperation({
    operationId: 'listInboxFilters',
    tag: 'TaskFilters',
    summary: 'List the filters of the caller and those shared with the caller, with their counts',
    answer: listOf(INBOX_FILTER),
  })
  @GetRevalidated()
  async filters(@CurrentCaller() caller: Caller): Promise<(OfferedFilter & FilterCount)[]> {
    const offered = (await readOfferedFilters(this.database, [caller.id])).get(caller.id)!;
    const own = offered.filter(({ isOwn }) => isOwn);
    const counts = [
      ...(await countOwn(this.database, own, caller)),
      ...(await countShared(this.database, offered.slice(own.length), caller)),
    ];
    return offered.map((filter, at) => ({ ...filter, ...counts[at]! }));
  }
}
