import { Controller, Inject } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { resourceController } from '../resources/http/resource.controller.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { roleAssignments, roles } from './role.resource.js';
import { assignmentHooks, roleHooks } from './role.rules.js';

/** What roles permit (docs/api-contract.md#roles). */
@Controller('api/v2/directory/roles')
export class RolesController extends resourceController(roles) {
  @Inject(Notifications) notifications!: Notifications;
  override hooks: WriteHooks = {
    ...roleHooks,
    // Makes changed rights effective for the next request.
    afterCommit: () => this.notifications.waitUntilDelivered(),
  };
}

/** Who has which role (docs/api-contract.md#roles). */
@Controller('api/v2/directory/role-assignments')
export class RoleAssignmentsController extends resourceController(roleAssignments) {
  @Inject(Notifications) notifications!: Notifications;
  override hooks: WriteHooks = {
    ...assignmentHooks,
    // As for roles.
    afterCommit: () => this.notifications.waitUntilDelivered(),
  };
}
