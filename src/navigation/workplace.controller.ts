import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { AnyParameters } from '../negotiation/content.guard.js';
import { requiredParameter } from '../negotiation/query-string.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { ConditionalInterceptor } from './conditional.interceptor.js';
import type { ApplicationEntry, Category, Indicator, WorkplaceCategory } from './presenters.js';
import { SnapshotService } from './snapshot.service.js';
import { WorkplaceService } from './workplace.service.js';

/** interface: the navigation API. Unknown parameters are ignored: portals add cache busters. */
@Controller('navigation/workplace')
@AnyParameters()
@UseInterceptors(ConditionalInterceptor)
export class WorkplaceController {
  constructor(
    private readonly workplace: WorkplaceService,
    private readonly snapshot: SnapshotService,
  ) {}

  /** Everything at once (decisions: Navigation). */
  @Get()
  everything(@CurrentCaller() caller: Caller): Promise<WorkplaceCategory[]> {
    return this.snapshot.take(caller);
  }

  @Get('categories')
  categories(@CurrentCaller() caller: Caller): Promise<Category[]> {
    return this.workplace.categories(caller);
  }

  @Get('apps')
  async applications(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<ApplicationEntry[]> {
    return this.workplace.applications(requiredParameter(request, 'category'), caller);
  }

  @Get('apps/indicator')
  async indicator(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }

  /** Where updateCounterUrl of a PROCESS application points to; answers like the indicator. */
  @Get('views/count')
  async count(@Req() request: Request, @CurrentCaller() caller: Caller): Promise<Indicator> {
    return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
  }
}
