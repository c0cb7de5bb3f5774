import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail/mail.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { Absence } from './absences/absence.entity.js';
import { AbsenceMails } from './absences/absence-mails.service.js';
import { AbsenceRules } from './absences/absence.rules.js';
import { AbsenceSwitch } from './absences/absence-switch.service.js';
import { AbsencesController } from './absences/absences.controller.js';
import { Application } from './applications/application.entity.js';
import { ApplicationsController } from './applications/applications.controller.js';
import { BulkController } from './tasks/bulk.controller.js';
import { CategoriesController } from './applications/categories.controller.js';
import { Category } from './applications/category.entity.js';
import { ClaimController } from './tasks/claim.controller.js';
import { TaskClaims } from './tasks/claims.service.js';
import { TaskComment } from './tasks/comment.entity.js';
import { CommentsController } from './tasks/comments.controller.js';
import { Assignments } from './tasks/assignments.service.js';
import { HandoverController } from './leavers/handover.controller.js';
import { Handovers } from './leavers/handover.service.js';
import { HistoryController } from './tasks/history.controller.js';
import { PushController } from './push/push.controller.js';
import { TaskPush } from './push/push.service.js';
import { UnknownNamesController } from './push/unknown-names.controller.js';
import { Source } from './tasks/source.entity.js';
import { SourcesController } from './tasks/sources.controller.js';
import { TaskFile } from './tasks/task-file.entity.js';
import { TaskFilesController } from './tasks/task-files.controller.js';
import { TaskFiles } from './tasks/task-files.service.js';
import { TaskFilter } from './inbox/task-filter.entity.js';
import { InboxFiltersController, TaskFiltersController } from './inbox/task-filters.controller.js';
import { TaskEnds } from './tasks/task-end.js';
import { Task } from './tasks/task.entity.js';
import { TaskRetention } from './tasks/task-retention.js';
import { TasksController } from './tasks/tasks.controller.js';
import { TilesController } from './tiles/tiles.controller.js';
import { WaitingTasksController } from './inbox/waiting-tasks.controller.js';
import { View } from './tiles/view.entity.js';
import { ViewPreviewController } from './tiles/view-preview.controller.js';
import { ViewsController } from './tiles/views.controller.js';

/** Categories, applications, their tasks and views. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Category,
      Application,
      Source,
      Absence,
      Task,
      TaskComment,
      TaskFile,
      TaskFilter,
      View,
    ]),
    MailModule,
    ResourcesModule,
    SecurityModule,
  ],
  controllers: [
    CategoriesController,
    ApplicationsController,
    SourcesController,
    UnknownNamesController,
    AbsencesController,
    PushController,
    ClaimController,
    HandoverController,
    BulkController,
    CommentsController,
    HistoryController,
    TaskFilesController,
    // Before the tasks, whose `:id` would match their paths.
    InboxFiltersController,
    WaitingTasksController,
    TaskFiltersController,
    TasksController,
    // Before the views, whose `:id` would match its path.
    ViewPreviewController,
    ViewsController,
    TilesController,
  ],
  providers: [
    AbsenceMails,
    AbsenceRules,
    AbsenceSwitch,
    Assignments,
    Handovers,
    TaskClaims,
    TaskEnds,
    TaskFiles,
    TaskPush,
    TaskRetention,
  ],
  exports: [TaskEnds],
})
export class ProcessModule {}
