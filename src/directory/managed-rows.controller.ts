import { Controller, Delete, HttpCode, Param, type Type } from '@nestjs/common';
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
function managedByController(resource: Resource, tag: string): Type {
  @Controller(`api/v2${resource.ref.uri}/:id/managed-by`)
  @namesInPath({ id: resource })
  class ManagedBy {
    constructor(
      private readonly database: Database,
      private readonly reader: ResourceReader,
      private readonly audit: AuditService,
    ) {}

    @ApiOperation({
      operationId: `release${resource.schemaName}`,
      tag,
      summary: `Release ${resource.nounWithArticle} from the provider that manages it`,
    })
    @Delete()
    @RequirePermission('providers:change')
    @HttpCode(204)
    release(
      @CurrentCaller() caller: Caller,
      @CurrentAuditContext() auditContext: AuditContext,
      @Param('id') id: string,
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
  return ManagedBy;
}

export class ManagedUserController extends managedByController(users, 'Users') {}
export class ManagedGroupController extends managedByController(groups, 'Groups') {}
