import { Body, Controller, Get, Put } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { FAVOURITES } from './navigation.schemas.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { applications } from '../process/applications/application.resource.js';
import type { Ref } from '../resources/ref.js';
import { idsOfLinks } from '../resources/write/resolve-links.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { FavouritesDto } from './favourites.dto.js';
import { FavouritesService } from './favourites.service.js';

/** The applications in the person's order: the body of GET and PUT of the list, and the answer to single changes. */
export interface Favourites {
  applications: Ref[];
}

/** The whole list of the caller's favourites by the main API; the workplace overview marks them. */
@Controller('api/v2/directory/users/me/favourites')
export class FavouritesController {
  constructor(
    private readonly favourites: FavouritesService,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'getFavourites',
    tag: 'Users',
    summary: 'Get the favourite applications of the caller, in order',
    answer: FAVOURITES,
  })
  @Get()
  async get(@CurrentCaller() caller: Caller): Promise<Favourites> {
    return { applications: await this.favourites.list(caller) };
  }

  @ApiOperation({
    operationId: 'replaceFavourites',
    tag: 'Users',
    summary: 'Replace the favourite applications of the caller',
    answer: FAVOURITES,
  })
  @Put()
  async replace(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body(FixedBodyPipe) { applications: links }: FavouritesDto,
  ): Promise<Favourites> {
    const reader = this.database;
    const ids = await idsOfLinks(applications, 'applications', links ?? [], { caller, reader });
    return { applications: await this.favourites.replace(caller, auditContext, ids) };
  }
}
