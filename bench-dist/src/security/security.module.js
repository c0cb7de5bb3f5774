var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Global, Module } from '@nestjs/common';
import { AddressRule } from './address-rule.js';
import { AuditService } from './audit.service.js';
import { ClientAddressService } from './client-address.service.js';
import { ParametersService } from './parameters.service.js';
import { RefusalLog } from './refusal-log.js';
/** Who may call at all: addresses, server parameters, the audit trail. */
let SecurityModule = class SecurityModule {
};
SecurityModule = __decorate([
    Global(),
    Module({
        providers: [AddressRule, AuditService, ClientAddressService, ParametersService, RefusalLog],
        exports: [AddressRule, AuditService, ClientAddressService, ParametersService, RefusalLog],
    })
], SecurityModule);
export { SecurityModule };
//# sourceMappingURL=security.module.js.map