import { Body, Controller, Get, Param, Put, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { itemSchema } from '../resources/openapi/resource-schemas.js';
import { invalidField, notFound } from '../base/errors/api-errors.js';
import { AnyParameters, KnownParameters } from '../http/request-format.guard.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, planFirstPage, within } from '../resources/list/plan-list.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import {
  type ParameterDefinition,
  type ParameterValue,
  typedValue,
} from '../security/parameters/parameter-definitions.js';
import { RecentProofGuard } from '../security/recent-proof.guard.js';
import { RequirePermission } from '../security/permission.guard.js';
import { ParameterChangeDto } from './parameter-change.dto.js';
import { forceOf, ParameterChangeGuard } from './parameter-change.guard.js';
import { parameters } from './parameter.resource.js';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';
import { reason } from '../base/errors/reason.js';

/** docs/api-contract.md#server-parameters */
@Controller('api/v2/administration/parameters')
@RequirePermission('parameters:read')
export class ParametersController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly parameters: ParameterWriterService,
  ) {}

  @ApiOperation({
    operationId: 'listParameters',
    tag: 'Administration',
    summary: 'List the server parameters',
    lists: parameters,
  })
  @Get()
  @AnyParameters()
  list(
    @List(parameters) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, plan, response);
  }

  @ApiOperation({
    operationId: 'getParameter',
    tag: 'Administration',
    summary: 'Get a server parameter',
    answer: itemSchema(parameters),
  })
  @Get(':key')
  get(
    @CurrentCaller() caller: Caller,
    @Param('key') key: string,
  ): Promise<Record<string, unknown>> {
    return this.read(caller, this.parameters.definitionOf(key));
  }

  @ApiOperation({
    operationId: 'setParameter',
    tag: 'Administration',
    summary: 'Set a server parameter; every instance applies it within a second',
    parameters: [
      queryParameter(
        'force',
        'true sets a parameter even when it locks the caller, or everybody but sysadmin, out',
        {
          schema: { type: 'boolean', default: false },
        },
      ),
    ],
    answer: itemSchema(parameters),
  })
  @Put(':key')
  @RequirePermission('parameters:change')
  @KnownParameters('force')
  @UseGuards(RecentProofGuard, ParameterChangeGuard)
  async set(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Req() request: Request,
    @Param('key') key: string,
    @Body(FixedBodyPipe) { value }: ParameterChangeDto,
  ): Promise<Record<string, unknown>> {
    const definition = this.parameters.definitionOf(key);
    const force = forceOf(request);
    await this.parameters.set(definition, textOf(definition, value), auditContext, { force });
    return this.read(caller, definition);
  }

  private async read(
    caller: Caller,
    { key }: ParameterDefinition,
  ): Promise<Record<string, unknown>> {
    const plan = within(planFirstPage(parameters, caller), 't.key = :key', { key });
    const { items } = await this.reader.list(plan);
    if (!items[0]) throw notFound();
    return items[0];
  }
}

/**
 * The stored form of a value.
 * @throws ApiError 400 when its JSON type is not that of the parameter
 */
function textOf({ type }: ParameterDefinition, value: ParameterValue): string {
  const text = String(value);
  if (typeof typedValue(type, text) === typeof value) return text;
  const fault =
    type === 'integer' ? 'not-a-number' : type === 'boolean' ? 'not-a-boolean' : 'not-a-text';
  throw invalidField('value', reason(fault));
}
