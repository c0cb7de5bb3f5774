import { Controller, Get } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiOperation } from '../openapi/api-operation.decorator.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { type EndpointAlert, readAlerts } from './endpoint-backlogs.js';
import { ENDPOINT_ALERTS } from './endpoint.schemas.js';

/** What administrators should know about endpoints before an engine calls them (docs/api-contract.md#alerts). */
@Controller('api/v2/process/endpoint-alerts')
export class EndpointAlertsController {
  constructor(private readonly database: Database) {}

  @ApiOperation({
    operationId: 'listEndpointAlerts',
    tag: 'Endpoints',
    summary: 'List the endpoints with deliveries that have failed or are about to, the worst first',
    answer: ENDPOINT_ALERTS,
  })
  @Get()
  @AdministratorOnly()
  list(): Promise<EndpointAlert[]> {
    return readAlerts(this.database);
  }
}
