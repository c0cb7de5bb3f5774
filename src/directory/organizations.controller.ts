import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { organizations } from './organization.resource.js';

@Controller('api/v2/directory/organizations')
export class OrganizationsController extends resourceController(organizations) {}
