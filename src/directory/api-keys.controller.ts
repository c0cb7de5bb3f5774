import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Res,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Permission } from '../base/rights/permissions.js';
import type { Resource } from '../resources/resource.js';
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
import { ApiKeyDto, KeyRotationDto } from './api-key.dto.js';
import { apiKeys } from './api-key.resource.js';
import { NEW_API_KEY } from './api-key.schemas.js';
import { ApiKeysService, type NewApiKey } from '../auth/credentials/api-keys.service.js';
import { serviceAccounts } from './service-account.resource.js';
import { users } from './user.resource.js';
import { namesInPath } from '../resources/http/resource.controller.js';

/** The accounts whose keys a controller serves, and how the API description names them. */
interface KeyHolders {
  resource: Resource;
  permission: Permission;
  tag: string;
  /** The keys in the names of the operations, e.g. `ApiKeys`. */
  keys: string;
}

/** Makes the controller of the API keys of accounts, which the holders of the permission manage, and users their own. */
function apiKeysController({ resource, permission, tag, keys }: KeyHolders): Type {
  const access = Access(managesAccount(permission, resource));
  const key = keys.replace(/s$/, '');
  const holder = resource.nounWithArticle;

  @Controller(`api/v2${resource.ref.uri}/:id/api-keys`)
  @namesInPath({ id: resource })
  class Keys {
    constructor(
      readonly reader: ResourceReader,
      private readonly keys: ApiKeysService,
    ) {}

    @ApiOperation({
      operationId: `list${keys}`,
      tag,
      summary: `List the API keys of ${holder}`,
      lists: apiKeys,
    })
    @Get()
    @access
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
      operationId: `create${key}`,
      tag,
      summary: `Create an API key of ${holder}; only this response shows it`,
      answer: NEW_API_KEY,
    })
    @Post()
    @access
    @UseGuards(RecentProofGuard)
    create(
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Body(FixedBodyPipe) options: ApiKeyDto,
    ): Promise<NewApiKey> {
      return this.keys.create(auditContext, id, options);
    }

    /** A new key like the old one, which stays valid for a while, so that programs can change over. */
    @ApiOperation({
      operationId: `rotate${key}`,
      tag,
      summary: 'Replace an API key by a new one; only this response shows it',
      answer: NEW_API_KEY,
    })
    @Post(':keyId/rotation')
    @access
    @UseGuards(RecentProofGuard)
    rotate(
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Param('keyId', IdPipe) keyId: string,
      @Body(FixedBodyPipe) { overlap }: KeyRotationDto,
    ): Promise<NewApiKey> {
      return this.keys.rotate(auditContext, id, { keyId, overlap });
    }

    /** Deletes all keys, with the tokens issued for them. */
    @ApiOperation({
      operationId: `delete${keys}`,
      tag,
      summary: `Delete all API keys of ${holder} and end the sessions that they opened`,
    })
    @Delete()
    @access
    @HttpCode(204)
    async deleteAll(
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
    ): Promise<void> {
      await this.keys.delete(auditContext, id);
    }

    /** Deletes a key, with the tokens issued for it. */
    @ApiOperation({
      operationId: `delete${key}`,
      tag,
      summary: 'Delete an API key and end the sessions that it opened',
    })
    @Delete(':keyId')
    @access
    @HttpCode(204)
    async delete(
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
      @Param('keyId', IdPipe) keyId: string,
    ): Promise<void> {
      if ((await this.keys.delete(auditContext, id, keyId)) === 0) throw notFound();
    }
  }
  return Keys;
}

/** The API keys of users. */
export class ApiKeysController extends apiKeysController({
  resource: users,
  permission: 'users:set-credentials',
  tag: 'Users',
  keys: 'ApiKeys',
}) {}

/** The API keys of service accounts (docs/api-contract.md#service-accounts). */
export class ServiceAccountKeysController extends apiKeysController({
  resource: serviceAccounts,
  permission: 'service-accounts:set-credentials',
  tag: 'Service accounts',
  keys: 'ServiceAccountKeys',
}) {}
