var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { tasks } from './task.resource.js';
/** Process engines create and close tasks; whoever a task waits for may close it. */
let TasksController = class TasksController extends resourceController(tasks) {
    rules = {
        mayWrite: ({ administrator, processEngine }) => administrator || processEngine,
        // Others see a task only when it waits for them or their group.
        isOwner: () => true,
        stored: setCompletionDate,
    };
};
TasksController = __decorate([
    Controller('api/v2/process/tasks')
], TasksController);
export { TasksController };
/** The date of completion follows the status. */
async function setCompletionDate({ id, transaction }) {
    await transaction.rows({
        text: `UPDATE tasks SET completion_date = CASE WHEN status = 'done' THEN coalesce(completion_date, now()) END
      WHERE id = $1 AND (status = 'done') = (completion_date IS NULL)`,
        values: [id],
    });
}
//# sourceMappingURL=tasks.controller.js.map