import { Controller } from '@nestjs/common';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import { tasks } from './task.resource.js';
import { taskHooks } from './task.rules.js';

/** Process engines create and close tasks; the assignee may close them too. */
@Controller('api/v2/process/tasks')
export class TasksController extends resourceController(tasks) {
  override hooks: WriteHooks = taskHooks;
}
