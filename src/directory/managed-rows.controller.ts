import { Controller, Delete, HttpCode, Injectable, Param } from '@nestjs/common';
import { Database } from '../database/database.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { Resource } from '../resources/resource.js';
import { uriOf } from '../resources/uri.js';
import { type AuditContext, AuditService } from '../security/audit.service.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { groups } from './group.resource.js';
import { release } from './managed-rows.js';
import { users } from './user.resource.js';

/** Releases an object from its provider, so that it can be edited here (docs/api-contract.md#providers). */
@Injectable()
abstract class ManagedRows {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditService,
  ) {}

  protected releaseOne(
    resource: Resource,
    caller: Caller,
    auditContext: AuditContext,
    id: string,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const { representation } = await this.reader.get(resource, caller, id, transaction);
      const { managedBy } = representation;
      if (managedBy === null) return;
      await release(transaction, resource, { id });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(resource.ref.uri, id),
        before: { managedBy },
        after: { managedBy: null },
      });
    });
  }
}

@Controller('api/v2/directory/users/:id/managed-by')
@namesInPath({ id: users })
export class ManagedUserController extends ManagedRows {
  @ApiOperation({
    operationId: 'releaseUser',
    tag: 'Users',
    summary: 'Release a user from the provider that manages it',
  })
  @Delete()
  @RequirePermission('providers:change')
  @HttpCode(204)
  release(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    return this.releaseOne(users, caller, auditContext, id);
  }
}

@Controller('api/v2/directory/groups/:id/managed-by')
@namesInPath({ id: groups })
export class ManagedGroupController extends ManagedRows {
  @ApiOperation({
    operationId: 'releaseGroup',
    tag: 'Groups',
    summary: 'Release a group from the provider that manages it',
  })
  @Delete()
  @RequirePermission('providers:change')
  @HttpCode(204)
  release(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
  ): Promise<void> {
    return this.releaseOne(groups, caller, auditContext, id);
  }
}
