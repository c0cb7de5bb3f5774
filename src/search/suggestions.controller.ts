import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AnyParameters } from '../http/request-format.guard.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { requestedTerms } from './requested-terms.js';
import { SUGGESTIONS_ENVELOPE } from './search.schemas.js';
import { SuggestionsService } from './suggestions.service.js';

/** Names near a text that finds nobody (docs/api-contract.md#suggestions). */
@Controller('navigation/search/workplace/suggestions')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  @ApiOperation({
    operationId: 'suggestNames',
    tag: 'Search',
    summary: 'Suggest up to three names near a text that finds nobody',
    parameters: [
      queryParameter('query', 'the search text', { required: true, example: 'kelller' }),
    ],
    answer: SUGGESTIONS_ENVELOPE,
  })
  @Get()
  @AnyParameters()
  async suggest(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<{ type: 'success'; data: string[]; template: '' }> {
    const data = await this.suggestions.suggest(requestedTerms(request), caller);
    return { type: 'success', data, template: '' };
  }
}
