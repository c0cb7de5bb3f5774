var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Controller, Get } from '@nestjs/common';
import { AnyParameters } from '../negotiation/content.guard.js';
import { describeAttributes } from '../resources/describe-attributes.js';
import { answerList, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentCaller } from '../security/caller.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { audit } from './audit.resource.js';
/** decisions: GET /api/v2/administration/audit */
let AuditController = class AuditController {
    reader;
    constructor(reader) {
        this.reader = reader;
    }
    list(call) {
        return answerList(this.reader, audit, call);
    }
    describe(caller) {
        return describeAttributes(audit, caller);
    }
};
__decorate([
    Get(),
    AnyParameters(),
    __param(0, ListOf(audit)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], AuditController.prototype, "list", null);
__decorate([
    Get('attributes'),
    __param(0, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Array)
], AuditController.prototype, "describe", null);
AuditController = __decorate([
    Controller('api/v2/administration/audit'),
    AdministratorOnly(),
    __metadata("design:paramtypes", [ResourceReader])
], AuditController);
export { AuditController };
//# sourceMappingURL=audit.controller.js.map