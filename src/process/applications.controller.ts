import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { applications } from './application.resource.js';

@Controller('api/v2/navigation/applications')
export class ApplicationsController extends resourceController(applications) {}
