import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/journal.module.js';
import { ProcessModule } from '../process/process.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { SecurityModule } from '../security/security.module.js';
import { Dispatcher } from './push/dispatcher.service.js';
import { EndpointAlertsController } from './endpoints/endpoint-alerts.controller.js';
import { EndpointRules } from './endpoints/endpoint-rules.service.js';
import { EndpointSettingsService } from './settings/endpoint-settings.service.js';
import { Endpoint } from './endpoints/endpoint.entity.js';
import { EndpointSecret } from './settings/endpoint-secret.entity.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { ExternalTasksController } from './pull/external-tasks.controller.js';
import { WorkController } from './pull/work.controller.js';
import { WorkQueue } from './pull/work-queue.service.js';

/** Endpoints, and the events of tasks that the server pushes to them or workers fetch from them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Endpoint, EndpointSecret]),
    JournalModule,
    ProcessModule,
    ResourcesModule,
    SecurityModule,
  ],
  controllers: [
    EndpointAlertsController,
    EndpointsController,
    WorkController,
    ExternalTasksController,
  ],
  providers: [Dispatcher, EndpointRules, EndpointSettingsService, EndpointsService, WorkQueue],
  exports: [Dispatcher],
})
export class DeliveriesModule {}
