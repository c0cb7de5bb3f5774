import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { listOfProvider } from '../directory/list-of-provider.js';
import { providers } from '../directory/provider.resource.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { List } from '../resources/http/list.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import type { ListPlan } from '../resources/list/plan-list.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { providerRequests } from './request-log.resource.js';

/** The last calls of a provider (docs/scim.md#when-something-is-missing). */
@Controller('api/v2/directory/providers/:id/requests')
@namesInPath({ id: providers })
export class RequestLogController {
  constructor(private readonly reader: ResourceReader) {}

  @ApiOperation({
    operationId: 'listProviderRequests',
    tag: 'Providers',
    summary: 'List the last calls of a provider',
    lists: providerRequests,
  })
  @Get()
  @AnyParameters()
  list(
    @Param('id') id: string,
    @List(providerRequests) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return listOfProvider(this.reader, plan, id, response);
  }
}
