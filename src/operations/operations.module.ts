import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ChangesModule } from '../changes/changes.module.js';
import { CredentialsModule } from '../auth/credentials/credentials.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { JournalModule } from '../journal/journal.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { NavigationModule } from '../navigation/navigation.module.js';
import { LiveCountersModule } from '../navigation/live/live-counters.module.js';
import { LoadShedder } from '../http/load-shedding.js';
import { OpenApiController } from '../resources/openapi/openapi.controller.js';
import { SecurityModule } from '../security/security.module.js';
import { TracingModule } from '../http/tracing/tracing.module.js';
import { AttributesController } from './attributes.controller.js';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import { Readiness } from './readiness.js';
import { RequestTracing } from './request-tracing.js';
import { ServiceDescriptionController } from './service-description.controller.js';
import { UnknownRouteController } from './unknown-route.controller.js';

/** Health, logs and metrics for operators. Imported last: its last route takes every unmatched path. */
@Module({
  imports: [
    ChangesModule,
    DiscoveryModule,
    CredentialsModule,
    DeliveriesModule,
    JournalModule,
    LiveCountersModule,
    NavigationModule,
    ResourcesModule,
    SecurityModule,
    TracingModule,
  ],
  providers: [LoadShedder, Metrics, MetricsServer, Readiness, RequestTracing],
  controllers: [
    AttributesController,
    OpenApiController,
    HealthController,
    ServiceDescriptionController,
    UnknownRouteController,
  ],
})
export class OperationsModule {}
