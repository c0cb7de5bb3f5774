var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Admission } from './admission.js';
import { DescriptionController } from './description.controller.js';
import { HealthController } from './health.controller.js';
import { ServiceController } from './service.controller.js';
import { UnknownRouteController } from './unknown-route.controller.js';
/** What runs the server wants to know. Stands last: its last route takes what is left. */
let OperationsModule = class OperationsModule {
};
OperationsModule = __decorate([
    Module({
        imports: [DiscoveryModule],
        providers: [Admission],
        controllers: [DescriptionController, HealthController, ServiceController, UnknownRouteController],
    })
], OperationsModule);
export { OperationsModule };
//# sourceMappingURL=operations.module.js.map