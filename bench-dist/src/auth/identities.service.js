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
import { networkOf } from '../config/address-list.js';
import { Database } from '../database/database.js';
import { badCredentials } from '../errors/refusals.js';
/**
 * Users behind identities (decisions: Tokens and credentials). An identity is an issuer and a
 * subject: the first use binds it to the user of its login, from then on the login in the token
 * does not count, for it can change hands at the provider.
 */
let IdentitiesService = class IdentitiesService {
    database;
    constructor(database) {
        this.database = database;
    }
    /** @throws Refusal 401 when nobody is behind it who may sign in this way from this address */
    async userOf({ issuer, subject, login }, address) {
        const bound = await this.findBound(issuer, subject, address);
        if (bound)
            return bound;
        if (login !== undefined)
            await this.bind(issuer, subject, login);
        // What is bound now decides: somebody else may have been bound at the same moment.
        const now = await this.findBound(issuer, subject, address);
        if (!now)
            throw badCredentials('identity');
        return now;
    }
    /** Never sysadmin, whose address rule and password a provider would pass by. */
    async bind(issuer, subject, login) {
        await this.database.rows({
            text: `INSERT INTO identities (issuer, subject, user_id)
        SELECT $1, $2, u.id FROM users u
        WHERE login_key(u.login) = login_key($3) AND u.status = 1 AND NOT u.sysadmin
        ON CONFLICT DO NOTHING`,
            values: [issuer, subject, login],
        });
    }
    /** The user of an identity, while they may sign in from this address. */
    async findBound(issuer, subject, address) {
        const [row] = await this.database.rows({
            text: `SELECT u.id, u.login FROM identities i JOIN users u ON u.id = i.user_id
          LEFT JOIN sign_ins s ON s.user_id = u.id
          LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = $3
        WHERE i.issuer = $1 AND i.subject = $2 AND u.status = 1 AND NOT u.sysadmin AND
          (CASE WHEN a.user_id IS NULL THEN s.locked_until ELSE a.locked_until END > now()) IS NOT TRUE`,
            values: [issuer, subject, networkOf(address)],
        });
        return row && { id: String(row[0]), login: String(row[1]) };
    }
};
IdentitiesService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], IdentitiesService);
export { IdentitiesService };
//# sourceMappingURL=identities.service.js.map