import { Body, Controller, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { KnownParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../openapi/api-operation.decorator.js';
import { queryParameter } from '../../openapi/parameters.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { parsePushRequest, PUSH_PARAMETERS } from './push-request.js';
import { PUSH_BODY, PUSHED } from './push.schemas.js';
import { type Pushed, TaskPush } from './push.service.js';

const flagParameter = (name: string, description: string) =>
  queryParameter(name, description, { schema: { type: 'boolean', default: false } });

/** Where sources push their tasks (docs/api-contract.md#pushing-tasks). */
@Controller('api/v2/process/tasks')
export class PushController {
  constructor(private readonly tasks: TaskPush) {}

  @ApiOperation({
    operationId: 'pushTasks',
    tag: 'Tasks',
    summary: 'Create and change up to 1,000 tasks of a source by their external ids',
    description:
      'Answers a result for each task, in the order of the request. People, groups and applications are given by name: login, external id or e-mail; reference.',
    parameters: [
      queryParameter('source', 'the reference of the source', { required: true, example: 'ERP' }),
      flagParameter('allOrNone', 'store nothing unless every task can be stored'),
      flagParameter('dryRun', 'answer what would be done, and do nothing'),
      flagParameter('snapshot', 'these are all open tasks of the source: cancel the others'),
      flagParameter('force', 'cancel more of them than the source allows'),
    ],
    body: PUSH_BODY,
    answer: PUSHED,
    errors: [409],
  })
  @Put()
  @KnownParameters(...PUSH_PARAMETERS)
  push(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Req() request: Request,
    @Body() body: unknown,
  ): Promise<Pushed> {
    return this.tasks.push(caller, auditContext, parsePushRequest(request, body));
  }
}
