import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { notFound } from '../errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { answerList, type ListCall, ListOf } from '../resources/list/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { IdPipe } from '../resources/id.pipe.js';
import { Access } from '../security/access.guard.js';
import type { AuditContext } from '../security/audit.service.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { managesAccount } from './account.controller.js';
import { AccountService } from './account.service.js';
import { identities } from './identity.resource.js';

/** The identities of a user at the identity provider: their own, or anyone's for administrators. */
@Controller('api/v2/directory/users/:id/identities')
export class IdentitiesController {
  constructor(
    readonly account: AccountService,
    private readonly reader: ResourceReader,
  ) {}

  @Get()
  @Access(managesAccount)
  @AnyParameters()
  list(
    @Param('id') id: string,
    @ListOf(identities) call: ListCall,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, identities, call, (bind) => `t.user_id = ${bind(id)}`);
  }

  /** Unbinds all; the sessions of the user end. */
  @Delete()
  @Access(managesAccount)
  @HttpCode(204)
  async unbindAll(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.account.unbindIdentities(auditContext, id);
  }

  @Delete(':identityId')
  @Access(managesAccount)
  @HttpCode(204)
  async unbind(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('identityId', IdPipe) identityId: string,
  ): Promise<void> {
    if ((await this.account.unbindIdentities(auditContext, id, identityId)) === 0) throw notFound();
  }
}
