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
import { badPassword } from '../errors/refusals.js';
import { ParametersService } from '../security/parameters.service.js';
import { hashPassword, verifyPassword } from './password-hash.js';
import { failedRules, presentRules } from './password-rules.js';
/** Passwords of users, by the rules that the server parameters set. */
let PasswordsService = class PasswordsService {
    parameters;
    constructor(parameters) {
        this.parameters = parameters;
    }
    async rules() {
        return presentRules(await this.parameters.current());
    }
    /**
     * Checks a new password against every rule.
     * @param userId whose former passwords count; undefined for somebody new
     * @throws Refusal 400 PasswordError with all failing codes at once
     */
    async check(password, userId, reader) {
        const rules = await this.rules();
        const codes = failedRules(password, rules);
        if (userId !== undefined && (await this.wasUsed(password, userId, rules.history, reader)))
            codes.push('history');
        if (codes.length > 0)
            throw badPassword(codes);
    }
    /** Stores a checked password; every token of the user but one ends. */
    async set(userId, password, reader, keptTokenId) {
        const hash = await hashPassword(password);
        const { history } = await this.rules();
        await reader.rows({
            text: 'INSERT INTO password_history (user_id, hash) SELECT user_id, hash FROM passwords WHERE user_id = $1',
            values: [userId],
        });
        await reader.rows({
            text: `INSERT INTO passwords (user_id, hash) VALUES ($1, $2)
        ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, modification_date = now()`,
            values: [userId, hash],
        });
        await reader.rows({
            text: `DELETE FROM password_history WHERE user_id = $1 AND id NOT IN
        (SELECT id FROM password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`,
            values: [userId, Math.max(history - 1, 0)],
        });
        await reader.rows({
            text: 'DELETE FROM tokens WHERE user_id = $1 AND id IS DISTINCT FROM $2',
            values: [userId, keptTokenId ?? null],
        });
    }
    /** The current password counts as the newest of the history. */
    async wasUsed(password, userId, history, reader) {
        if (history === 0)
            return false;
        const rows = await reader.rows({
            text: `SELECT hash FROM passwords WHERE user_id = $1 UNION ALL
        (SELECT hash FROM password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`,
            values: [userId, history - 1],
        });
        for (const [hash] of rows)
            if (await verifyPassword(String(hash), password))
                return true;
        return false;
    }
};
PasswordsService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [ParametersService])
], PasswordsService);
export { PasswordsService };
//# sourceMappingURL=passwords.service.js.map