import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AnyParameters } from '../http/request-format.guard.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { LISTED } from '../resources/resource.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { organizations } from './organization.resource.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The users of an organization and of all below it (docs/api-contract.md#resources). */
const MEMBERS = `${LISTED}.organization_id IN (SELECT o.id FROM organizations o WHERE o.path @> ARRAY[:organization::bigint])`;

/** The members of an organization with those of all organizations below it, as a list of users. */
@Controller('api/v2/directory/organizations/:id/members')
@namesInPath({ id: organizations })
export class OrganizationMembersController {
  constructor(private readonly reader: ResourceReader) {}

  @ApiOperation({
    operationId: 'listOrganizationMembers',
    tag: 'Organizations',
    summary: 'List the users of an organization and of all organizations below it',
    lists: users,
  })
  @Get()
  @AnyParameters()
  async list(
    @Param('id') id: string,
    @List(users) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    await this.reader.get(organizations, plan.caller, id);
    return answerList(this.reader, within(plan, MEMBERS, { organization: id }), response);
  }
}
