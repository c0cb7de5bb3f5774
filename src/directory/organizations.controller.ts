import { Controller } from '@nestjs/common';
import { invalidField } from '../base/errors/api-errors.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { resourceController } from '../resources/http/resource.controller.js';
import { organizations } from './organization.resource.js';
import { reason } from '../base/errors/reason.js';

@Controller('api/v2/directory/organizations')
export class OrganizationsController extends resourceController(organizations) {
  override hooks: WriteHooks = {
    constraints: {
      organizations_cycle_check: () => invalidField('parent', reason('below-itself')),
    },
  };
}
