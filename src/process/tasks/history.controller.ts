import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import {
  atLeast,
  listOf,
  orNull,
  REF,
  textOrNull,
  timestamp,
} from '../../resources/openapi/schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { HISTORY_KINDS, type HistoryEvent, readHistory } from './task-history.js';
import { tasks } from './task.resource.js';

const HISTORY_EVENT = namedSchema(
  'HistoryEvent',
  atLeast({
    kind: { enum: HISTORY_KINDS },
    creationDate: timestamp,
    by: orNull(REF),
    onBehalfOf: orNull(REF),
    to: orNull(REF),
    file: textOrNull,
    outcome: textOrNull,
    comment: textOrNull,
  }),
);

/** The history of a task, for the users who see the task (docs/api-contract.md#history-of-a-task). */
@Controller('api/v2/process/tasks')
@namesInPath({ id: tasks })
export class HistoryController {
  constructor(
    private readonly database: Database,
    readonly reader: ResourceReader,
  ) {}

  @ApiOperation({
    operationId: 'getTaskHistory',
    tag: 'Tasks',
    summary: 'Get what happened to a task, oldest first',
    answer: listOf(HISTORY_EVENT),
    isPaged: true,
    errors: [404],
  })
  @Get(':id/history')
  @AnyParameters()
  async history(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @PageRange() range: Range,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HistoryEvent[]> {
    const { representation } = await this.reader.get(tasks, caller, id);
    const creationDate = String(representation.creationDate);
    return answerWhole(await readHistory(this.database, { id, creationDate }), range, response);
  }
}
