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
import { Reflector } from '@nestjs/core';
import { TokensService } from '../credentials/tokens.service.js';
import { unauthenticated } from '../errors/refusals.js';
import { queryOf } from '../negotiation/query-string.js';
import { setCaller } from '../security/caller.js';
import { originOf } from '../security/origin.js';
import { ParametersService } from '../security/parameters.service.js';
import { isPublic } from '../security/roles.guard.js';
const HEADER = 'x-authentication-key';
const PARAMETER = '_AuthenticationKey';
/** Only these take the token in the query (interface: Authentication). */
const NAVIGATION = /^\/navigation(\/|$)/;
/**
 * Closed by default: a route without @Public() needs a valid token. Main API: the header
 * X-AUTHENTICATION-KEY alone; navigation and search: the query or the header.
 */
let TokenGuard = class TokenGuard {
    reflector;
    tokens;
    parameters;
    constructor(reflector, tokens, parameters) {
        this.reflector = reflector;
        this.tokens = tokens;
        this.parameters = parameters;
    }
    async canActivate(context) {
        if (isPublic(this.reflector, context))
            return true;
        const request = context.switchToHttp().getRequest();
        const token = tokenOf(request);
        const caller = token === undefined ? undefined : await this.tokens.find(token);
        if (!caller)
            throw unauthenticated();
        if (caller.sysadmin) {
            const { sysadminAddresses } = await this.parameters.current();
            if (!sysadminAddresses.has(originOf(request).address ?? ''))
                throw unauthenticated();
        }
        setCaller(request, caller);
        return true;
    }
};
TokenGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector,
        TokensService,
        ParametersService])
], TokenGuard);
export { TokenGuard };
/** The one token of a request. Several headers of one name, or two different tokens, are none. */
function tokenOf(request) {
    const given = [...(request.headersDistinct[HEADER] ?? [])];
    if (NAVIGATION.test(request.path)) {
        const values = queryOf(request).get(PARAMETER) ?? [];
        if (values.length > 1)
            return undefined;
        given.push(...values);
    }
    return new Set(given).size === 1 && (request.headersDistinct[HEADER]?.length ?? 0) <= 1
        ? given[0]
        : undefined;
}
//# sourceMappingURL=token.guard.js.map