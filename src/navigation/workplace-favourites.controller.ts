import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { notFound } from '../base/errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { applications } from '../process/applications/application.resource.js';
import { idIn } from '../resources/uri.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { Favourites } from './favourites.controller.js';
import { FavouritesService } from './favourites.service.js';
import { FAVOURITES } from './navigation.schemas.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/**
 * Adds and removes single favourites by the navigation API (docs/api-contract.md#favourites). Unlike a PUT of the whole
 * list, a change of one favourite does not undo a concurrent change that the caller makes elsewhere.
 */
@Controller('navigation/workplace/favourites/:applicationId')
@AnyParameters()
@namesInPath({ applicationId: applications })
export class WorkplaceFavouritesController {
  constructor(private readonly favourites: FavouritesService) {}

  @ApiOperation({
    operationId: 'addFavourite',
    tag: 'Navigation',
    summary: 'Add an application to the favourites of the caller, at the end',
    answer: FAVOURITES,
  })
  @Put()
  async add(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('applicationId') applicationId: string,
  ): Promise<Favourites> {
    const id = idOfApplication(applicationId);
    return { applications: await this.favourites.add(caller, auditContext, id) };
  }

  @ApiOperation({
    operationId: 'removeFavourite',
    tag: 'Navigation',
    summary: 'Remove an application from the favourites of the caller',
    answer: FAVOURITES,
  })
  @Delete()
  async remove(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('applicationId') applicationId: string,
  ): Promise<Favourites> {
    const id = idOfApplication(applicationId);
    return { applications: await this.favourites.remove(caller, auditContext, id) };
  }
}

/** @throws ApiError 404 for a text that is neither an id nor the URI of an application */
function idOfApplication(text: string): string {
  const id = idIn(text, applications.ref.uri);
  if (id === undefined) throw notFound();
  return id;
}
