import { Controller } from '@nestjs/common';
import { forbidden, type InvalidField, invalidField } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { ANY } from '../base/rights/permissions.js';
import { resourceController } from '../resources/http/resource.controller.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import type { PendingWrite } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { organizations } from './organization.resource.js';

const CHANGE = 'organizations:change';

@Controller('api/v2/directory/organizations')
export class OrganizationsController extends resourceController(organizations) {
  override hooks: WriteHooks = {
    beforeWrite: (write) => this.requireBothParents(write),
    constraints: {
      organizations_cycle_check: () => invalidField('parent', reason('below-itself')),
    },
  };

  /**
   * A move takes everybody below into the audiences of the new parent, and out of those of the former one: it needs the
   * right to change both.
   * @throws ApiError 403
   */
  private async requireBothParents({
    before,
    values,
    change: { caller },
    transaction,
  }: PendingWrite): Promise<InvalidField[]> {
    const parents = [before?.parent, values.parent].map((parent) =>
      linkIdIn(parent, [organizations.ref.uri]),
    );
    if (!before || parents[0] === parents[1] || caller.rights.permits(CHANGE)) return [];
    for (const id of parents) {
      const permission = { permission: CHANGE, id: id ?? '' } as const;
      const granted = await this.reader.granted(organizations, caller, permission, transaction);
      if (!granted.has(ANY) && !granted.has('parent'))
        throw forbidden(reason('attributes-forbidden', { attributes: ['parent'] }));
    }
    return [];
  }
}
