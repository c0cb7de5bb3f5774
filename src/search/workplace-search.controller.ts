import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField } from '../base/errors/api-errors.js';
import { portalQueryOf } from '../http/query-string.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { WORKPLACE_SEARCH_ENVELOPE } from './search.schemas.js';
import { MAX_QUERY, termsOf } from './search-text.js';
import { type Section, WorkplaceSearchService } from './workplace-search.service.js';
import { reason } from '../base/errors/reason.js';

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
    const data = await this.workplace.find(textOf(request), caller);
    return { type: 'success', data, template: '' };
  }
}

/**
 * The terms of the text; without any, every record would be an equal match.
 * @throws ApiError naming `query`; on this path it becomes an error envelope
 */
function textOf(request: Request): string[] {
  const [text, ...others] = new Set(portalQueryOf(request, ['query'], ['query']).get('query'));
  if (text === undefined) throw invalidField('query', reason('required'));
  if (others.length > 0) throw invalidField('query', reason('given-twice'));
  if ([...text].length > MAX_QUERY)
    throw invalidField('query', reason('too-many-characters', { max: MAX_QUERY }));
  const terms = termsOf(text);
  if (terms.length === 0) throw invalidField('query', reason('required'));
  return terms;
}
