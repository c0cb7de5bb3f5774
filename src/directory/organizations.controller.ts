import { Controller } from '@nestjs/common';
import { invalidField } from '../errors/refusals.js';
import type { WriteRules } from '../resources/draft.js';
import { resourceController } from '../resources/resource-controller.js';
import { organizations } from './organization.resource.js';

@Controller('api/v2/directory/organizations')
export class OrganizationsController extends resourceController(organizations) {
  override rules: WriteRules = {
    constraints: {
      organizations_cycle_check: () =>
        invalidField('parent', 'would put the organization below itself'),
    },
  };
}
