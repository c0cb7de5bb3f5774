var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-custom';
import { isApiKey } from '../credentials/api-keys.service.js';
import { originOf } from '../security/origin.js';
import { credentialsOf } from './password.strategy.js';
import { SignInService } from './sign-in.service.js';
/** Variant B: login and API key in the body; told from a password by its shape. */
let ApiKeyStrategy = class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') {
    signIn;
    constructor(signIn) {
        super();
        this.signIn = signIn;
    }
    async validate(request) {
        const credentials = credentialsOf(request);
        if (!isApiKey(credentials.password))
            return null;
        return this.signIn.byApiKey(credentials, originOf(request));
    }
};
ApiKeyStrategy = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [SignInService])
], ApiKeyStrategy);
export { ApiKeyStrategy };
//# sourceMappingURL=api-key.strategy.js.map