import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Res,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { AnyAccept, AnyParameters } from '../http/request-format.guard.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { SCIM_TYPE } from '../http/route-facts.js';
import { RequirePermission } from '../security/permission.guard.js';
import { GROUPS, type Kind, USERS } from './objects.js';
import { LIST_PARAMETERS, SCIM_LIST, SCIM_OBJECT, SHOWN_PARAMETERS } from './scim.schemas.js';
import { ScimCalls } from './scim-calls.js';

type Json = Record<string, unknown>;

/** Makes the controller of users or groups. @param patched the status of a patch, 204 where it answers no body */
function objectsController(kind: Kind, patched: 200 | 204): Type<object> {
  const noun = kind.name.slice(0, -1);
  const of = { tag: 'SCIM', answerType: SCIM_TYPE };
  const one = { ...of, answer: SCIM_OBJECT, parameters: SHOWN_PARAMETERS };
  const changing = { ...one, body: SCIM_OBJECT, isConditional: true, errors: [409] };

  @AnyParameters()
  @AnyAccept()
  @RequirePermission('scim:provision')
  class ObjectsController {
    constructor(private readonly calls: ScimCalls) {}

    @ApiOperation({
      ...of,
      operationId: `listScim${kind.name}`,
      summary: `List the ${kind.table} of a provider`,
      answer: SCIM_LIST,
      parameters: [...LIST_PARAMETERS, ...SHOWN_PARAMETERS],
    })
    @Get()
    list(@Res({ passthrough: true }) response: Response): Promise<Json> {
      return this.calls.list(response, kind);
    }

    @ApiOperation({
      ...of,
      operationId: `searchScim${kind.name}`,
      summary: `List the ${kind.table} of a provider by a body`,
      body: SCIM_OBJECT,
      answer: SCIM_LIST,
    })
    @Post('.search')
    @HttpCode(200)
    search(@Res({ passthrough: true }) response: Response, @Body() body: unknown): Promise<Json> {
      return this.calls.search(response, [kind], body);
    }

    @ApiOperation({
      ...one,
      operationId: `getScim${noun}`,
      summary: `Get a ${noun.toLowerCase()} of a provider`,
      hasETag: true,
    })
    @Get(':id')
    get(
      @Res({ passthrough: true }) response: Response,
      @Param('id') id: string,
    ): Promise<Json | undefined> {
      return this.calls.get(response, { kind, id });
    }

    @ApiOperation({
      ...one,
      operationId: `createScim${noun}`,
      summary: `Create a ${noun.toLowerCase()} for a provider`,
      body: SCIM_OBJECT,
      hasETag: true,
      hasLocation: true,
    })
    @Post()
    create(
      @Res({ passthrough: true }) response: Response,
      @Body() body: unknown,
    ): Promise<Json | undefined> {
      return this.calls.write(response, { kind, body });
    }

    @ApiOperation({
      ...changing,
      operationId: `replaceScim${noun}`,
      summary: `Replace a ${noun.toLowerCase()} for a provider`,
      hasETag: true,
    })
    @Put(':id')
    replace(
      @Res({ passthrough: true }) response: Response,
      @Param('id') id: string,
      @Body() body: unknown,
    ): Promise<Json | undefined> {
      return this.calls.write(response, { kind, id, body });
    }

    @ApiOperation({
      ...(patched === 204 ? { ...changing, answer: undefined, answerType: undefined } : changing),
      operationId: `patchScim${noun}`,
      summary: `Change a ${noun.toLowerCase()} for a provider (RFC 7644 section 3.5.2)`,
      hasETag: patched === 200,
    })
    @Patch(':id')
    @HttpCode(patched)
    patch(
      @Res({ passthrough: true }) response: Response,
      @Param('id') id: string,
      @Body() body: unknown,
    ): Promise<Json | undefined> {
      return this.calls.write(response, { kind, id, body });
    }

    @ApiOperation({
      tag: 'SCIM',
      operationId: `deleteScim${noun}`,
      summary: `Delete a ${noun.toLowerCase()} for a provider`,
      isConditional: true,
      errors: [409],
    })
    @Delete(':id')
    @HttpCode(204)
    delete(
      @Res({ passthrough: true }) response: Response,
      @Param('id') id: string,
    ): Promise<Json | undefined> {
      return this.calls.write(response, { kind, id });
    }
  }
  return ObjectsController;
}

/** Users as SCIM shows them (docs/scim.md). */
@Controller('scim/v2/Users')
export class ScimUsersController extends objectsController(USERS, 200) {}

/** Groups as SCIM shows them; a patch of one with many members answers no body. */
@Controller('scim/v2/Groups')
export class ScimGroupsController extends objectsController(GROUPS, 204) {}
