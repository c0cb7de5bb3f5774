var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { AuthenticationController } from './authentication.controller.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsGuard } from './credentials.guard.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityProvider } from './identity-provider.service.js';
import { PasswordStrategy } from './password.strategy.js';
import { SignInService } from './sign-in.service.js';
/** Proving who the caller is. */
let AuthModule = class AuthModule {
};
AuthModule = __decorate([
    Module({
        controllers: [AuthenticationController],
        providers: [
            ApiKeyStrategy,
            BearerStrategy,
            CredentialsGuard,
            IdentitiesService,
            IdentityProvider,
            PasswordStrategy,
            SignInService,
        ],
    })
], AuthModule);
export { AuthModule };
//# sourceMappingURL=auth.module.js.map