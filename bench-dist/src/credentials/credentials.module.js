var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Global, Module } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service.js';
import { PasswordsService } from './passwords.service.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { TokensService } from './tokens.service.js';
/** Passwords, tokens, keys and locks, keyed by a plain user id. */
let CredentialsModule = class CredentialsModule {
};
CredentialsModule = __decorate([
    Global(),
    Module({
        providers: [ApiKeysService, PasswordsService, SignInLimits, TokensService],
        exports: [ApiKeysService, PasswordsService, SignInLimits, TokensService],
    })
], CredentialsModule);
export { CredentialsModule };
//# sourceMappingURL=credentials.module.js.map