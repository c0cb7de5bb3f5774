import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { views } from './view.resource.js';

@Controller('api/v2/process/views')
export class ViewsController extends resourceController(views) {}
