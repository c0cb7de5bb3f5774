import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { detailedSchema } from '../../resources/openapi/resource-schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import { type Detailed, ResourceReader } from '../../resources/resource-reader.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { setETag } from '../../resources/http/set-etag.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { TaskClaims } from './claims.service.js';
import { tasks } from './task.resource.js';

type Representation = Record<string, unknown>;

/** People claim tasks that wait for them or their groups, and release them (docs/api-contract.md#claiming-tasks). */
@Controller('api/v2/process/tasks')
@namesInPath({ id: tasks })
export class ClaimController {
  constructor(
    private readonly claims: TaskClaims,
    readonly reader: ResourceReader,
  ) {}

  @ApiOperation({
    operationId: 'claimTask',
    tag: 'Tasks',
    summary:
      'Take an open task that waits for the caller as a candidate, or for a group of the caller',
    description: 'Those who come too late get a 409 with the name of the assignee.',
    answer: detailedSchema(tasks),
    hasETag: true,
    errors: [409],
  })
  @Post(':id/claim')
  @HttpCode(200)
  async claim(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return show(await this.claims.claim({ caller, auditContext, id }), response);
  }

  @ApiOperation({
    operationId: 'releaseTask',
    tag: 'Tasks',
    summary: 'Give a task back to its group and its candidates',
    answer: detailedSchema(tasks),
    hasETag: true,
    errors: [409],
  })
  @Post(':id/release')
  @HttpCode(200)
  async release(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return show(await this.claims.release({ caller, auditContext, id }), response);
  }
}

function show({ representation, revision }: Detailed, response: Response): Representation {
  setETag(response, revision);
  return representation;
}
