import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../database/database.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import { RequirePermission } from '../../security/permission.guard.js';
import { type EndpointAlert, readAlerts } from './endpoint-backlogs.js';
import { ENDPOINT_ALERTS } from './endpoint.schemas.js';

/** Problems with endpoints that administrators should see early (docs/api-contract.md#alerts). */
@Controller('api/v2/process/endpoint-alerts')
export class EndpointAlertsController {
  constructor(private readonly database: Database) {}

  @ApiOperation({
    operationId: 'listEndpointAlerts',
    tag: 'Endpoints',
    summary: 'List the endpoints with deliveries that have failed or are about to, the worst first',
    answer: ENDPOINT_ALERTS,
    isPaged: true,
  })
  @Get()
  @RequirePermission('endpoints:read')
  @AnyParameters()
  async list(
    @PageRange() range: Range,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EndpointAlert[]> {
    return answerWhole(await readAlerts(this.database), range, response);
  }
}
