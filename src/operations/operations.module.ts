import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ServiceController } from './service.controller.js';
import { UnknownRouteController } from './unknown-route.controller.js';

/** What runs the server wants to know. Stands last: its last route takes what is left. */
@Module({ controllers: [HealthController, ServiceController, UnknownRouteController] })
export class OperationsModule {}
