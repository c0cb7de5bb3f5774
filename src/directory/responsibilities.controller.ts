import { Controller, Get, Param } from '@nestjs/common';
import { missingPermission } from '../base/errors/api-errors.js';
import { ANY } from '../base/rights/permissions.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { Access, asking } from '../security/access.guard.js';
import {
  RESPONSIBILITIES,
  readResponsibilities,
  type Responsibilities,
} from './responsibilities.js';
import { users } from './user.resource.js';

/** People see their own; everybody else needs the permission to read the user completely. */
const readsAccount = asking<ResponsibilitiesController>(
  'users:read',
  async ({ reader }, caller, { id = '' }) => {
    await reader.get(users, caller, id);
    if (caller.id === id) return;
    const permission = 'users:read';
    const granted = await reader.granted(users, caller, { permission, id });
    if (!granted.has(ANY)) throw missingPermission(permission);
  },
);

/** What depends on a user (docs/api-contract.md#people-who-leave). */
@Controller('api/v2/directory/users/:id')
@namesInPath({ id: users })
export class ResponsibilitiesController {
  constructor(readonly reader: ResourceReader) {}

  @ApiOperation({
    operationId: 'getResponsibilities',
    tag: 'Users',
    summary: 'Count what waits for a user or is in the name of the user, before the user leaves',
    answer: RESPONSIBILITIES,
  })
  @Get('responsibilities')
  @Access(readsAccount)
  get(@Param('id') id: string): Promise<Responsibilities> {
    return readResponsibilities(this.reader.database, id);
  }
}
