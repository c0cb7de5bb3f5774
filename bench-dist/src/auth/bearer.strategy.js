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
import { badCredentials, invalidField } from '../errors/refusals.js';
import { hasBody } from '../negotiation/body.js';
import { originOf } from '../security/origin.js';
import { IdentityProvider } from './identity-provider.service.js';
import { SignInService } from './sign-in.service.js';
/** RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1). */
const SCHEME = /^Bearer +(\S+)$/i;
/** Variant C: a token of the identity provider in the header, and no body. The first to be asked. */
let BearerStrategy = class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
    signIn;
    provider;
    constructor(signIn, provider) {
        super();
        this.signIn = signIn;
        this.provider = provider;
    }
    async validate(request) {
        const given = request.headersDistinct.authorization;
        if (given === undefined)
            return null;
        if (hasBody(request))
            throw invalidField('Authorization', 'give either a body or an Authorization header');
        const token = given.length === 1 ? SCHEME.exec(given[0])?.[1] : undefined;
        const identify = async () => {
            if (token === undefined)
                throw badCredentials('bearer');
            return this.provider.identify(token);
        };
        return this.signIn.byIdentity(identify, originOf(request));
    }
};
BearerStrategy = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [SignInService,
        IdentityProvider])
], BearerStrategy);
export { BearerStrategy };
//# sourceMappingURL=bearer.strategy.js.map