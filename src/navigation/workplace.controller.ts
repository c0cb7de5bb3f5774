import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation } from '../openapi/api-operation.decorator.js';
import { queryParameter } from '../openapi/parameters.js';
import { listOf } from '../openapi/schemas.js';
import {
  APPLICATION_ENTRY,
  CATEGORY_ENTRY,
  INDICATOR,
  WORKPLACE_CATEGORY,
} from './navigation.schemas.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { requiredParameter } from '../http/query-string.js';
import { GetRevalidated } from '../http/etag.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import type { ApplicationEntry, Category, Indicator, WorkplaceCategory } from './presenters.js';
import { WorkplaceOverviewService } from './workplace-overview.service.js';
import { WorkplaceService } from './workplace.service.js';

const APPLICATION = queryParameter('applicationUri', 'URI of the application', {
  required: true,
  example: '/navigation/applications/3',
});

/**
 * The navigation API (docs/api-contract.md#navigation). Unknown parameters are ignored: portals add
 * cache busters.
 */
@Controller('navigation/workplace')
@AnyParameters()
export class WorkplaceController {
  constructor(
    private readonly workplace: WorkplaceService,
    private readonly snapshot: WorkplaceOverviewService,
  ) {}

  /** The whole workplace in one answer (docs/api-contract.md#workplace-overview). */
  @ApiOperation({
    operationId: 'getWorkplace',
    tag: 'Navigation',
    summary: 'Get categories, their applications and all indicators in one response',
    answer: listOf(WORKPLACE_CATEGORY),
  })
  @GetRevalidated()
  everything(@CurrentCaller() caller: Caller): Promise<WorkplaceCategory[]> {
    return this.snapshot.load(caller);
  }

  @ApiOperation({
    operationId: 'listWorkplaceCategories',
    tag: 'Navigation',
    summary: 'List the categories of the portal',
    answer: listOf(CATEGORY_ENTRY),
  })
  @GetRevalidated('categories')
  categories(@CurrentCaller() caller: Caller): Promise<Category[]> {
    return this.workplace.categories(caller);
  }

  @ApiOperation({
    operationId: 'listWorkplaceApplications',
    tag: 'Navigation',
    summary: 'List the applications of a category',
    parameters: [
      queryParameter('category', 'URI of the category', {
        required: true,
        example: '/navigation/categories/4',
      }),
    ],
    answer: listOf(APPLICATION_ENTRY),
    errors: [404],
  })
  @GetRevalidated('apps')
  async applications(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<ApplicationEntry[]> {
    return this.workplace.applications(requiredParameter(request, 'category'), caller);
  }

  @ApiOperation({
    operationId: 'getIndicator',
    tag: 'Navigation',
    summary: 'Get the indicator of an application',
    parameters: [APPLICATION],
    answer: INDICATOR,
    errors: [404, 409],
  })
  @GetRevalidated('apps/indicator')
  async indicator(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }

  /** Where updateCounterUrl of a PROCESS application points to; answers like the indicator. */
  @ApiOperation({
    operationId: 'countView',
    tag: 'Navigation',
    summary: 'Get the indicator of an application at the path in updateCounterUrl',
    parameters: [APPLICATION],
    answer: INDICATOR,
    errors: [404, 409],
  })
  @GetRevalidated('views/count')
  async count(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }
}
