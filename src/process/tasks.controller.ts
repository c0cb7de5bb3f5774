import { Controller } from '@nestjs/common';
import type { PendingWrite } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { resourceController } from '../resources/resource.controller.js';
import { tasks } from './task.resource.js';

/** Process engines create and close tasks; the assignee may close them too. */
@Controller('api/v2/process/tasks')
export class TasksController extends resourceController(tasks) {
  override hooks: WriteHooks = {
    mayWrite: ({ administrator, processEngine }) => administrator || processEngine,
    // Other callers see a task only if it is assigned to them or to their group.
    isOwner: () => true,
    afterWrite: setCompletionDate,
  };
}

/** Derives the completion date from the status. */
async function setCompletionDate({ transaction }: PendingWrite, id: string): Promise<void> {
  await transaction.rows({
    text: `UPDATE tasks SET completion_date = CASE WHEN status = 'done' THEN coalesce(completion_date, now()) END
      WHERE id = $1 AND (status = 'done') = (completion_date IS NULL)`,
    values: [id],
  });
}
