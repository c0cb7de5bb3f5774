import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AnyParameters } from '../http/request-format.guard.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { WORKPLACE_SEARCH_ENVELOPE } from './search.schemas.js';
import { requestedTerms } from './requested-terms.js';
import { type Section, WorkplaceSearchService } from './workplace-search.service.js';

/** Every named search for one text (docs/api-contract.md#search-of-everything). */
@Controller('navigation/search/workplace/all')
export class WorkplaceSearchController {
  constructor(private readonly workplace: WorkplaceSearchService) {}

  @ApiOperation({
    operationId: 'searchWorkplace',
    tag: 'Search',
    summary: 'Run every named search for a text; the section with the best match comes first',
    parameters: [
      queryParameter('query', 'the search text', { required: true, example: 'leave requests' }),
    ],
    answer: WORKPLACE_SEARCH_ENVELOPE,
  })
  @Get()
  @AnyParameters()
  async search(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<{ type: 'success'; data: Section[]; template: '' }> {
    const data = await this.workplace.find(requestedTerms(request), caller);
    return { type: 'success', data, template: '' };
  }
}
