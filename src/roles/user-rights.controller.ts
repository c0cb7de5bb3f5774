import { Controller, Get, Param } from '@nestjs/common';
import { missingPermission } from '../base/errors/api-errors.js';
import type { Permission } from '../base/rights/permissions.js';
import { users } from '../directory/user.resource.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, listOf, orNull, REF, text } from '../resources/openapi/schemas.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { Access, asking } from '../security/access.guard.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { rightsOf, type UserRight } from './user-rights.js';

const USER_RIGHTS = namedSchema(
  'UserRights',
  atLeast({
    permissions: listOf(
      atLeast({
        permission: text,
        attributes: orNull(listOf(text)),
        role: REF,
        organization: orNull(REF),
        group: orNull(REF),
        application: orNull(REF),
        assignment: text,
      }),
    ),
  }),
);

const READ: Permission = 'role-assignments:read';

/** People read their own rights; those of others are what their assignments say. */
const readsRights = asking<UserRightsController>(READ, async ({ reader }, caller, { id = '' }) => {
  await reader.get(users, caller, id);
  if (caller.id !== id && !caller.rights.permits(READ)) throw missingPermission(READ);
});

/** What a user may do, and why (docs/api-contract.md#roles). */
@Controller('api/v2/directory/users/:id/rights')
@namesInPath({ id: users })
export class UserRightsController {
  constructor(readonly reader: ResourceReader) {}

  @ApiOperation({
    operationId: 'getUserRights',
    tag: 'Users',
    summary: 'List what a user may do, with the roles that permit it and where',
    answer: USER_RIGHTS,
  })
  @Get()
  @Access(readsRights)
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
  ): Promise<{ permissions: UserRight[] }> {
    return { permissions: await rightsOf(this.reader, caller, id) };
  }
}
