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
import { ApiKeysService, } from '../credentials/api-keys.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { notFound } from '../errors/refusals.js';
import { isId, uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
import { users } from './user.resource.js';
/** Making and deleting the API keys of users, audited. */
let UserKeysService = class UserKeysService {
    database;
    notifications;
    apiKeys;
    audit;
    constructor(database, notifications, apiKeys, audit) {
        this.database = database;
        this.notifications = notifications;
        this.apiKeys = apiKeys;
        this.audit = audit;
    }
    /**
     * Makes an API key.
     * @throws Refusal 409 when the user has too many
     */
    make(origin, id, options) {
        return this.database.transaction(async (transaction) => {
            const made = await this.apiKeys.make(id, options, transaction);
            const { name, prefix, expiration, addresses } = made;
            await this.audit.record(transaction, origin, {
                action: 'create-api-key',
                objectUri: uriOf(users.ref.uri, id),
                after: { name, prefix, expiration, addresses },
            });
            const { key, ...shown } = made;
            return { ...shown, lastUseDate: null, lastUseAddress: null, key };
        });
    }
    /**
     * Deletes an API key; the tokens that it issued end.
     * @throws Refusal 404
     */
    async delete(origin, id, keyId) {
        if (!isId(keyId))
            throw notFound();
        await this.database.transaction(async (transaction) => {
            const [row] = await transaction.rows({
                text: 'DELETE FROM api_keys WHERE user_id = $1 AND id = $2 RETURNING name, prefix',
                values: [id, keyId],
            });
            if (!row)
                throw notFound();
            await this.audit.record(transaction, origin, {
                action: 'delete-api-key',
                objectUri: uriOf(users.ref.uri, id),
                before: { name: row[0], prefix: row[1] },
            });
        });
        await this.notifications.settle();
    }
};
UserKeysService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Notifications,
        ApiKeysService,
        AuditService])
], UserKeysService);
export { UserKeysService };
//# sourceMappingURL=user-keys.service.js.map