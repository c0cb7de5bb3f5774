import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail/mail.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { Absence } from './absence.entity.js';
import { AbsenceMails } from './absence-mails.service.js';
import { AbsenceRules } from './absence.rules.js';
import { AbsenceSwitch } from './absence-switch.service.js';
import { AbsencesController } from './absences.controller.js';
import { Application } from './application.entity.js';
import { ApplicationsController } from './applications.controller.js';
import { BulkController } from './bulk.controller.js';
import { CategoriesController } from './categories.controller.js';
import { Category } from './category.entity.js';
import { ClaimController } from './claim.controller.js';
import { TaskClaims } from './claims.service.js';
import { CommentsController } from './comments.controller.js';
import { HistoryController } from './history.controller.js';
import { PushController } from './push/push.controller.js';
import { TaskPush } from './push/push.service.js';
import { UnknownNamesController } from './push/unknown-names.controller.js';
import { Source } from './source.entity.js';
import { SourcesController } from './sources.controller.js';
import { TaskFilesController } from './task-files.controller.js';
import { TaskFiles } from './task-files.service.js';
import { TaskFilter } from './task-filter.entity.js';
import { InboxFiltersController, TaskFiltersController } from './task-filters.controller.js';
import { TaskEnds } from './task-end.js';
import { Task } from './task.entity.js';
import { TasksController } from './tasks.controller.js';
import { TilesController } from './tiles.controller.js';
import { View } from './view.entity.js';
import { ViewPreviewController } from './view-preview.controller.js';
import { ViewsController } from './views.controller.js';

/** Categories, applications, their tasks and views. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Category, Application, Source, Absence, Task, TaskFilter, View]),
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
    BulkController,
    CommentsController,
    HistoryController,
    TaskFilesController,
    InboxFiltersController,
    TaskFiltersController,
    TasksController,
    // Before the views, whose `:id` would match its path.
    ViewPreviewController,
    ViewsController,
    TilesController,
  ],
  providers: [AbsenceMails, AbsenceRules, AbsenceSwitch, TaskClaims, TaskEnds, TaskFiles, TaskPush],
  exports: [TaskEnds],
})
export class ProcessModule {}
