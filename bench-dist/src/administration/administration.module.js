var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { AddressCheckController } from './address-check.controller.js';
import { AuditController } from './audit.controller.js';
import { ParametersController } from './parameters.controller.js';
import { ServerParametersService } from './server-parameters.service.js';
/** What administrators set and look at: server parameters, addresses, the audit trail. */
let AdministrationModule = class AdministrationModule {
};
AdministrationModule = __decorate([
    Module({
        controllers: [AddressCheckController, AuditController, ParametersController],
        providers: [ServerParametersService],
        exports: [ServerParametersService],
    })
], AdministrationModule);
export { AdministrationModule };
//# sourceMappingURL=administration.module.js.map