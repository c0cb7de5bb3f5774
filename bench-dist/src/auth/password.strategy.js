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
import { hasBody } from '../negotiation/body.js';
import { validateBody } from '../negotiation/validate-body.js';
import { originOf } from '../security/origin.js';
import { Credentials } from './credentials.js';
import { SignInService } from './sign-in.service.js';
/** The payload of variants A and B; what is missing is a 400 that names it. */
export const credentialsOf = (request) => validateBody(Credentials, hasBody(request) ? request.body : {});
/** Variant A: login and password in the body. The last to be asked. */
let PasswordStrategy = class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
    signIn;
    constructor(signIn) {
        super();
        this.signIn = signIn;
    }
    validate(request) {
        return this.signIn.byPassword(credentialsOf(request), originOf(request));
    }
};
PasswordStrategy = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [SignInService])
], PasswordStrategy);
export { PasswordStrategy };
//# sourceMappingURL=password.strategy.js.map