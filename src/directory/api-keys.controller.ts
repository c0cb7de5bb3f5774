import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { managesAccount } from './manages-account.js';
import { notFound } from '../base/errors/api-errors.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { answerList } from '../resources/http/answer-list.js';
import { List } from '../resources/http/list.pipe.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { AuditContext } from '../security/audit.service.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import { Access } from '../security/access.guard.js';
import { RecentProofGuard } from '../security/recent-proof.guard.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { ApiKeyDto } from './api-key.dto.js';
import { apiKeys } from './api-key.resource.js';
import { NEW_API_KEY } from './api-key.schemas.js';
import { ApiKeysService, type NewApiKey } from '../auth/credentials/api-keys.service.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The API keys of a user. Users manage their own keys, administrators anyone's. */
@Controller('api/v2/directory/users/:id/api-keys')
@namesInPath({ id: users })
export class ApiKeysController {
  constructor(
    readonly reader: ResourceReader,
    private readonly keys: ApiKeysService,
  ) {}

  @ApiOperation({
    operationId: 'listApiKeys',
    tag: 'Users',
    summary: 'List the API keys of a user',
    lists: apiKeys,
  })
  @Get()
  @Access(managesAccount('users:set-credentials'))
  @AnyParameters()
  list(
    @Param('id') id: string,
    @List(apiKeys) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return answerList(this.reader, within(plan, 't.user_id = :user', { user: id }), response);
  }

  /** The only answer that holds the key itself. A key outlives the session, so it requires a recent proof. */
  @ApiOperation({
    operationId: 'createApiKey',
    tag: 'Users',
    summary: 'Create an API key; only this response shows it',
    answer: NEW_API_KEY,
  })
  @Post()
  @Access(managesAccount('users:set-credentials'))
  @UseGuards(RecentProofGuard)
  create(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) key: ApiKeyDto,
  ): Promise<NewApiKey> {
    return this.keys.create(auditContext, id, key);
  }

  /** Deletes all keys, with the tokens issued for them. */
  @ApiOperation({
    operationId: 'deleteApiKeys',
    tag: 'Users',
    summary: 'Delete all API keys of a user and end the sessions that they opened',
  })
  @Delete()
  @Access(managesAccount('users:set-credentials'))
  @HttpCode(204)
  async deleteAll(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    await this.keys.delete(auditContext, id);
  }

  /** Deletes a key, with the tokens issued for it. */
  @ApiOperation({
    operationId: 'deleteApiKey',
    tag: 'Users',
    summary: 'Delete an API key and end the sessions that it opened',
  })
  @Delete(':keyId')
  @Access(managesAccount('users:set-credentials'))
  @HttpCode(204)
  async delete(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Param('keyId', IdPipe) keyId: string,
  ): Promise<void> {
    if ((await this.keys.delete(auditContext, id, keyId)) === 0) throw notFound();
  }
}
