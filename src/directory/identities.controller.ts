import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { notFound } from '../errors/refusals.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { answerList, type ListCall, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { isId } from '../resources/uri.js';
import { Access } from '../security/access.guard.js';
import type { Origin } from '../security/audit.service.js';
import { RequestOrigin } from '../security/origin.js';
import { managesAccount } from './account.controller.js';
import { AccountService } from './account.service.js';
import { identities } from './session.resource.js';

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
  async unbindAll(@RequestOrigin() origin: Origin, @Param('id') id: string): Promise<void> {
    await this.account.unbindIdentities(origin, id);
  }

  @Delete(':identityId')
  @Access(managesAccount)
  @HttpCode(204)
  async unbind(
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Param('identityId') identityId: string,
  ): Promise<void> {
    if (!isId(identityId) || (await this.account.unbindIdentities(origin, id, identityId)) === 0)
      throw notFound();
  }
}
