import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AnyParameters } from '../negotiation/content.guard.js';
import { validateBody } from '../negotiation/validate-body.js';
import { answerList, type ListCall, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { Origin } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { Access } from '../security/access.guard.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { RequestOrigin } from '../security/origin.js';
import { managesAccount } from './account.controller.js';
import { ApiKeyBody } from './account.bodies.js';
import { AccountService } from './account.service.js';
import { apiKeys } from './session.resource.js';
import { type NewApiKey, UserKeysService } from './user-keys.service.js';

/** The API keys of a user: their own, or anyone's for administrators. */
@Controller('api/v2/directory/users/:id/api-keys')
export class ApiKeysController {
  constructor(
    readonly account: AccountService,
    private readonly keys: UserKeysService,
    private readonly reader: ResourceReader,
  ) {}

  @Get()
  @Access(managesAccount)
  @AnyParameters()
  list(
    @Param('id') id: string,
    @ListOf(apiKeys) call: ListCall,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, apiKeys, call, (bind) => `t.user_id = ${bind(id)}`);
  }

  /** The one answer that holds the key itself. A key lasts, so it asks for a recent proof. */
  @Post()
  @Access(managesAccount)
  create(
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<NewApiKey> {
    requireRecentProof(caller);
    return this.keys.make(origin, id, validateBody(ApiKeyBody, body));
  }

  /** Ends all keys, and the tokens that were issued for them. */
  @Delete()
  @Access(managesAccount)
  @HttpCode(204)
  async deleteAll(@RequestOrigin() origin: Origin, @Param('id') id: string): Promise<void> {
    await this.keys.deleteAll(origin, id);
  }

  /** The tokens that were issued for the key end with it. */
  @Delete(':keyId')
  @Access(managesAccount)
  @HttpCode(204)
  async delete(
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Param('keyId') keyId: string,
  ): Promise<void> {
    await this.keys.delete(origin, id, keyId);
  }
}
