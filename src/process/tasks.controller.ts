import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { tasks } from './task.resource.js';

@Controller('api/v2/process/tasks')
export class TasksController extends resourceController(tasks) {}
