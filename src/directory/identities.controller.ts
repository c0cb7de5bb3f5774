import { Controller, Delete, Get, HttpCode, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { notFound } from '../base/errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import { Access } from '../security/access.guard.js';
import type { AuditContext } from '../security/audit.service.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { AccountService } from './account.service.js';
import { managesAccount } from './manages-account.js';
import { identities } from './identity.resource.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The identities of a user at the identity provider. Users manage their own, administrators anyone's. */
@Controller('api/v2/directory/users/:id/identities')
@namesInPath({ id: users })
export class IdentitiesController {
  constructor(
    readonly reader: ResourceReader,
    private readonly account: AccountService,
  ) {}

  @ApiOperation({
    operationId: 'listIdentities',
    tag: 'Users',
    summary: 'List the identities of a user at the identity provider',
    lists: identities,
  })
  @Get()
  @Access(managesAccount('users:set-credentials'))
  @AnyParameters()
  list(
    @Param('id') id: string,
    @List(identities) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, within(plan, 't.user_id = :user', { user: id }), response);
  }

  /** Unbinds all identities and ends the sessions of the user. */
  @ApiOperation({
    operationId: 'deleteIdentities',
    tag: 'Users',
    summary: 'Unbind all identities of a user and end the sessions',
  })
  @Delete()
  @Access(managesAccount('users:set-credentials'))
  @HttpCode(204)
  async unbindAll(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.unbindIdentities(auditContext, id);
  }

  @ApiOperation({
    operationId: 'deleteIdentity',
    tag: 'Users',
    summary: 'Unbind one identity of a user and end the sessions',
  })
  @Delete(':identityId')
  @Access(managesAccount('users:set-credentials'))
  @HttpCode(204)
  async unbind(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('identityId', IdPipe) identityId: string,
  ): Promise<void> {
    if ((await this.account.unbindIdentities(auditContext, id, identityId)) === 0) throw notFound();
  }
}
