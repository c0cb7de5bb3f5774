import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { notFound } from '../base/errors/api-errors.js';
import { AnyAccept, AnyParameters } from '../http/request-format.guard.js';
import { SCIM_TYPE } from '../http/route-facts.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { RequirePermission } from '../security/permission.guard.js';
import { GROUPS, USERS } from './objects.js';
import { ScimCalls } from './scim-calls.js';
import { SCIM_LIST, SCIM_OBJECT } from './scim.schemas.js';
import { discovery, listResponse } from './schemas.js';

type Json = Record<string, unknown>;

const described = (operationId: string, summary: string, answer = SCIM_OBJECT) => ({
  tag: 'SCIM',
  operationId,
  summary,
  answer,
  answerType: SCIM_TYPE,
});

/** What SCIM says about the server, searches over all objects, and bulks (docs/scim.md). */
@Controller('scim/v2')
@AnyParameters()
@AnyAccept()
@RequirePermission('scim:provision')
export class ScimController {
  constructor(private readonly calls: ScimCalls) {}

  @ApiOperation(described('getScimConfiguration', 'Get what the SCIM interface can do'))
  @Get('ServiceProviderConfig')
  configuration(@Res({ passthrough: true }) response: Response): Promise<Json> {
    return this.describe(response, ({ ServiceProviderConfig }) => ServiceProviderConfig);
  }

  @ApiOperation(described('listScimResourceTypes', 'List the types of SCIM objects', SCIM_LIST))
  @Get('ResourceTypes')
  types(@Res({ passthrough: true }) response: Response): Promise<Json> {
    return this.describe(response, ({ ResourceTypes }) => listOf(ResourceTypes));
  }

  @ApiOperation(described('getScimResourceType', 'Get a type of SCIM objects'))
  @Get('ResourceTypes/:id')
  type(@Res({ passthrough: true }) response: Response, @Param('id') id: string): Promise<Json> {
    return this.describe(response, ({ ResourceTypes }) => oneOf(ResourceTypes, id));
  }

  @ApiOperation(described('listScimSchemas', 'List the SCIM schemas', SCIM_LIST))
  @Get('Schemas')
  schemas(@Res({ passthrough: true }) response: Response): Promise<Json> {
    return this.describe(response, ({ Schemas }) => listOf(Schemas));
  }

  @ApiOperation(described('getScimSchema', 'Get a SCIM schema'))
  @Get('Schemas/:id')
  schema(@Res({ passthrough: true }) response: Response, @Param('id') id: string): Promise<Json> {
    return this.describe(response, ({ Schemas }) => oneOf(Schemas, id));
  }

  @ApiOperation({
    ...described('searchScim', 'List users and groups of a provider by a body', SCIM_LIST),
    body: SCIM_OBJECT,
  })
  @Post('.search')
  @HttpCode(200)
  search(@Res({ passthrough: true }) response: Response, @Body() body: unknown): Promise<Json> {
    return this.calls.search(response, [USERS, GROUPS], body);
  }

  @ApiOperation({
    ...described('runScimBulk', 'Write many users and groups for a provider'),
    body: SCIM_OBJECT,
  })
  @Post('Bulk')
  @HttpCode(200)
  bulk(@Res({ passthrough: true }) response: Response, @Body() body: unknown): Promise<Json> {
    return this.calls.bulk(response, body);
  }

  private describe(
    response: Response,
    find: (documents: ReturnType<typeof discovery>) => Json,
  ): Promise<Json> {
    return this.calls.logged(response, undefined, (_, { shown }) =>
      Promise.resolve(find(discovery(shown.base))),
    );
  }
}

const listOf = (documents: Json[]): Json => listResponse(documents, documents.length);

/** @throws ApiError 404 */
function oneOf(documents: Json[], id: string): Json {
  const found = documents.find((one) => one.id === id);
  if (!found) throw notFound();
  return found;
}
