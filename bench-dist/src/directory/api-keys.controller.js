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
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AnyParameters } from '../negotiation/content.guard.js';
import { validateBody } from '../negotiation/validate-body.js';
import { answerList, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { ApiKeyBody } from './account.bodies.js';
import { AccountService } from './account.service.js';
import { apiKeys } from './session.resource.js';
import { UserKeysService } from './user-keys.service.js';
/** The API keys of a user: their own, or anyone's for administrators. */
let ApiKeysController = class ApiKeysController {
    account;
    keys;
    reader;
    constructor(account, keys, reader) {
        this.account = account;
        this.keys = keys;
        this.reader = reader;
    }
    async list(id, call) {
        await this.account.requireManaged(call.caller, id);
        return answerList(this.reader, apiKeys, call, (bind) => `t.user_id = ${bind(id)}`);
    }
    /** The one answer that holds the key itself. */
    async create(caller, origin, id, body) {
        await this.account.requireManaged(caller, id);
        return this.keys.make(origin, id, validateBody(ApiKeyBody, body));
    }
    /** The tokens that were issued for the key end with it. */
    async delete(caller, origin, id, keyId) {
        await this.account.requireManaged(caller, id);
        await this.keys.delete(origin, id, keyId);
    }
};
__decorate([
    Get(),
    AnyParameters(),
    __param(0, Param('id')),
    __param(1, ListOf(apiKeys)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String, Object]),
    __metadata("design:returntype", Promise)
], ApiKeysController.prototype, "list", null);
__decorate([
    Post(),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, Object]),
    __metadata("design:returntype", Promise)
], ApiKeysController.prototype, "create", null);
__decorate([
    Delete(':keyId'),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Param('keyId')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, String]),
    __metadata("design:returntype", Promise)
], ApiKeysController.prototype, "delete", null);
ApiKeysController = __decorate([
    Controller('api/v2/directory/users/:id/api-keys'),
    __metadata("design:paramtypes", [AccountService,
        UserKeysService,
        ResourceReader])
], ApiKeysController);
export { ApiKeysController };
//# sourceMappingURL=api-keys.controller.js.map