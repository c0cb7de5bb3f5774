import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { listOf } from '../resources/openapi/schemas.js';
import {
  APPLICATION_ENTRY,
  CATEGORY_ENTRY,
  INDICATOR,
  WORKPLACE_CATEGORY,
} from './navigation.schemas.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { stateOf } from '../http/request-state.js';
import { requiredParameter } from '../http/query-string.js';
import { GetRevalidated } from '../http/etag.js';
import { FromMemory } from '../journal/from-memory.js';
import type { PreparedJson } from '../http/prepared-json.js';
import { NavigationMemory } from './memory/navigation-memory.js';
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
@FromMemory()
export class WorkplaceController {
  constructor(
    private readonly workplace: WorkplaceService,
    private readonly overview: WorkplaceOverviewService,
    private readonly memory: NavigationMemory,
  ) {}

  /** The whole workplace in one answer (docs/api-contract.md#workplace-overview). */
  @ApiOperation({
    operationId: 'getWorkplace',
    tag: 'Navigation',
    summary: 'Get categories, their applications and all indicators in one response',
    answer: listOf(WORKPLACE_CATEGORY),
  })
  @GetRevalidated()
  everything(@Req() request: Request): Promise<PreparedJson> {
    return this.memory.answer(stateOf(request), 'workplace', {
      hasCounters: true,
      load: (caller) => this.overview.load(caller),
      updateCounters: (caller, before, views) =>
        this.overview.updateCounters(before, views, caller),
    });
  }

  @ApiOperation({
    operationId: 'listWorkplaceCategories',
    tag: 'Navigation',
    summary: 'List the categories of the portal',
    answer: listOf(CATEGORY_ENTRY),
  })
  @GetRevalidated('categories')
  categories(@Req() request: Request): Promise<PreparedJson> {
    return this.memory.answer(stateOf(request), 'categories', {
      load: (caller) => this.workplace.categories(caller),
    });
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
  async applications(@Req() request: Request): Promise<PreparedJson> {
    const category = requiredParameter(request, 'category');
    return this.memory.answer(stateOf(request), `apps ${category}`, {
      load: (caller) => this.workplace.applications(category, caller),
    });
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
  async indicator(@Req() request: Request): Promise<PreparedJson> {
    const application = requiredParameter(request, 'applicationUri');
    return this.memory.answer(stateOf(request), `indicator ${application}`, {
      hasCounters: true,
      load: (caller) => this.workplace.indicator(application, caller),
    });
  }

  /** The target of updateCounterUrl of a PROCESS application. It answers like the indicator. */
  @ApiOperation({
    operationId: 'countView',
    tag: 'Navigation',
    summary: 'Get the indicator of an application at the path in updateCounterUrl',
    parameters: [APPLICATION],
    answer: INDICATOR,
    errors: [404, 409],
  })
  @GetRevalidated('views/count')
  async count(@Req() request: Request): Promise<PreparedJson> {
    return this.indicator(request);
  }
}
