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
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { notFound } from '../errors/refusals.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { validateBody } from '../negotiation/validate-body.js';
import { answerList, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { isId } from '../resources/uri.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { AdministratorOnly, Public } from '../security/roles.guard.js';
import { InvitationUse, PasswordChange } from './account.bodies.js';
import { AccountService } from './account.service.js';
import { sessions } from './session.resource.js';
/** What belongs to a user's account (decisions: Resources of the main API). */
let AccountController = class AccountController {
    account;
    reader;
    constructor(account, reader) {
        this.account = account;
        this.reader = reader;
    }
    async changePassword(caller, origin, id, body) {
        const change = validateBody(PasswordChange, body);
        await this.account.changePassword(caller, origin, id, change);
    }
    async sessions(id, call) {
        await this.account.requireManaged(call.caller, id);
        return answerList(this.reader, sessions, call, (bind) => `t.user_id = ${bind(id)} AND t.expiration > now()`);
    }
    async endAll(caller, origin, id) {
        await this.account.requireManaged(caller, id);
        await this.account.endSessions(origin, id);
    }
    async endOne(caller, origin, id, tokenId) {
        await this.account.requireManaged(caller, id);
        if (!isId(tokenId) || (await this.account.endSessions(origin, id, tokenId)) === 0)
            throw notFound();
    }
    /** Ends a lock after too many failures. */
    async unlock(caller, origin, id) {
        await this.account.requireManaged(caller, id);
        await this.account.unlock(origin, id);
    }
    invite(caller, origin, id) {
        return this.account.invite(caller, origin, id);
    }
};
__decorate([
    Put('password'),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, Object]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "changePassword", null);
__decorate([
    Get('tokens'),
    AnyParameters(),
    __param(0, Param('id')),
    __param(1, ListOf(sessions)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String, Object]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "sessions", null);
__decorate([
    Delete('tokens'),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "endAll", null);
__decorate([
    Delete('tokens/:tokenId'),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Param('tokenId')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, String]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "endOne", null);
__decorate([
    Delete('lock'),
    AdministratorOnly(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "unlock", null);
__decorate([
    Post('invitation'),
    AdministratorOnly(),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], AccountController.prototype, "invite", null);
AccountController = __decorate([
    Controller('api/v2/directory/users/:id'),
    __metadata("design:paramtypes", [AccountService,
        ResourceReader])
], AccountController);
export { AccountController };
/** Uses an invitation; open within the address rule, since who uses it has no password yet. */
let InvitationsController = class InvitationsController {
    account;
    constructor(account) {
        this.account = account;
    }
    async use(origin, body) {
        const { code, password } = validateBody(InvitationUse, body);
        await this.account.useInvitation(origin, code, password);
    }
};
__decorate([
    Post(),
    Public(),
    HttpCode(204),
    __param(0, RequestOrigin()),
    __param(1, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], InvitationsController.prototype, "use", null);
InvitationsController = __decorate([
    Controller('api/v2/directory/invitations'),
    __metadata("design:paramtypes", [AccountService])
], InvitationsController);
export { InvitationsController };
//# sourceMappingURL=account.controller.js.map