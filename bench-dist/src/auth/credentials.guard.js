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
import { AuthGuard } from '@nestjs/passport';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PasswordStrategy } from './password.strategy.js';
/**
 * Proves who signs in, by the first strategy that knows the credential (interface: Authentication).
 * The strategies are handed over themselves: by their names passport would find those of whichever
 * application of this process was made last. Each request gets objects of its own, as passport does
 * with names: it writes the request's outcome into them, and requests overlap.
 */
let CredentialsGuard = class CredentialsGuard extends AuthGuard() {
    constructor(bearer, apiKey, password) {
        const strategies = [bearer, apiKey, password];
        super({
            get defaultStrategy() {
                return strategies.map((strategy) => Object.create(strategy));
            },
        });
    }
};
CredentialsGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [BearerStrategy, ApiKeyStrategy, PasswordStrategy])
], CredentialsGuard);
export { CredentialsGuard };
//# sourceMappingURL=credentials.guard.js.map