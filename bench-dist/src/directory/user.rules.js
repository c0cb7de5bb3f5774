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
import { MAX_PASSWORD } from '../credentials/password-rules.js';
import { PasswordsService } from '../credentials/passwords.service.js';
import { Notifications } from '../database/notifications.js';
import { conflict, forbidden, invalid } from '../errors/refusals.js';
import { text } from '../resources/attributes.js';
const ACTIVE = 1;
const INVITED = 2;
/** Its login, which cannot change. */
export const SYSADMIN = 'sysadmin';
/** What users add to the common way of writing: the password, defaults, the account of sysadmin. */
let UserRules = class UserRules {
    passwords;
    notifications;
    secret = { password: text({ max: 4096 }) };
    constructor(passwords, notifications) {
        this.passwords = passwords;
        this.notifications = notifications;
    }
    isOwner(caller, before) {
        return caller.id === before.id;
    }
    async check({ values, before, bad, id, transaction, caller }) {
        if (before?.reference === SYSADMIN)
            requireSysadmin(caller);
        const password = typeof values.password === 'string' ? values.password : undefined;
        if (values.title === null || values.title === '')
            values.title = [values.firstName, values.lastName].filter(Boolean).join(' ');
        if (!before && values.status === null)
            values.status = password === undefined ? INVITED : ACTIVE;
        if (password !== undefined && [...password].length > MAX_PASSWORD)
            bad.push({ name: 'password', message: `must have at most ${MAX_PASSWORD} characters` });
        if (before?.reference === SYSADMIN)
            keepSysadmin(values);
        // A body that fails both ways learns of its attributes first.
        if (bad.length > 0)
            throw invalid(bad);
        if (password !== undefined)
            await this.passwords.check(password, id, transaction);
    }
    async stored({ id, values, transaction, caller }) {
        if (typeof values.password !== 'string')
            return;
        const keptTokenId = caller.id === id ? caller.tokenId : undefined;
        await this.passwords.set(id, values.password, transaction, keptTokenId);
    }
    /** Tokens that ended and roles that changed hold for the next call. */
    committed() {
        return this.notifications.settle();
    }
    checkDelete(_caller, { reference }) {
        if (reference === SYSADMIN)
            throw conflict('The system administrator cannot be deleted');
    }
};
UserRules = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [PasswordsService,
        Notifications])
], UserRules);
export { UserRules };
/** An administrator who could set its password could become the system administrator. */
export function requireSysadmin(caller) {
    if (!caller.sysadmin)
        throw forbidden('Only the system administrator may change this account');
}
/** The one account that can always help cannot be shut out. */
function keepSysadmin(values) {
    const isDeprived = ('status' in values && values.status !== ACTIVE) ||
        ('administrator' in values && values.administrator !== true) ||
        values.login !== SYSADMIN;
    if (isDeprived)
        throw conflict('The system administrator cannot be renamed, deactivated or deprived');
}
//# sourceMappingURL=user.rules.js.map