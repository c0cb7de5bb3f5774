import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { type PendingWrite, validValues } from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import { answerList } from '../../resources/http/answer-list.js';
import { List } from '../../resources/http/list.pipe.js';
import type { ListPlan } from '../../resources/list/plan-list.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import { uriOf } from '../../resources/uri.js';
import { applications } from '../applications/application.resource.js';
import { tasks } from '../tasks/task.resource.js';
import { validateView } from './parse-view.js';
import { storedView, views } from './view.resource.js';
import { planView } from './view-rows.js';
import { reason } from '../../base/errors/reason.js';

export const viewHooks = { beforeWrite: checkView } satisfies WriteHooks;

@Controller('api/v2/process/views')
export class ViewsController extends resourceController(views) {
  override hooks: WriteHooks = viewHooks;

  /** Executes a view for the caller (docs/api-contract.md#responsemode). */
  @ApiOperation({
    operationId: 'listViewRecords',
    tag: 'Views',
    summary: 'Execute a view for the caller and list its tasks',
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
    const { representation } = await this.reader.get(views, plan.caller, id);
    return answerList(this.reader, planView(plan, storedView(representation)), response);
  }
}

/**
 * The server rejects a write of a view that cannot be executed, or that would move a tile's view to another
 * application.
 */
async function checkView(write: PendingWrite): Promise<InvalidField[]> {
  const {
    change: { id, caller },
    transaction,
  } = write;
  const values = validValues(write);
  const found: InvalidField[] = [];
  if (id !== undefined && values.application) {
    const applicationId = linkIdIn(values.application, [applications.ref.uri]);
    const [opener] = await transaction.rows({
      text: 'SELECT id FROM applications WHERE view_id = $1 AND id <> $2',
      values: [id, applicationId],
    });
    if (opener)
      found.push({
        name: 'application',
        reason: reason('opened-by-tile', { uri: uriOf(applications.ref.uri, opener[0]) }),
      });
  }
  const view = {
    columns: (values.columns ?? []) as string[],
    filters: (values.filters ?? []) as string[],
    sorter: (values.sorter ?? null) as string | null,
  };
  return [...found, ...validateView(view, caller)];
}
