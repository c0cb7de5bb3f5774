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
import { Controller, Delete, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { users } from '../directory/user.resource.js';
import { presentRef } from '../resources/ref.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { Public } from '../security/roles.guard.js';
import { CredentialsGuard } from './credentials.guard.js';
import { SignInService } from './sign-in.service.js';
let AuthenticationController = class AuthenticationController {
    signIn;
    constructor(signIn) {
        this.signIn = signIn;
    }
    /** interface: POST {base_url}/api/v2/authentication; the credential itself tells the variant. */
    authenticate(request, origin) {
        return this.signIn.issueToken(request.user, origin);
    }
    session(caller) {
        const { id, login, title, expiration, administrator } = caller;
        return { user: presentRef(users.ref, id, login, title), expiration, administrator };
    }
    async signOut({ tokenId }, origin) {
        await this.signIn.signOut(tokenId, origin);
    }
};
__decorate([
    Post(),
    HttpCode(200),
    Public(),
    UseGuards(CredentialsGuard),
    __param(0, Req()),
    __param(1, RequestOrigin()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], AuthenticationController.prototype, "authenticate", null);
__decorate([
    Get(),
    __param(0, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Object)
], AuthenticationController.prototype, "session", null);
__decorate([
    Delete(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], AuthenticationController.prototype, "signOut", null);
AuthenticationController = __decorate([
    Controller('api/v2/authentication'),
    __metadata("design:paramtypes", [SignInService])
], AuthenticationController);
export { AuthenticationController };
//# sourceMappingURL=authentication.controller.js.map