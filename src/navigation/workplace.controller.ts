import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AnyParameters } from '../http/request-format.guard.js';
import { requiredParameter } from '../http/query-string.js';
import { GetRevalidated } from '../http/etag.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import type { ApplicationEntry, Category, Indicator, WorkplaceCategory } from './presenters.js';
import { WorkplaceOverviewService } from './workplace-overview.service.js';
import { WorkplaceService } from './workplace.service.js';

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
  @GetRevalidated()
  everything(@CurrentCaller() caller: Caller): Promise<WorkplaceCategory[]> {
    return this.snapshot.load(caller);
  }

  @GetRevalidated('categories')
  categories(@CurrentCaller() caller: Caller): Promise<Category[]> {
    return this.workplace.categories(caller);
  }

  @GetRevalidated('apps')
  async applications(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<ApplicationEntry[]> {
    return this.workplace.applications(requiredParameter(request, 'category'), caller);
  }

  @GetRevalidated('apps/indicator')
  async indicator(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }

  /** Where updateCounterUrl of a PROCESS application points to; answers like the indicator. */
  @GetRevalidated('views/count')
  async count(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }
}
