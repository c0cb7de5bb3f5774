import { Controller, Inject } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { resourceController } from '../resources/http/resource.controller.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { requireRightsOf } from './hand-out.js';
import { serviceAccounts } from './service-account.resource.js';

/** Accounts of programs (docs/api-contract.md#service-accounts). */
@Controller('api/v2/directory/service-accounts')
export class ServiceAccountsController extends resourceController(serviceAccounts) {
  @Inject(Notifications) notifications!: Notifications;
  override hooks: WriteHooks = {
    async beforeWrite({ change: { caller, id }, transaction }) {
      if (id !== undefined) await requireRightsOf(transaction, caller, id, true);
      return [];
    },
    checkDelete: (caller, { id }, transaction) =>
      requireRightsOf(transaction, caller, String(id), true),
    // Makes ended tokens and a new limit effective for the next request.
    afterCommit: () => this.notifications.waitUntilDelivered(),
  };
}
