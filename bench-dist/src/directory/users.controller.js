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
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { PasswordsService } from '../credentials/passwords.service.js';
import { resourceController } from '../resources/resource-controller.js';
import { CurrentCaller } from '../security/caller.js';
import { Public } from '../security/roles.guard.js';
import { UserRules } from './user.rules.js';
import { users } from './user.resource.js';
/** interface: GET {base_url}/api/v2/directory/users */
let UsersController = class UsersController extends resourceController(users) {
    rules;
    /** The caller, detailed. */
    me(caller, response) {
        return this.get(caller, caller.id, response);
    }
};
__decorate([
    Inject(UserRules),
    __metadata("design:type", UserRules)
], UsersController.prototype, "rules", void 0);
__decorate([
    Get('me'),
    __param(0, CurrentCaller()),
    __param(1, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], UsersController.prototype, "me", null);
UsersController = __decorate([
    Controller('api/v2/directory/users')
], UsersController);
export { UsersController };
/** The rules in force, so that a portal can show them before somebody types a password. */
let PasswordRulesController = class PasswordRulesController {
    passwords;
    constructor(passwords) {
        this.passwords = passwords;
    }
    rules() {
        return this.passwords.rules();
    }
};
__decorate([
    Get(),
    Public(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Promise)
], PasswordRulesController.prototype, "rules", null);
PasswordRulesController = __decorate([
    Controller('api/v2/directory/password-rules'),
    __metadata("design:paramtypes", [PasswordsService])
], PasswordRulesController);
export { PasswordRulesController };
//# sourceMappingURL=users.controller.js.map