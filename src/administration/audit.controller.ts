import { Controller, Get, Res, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ATTRIBUTE_DESCRIPTION, listOf } from '../resources/openapi/schemas.js';
import { AnyParameters } from '../http/request-format.guard.js';
import {
  type AttributeDescription,
  describeAttributes,
} from '../resources/attributes/describe-attributes.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import type { ListPlan } from '../resources/list/plan-list.js';
import { LISTED_RESOURCE } from '../resources/http/resource.controller.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { audit } from './audit.resource.js';

/** docs/api-contract.md#audit-trail */
@Controller('api/v2/administration/audit')
@RequirePermission('audit:read')
@SetMetadata(LISTED_RESOURCE, audit)
export class AuditController {
  constructor(private readonly reader: ResourceReader) {}

  @ApiOperation({
    operationId: 'listAuditEntries',
    tag: 'Administration',
    summary: 'List the audit trail: every write, sign-in and denied request',
    lists: audit,
  })
  @Get()
  @AnyParameters()
  list(
    @List(audit) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, plan, response);
  }

  @ApiOperation({
    operationId: 'listAuditEntryAttributes',
    tag: 'Administration',
    summary: 'Describe the attributes of the audit trail: types, operators, and whether they sort',
    answer: listOf(ATTRIBUTE_DESCRIPTION),
  })
  @Get('attributes')
  describe(@CurrentCaller() caller: Caller): AttributeDescription[] {
    return describeAttributes(audit, caller);
  }
}
