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
import { verifyPassword } from '../credentials/password-hash.js';
import { PasswordsService } from '../credentials/passwords.service.js';
import { hashSecret, makeSecret } from '../credentials/secret.js';
import { SignInLimits } from '../credentials/sign-in-limits.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { conflict, forbidden, invalidField } from '../errors/refusals.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
import { requireSysadmin, SYSADMIN } from './user.rules.js';
import { users } from './user.resource.js';
/** Hours in which an invitation can be used. */
const INVITATION_HOURS = 72;
/** The account behind a user: its password, its sessions, its invitation. */
let AccountService = class AccountService {
    database;
    notifications;
    reader;
    passwords;
    limits;
    audit;
    constructor(database, notifications, reader, passwords, limits, audit) {
        this.database = database;
        this.notifications = notifications;
        this.reader = reader;
        this.passwords = passwords;
        this.limits = limits;
        this.audit = audit;
    }
    /**
     * The user whose account a caller may manage: their own, or anyone's for administrators.
     * @throws Refusal 404, 403
     */
    async requireManaged(caller, id) {
        const { representation } = await this.reader.get(users, caller, id);
        if (caller.id !== id && !caller.administrator)
            throw forbidden();
        if (representation.reference === SYSADMIN)
            requireSysadmin(caller);
        return String(representation.reference);
    }
    /**
     * Sets a password; every other token of the user ends.
     * @throws Refusal 400 when currentPassword is wrong or the new one fails the rules
     */
    async changePassword(caller, origin, id, { currentPassword, password }) {
        await this.requireManaged(caller, id);
        if (caller.id === id)
            await this.requireCurrent(id, currentPassword, origin);
        await this.database.transaction(async (transaction) => {
            await this.passwords.check(password, id, transaction);
            const keptTokenId = caller.id === id ? caller.tokenId : undefined;
            await this.passwords.set(id, password, transaction, keptTokenId);
            await this.record(transaction, origin, 'change-password', id);
        });
        await this.notifications.settle();
    }
    /** Ends all sessions of a user, or one. Answers how many ended. */
    async endSessions(origin, id, tokenId) {
        const count = await this.database.transaction(async (transaction) => {
            const ended = await transaction.rows({
                text: 'DELETE FROM tokens WHERE user_id = $1 AND ($2::bigint IS NULL OR id = $2) RETURNING id',
                values: [id, tokenId ?? null],
            });
            if (ended.length > 0)
                await this.record(transaction, origin, 'end-sessions', id);
            return ended.length;
        });
        await this.notifications.settle();
        return count;
    }
    /** Ends the sessions of everybody, as after a restore: a backup holds tokens revoked since. */
    async endAllSessions(origin) {
        return this.database.transaction(async (transaction) => {
            const ended = await transaction.rows({ text: 'DELETE FROM tokens RETURNING id', values: [] });
            await this.audit.record(transaction, origin, { action: 'end-sessions' });
            return ended.length;
        });
    }
    /**
     * Sets a password that somebody outside the API has chosen, by the rules; unlocks the account and
     * ends its tokens.
     * @throws Refusal 400 when the password fails the rules
     */
    async resetPassword(origin, id, password) {
        await this.database.transaction(async (transaction) => {
            await this.passwords.check(password, id, transaction);
            await this.passwords.set(id, password, transaction);
            await this.limits.unlock(id, transaction);
            await this.record(transaction, origin, 'change-password', id);
        });
    }
    /** Ends the locks of a user. */
    async unlock(origin, id) {
        await this.database.transaction(async (transaction) => {
            await this.limits.unlock(id, transaction);
            await this.record(transaction, origin, 'unlock', id);
        });
    }
    /**
     * Makes a one-time code for a first or a new password; an older one is void.
     * @throws Refusal 409 when the user is neither active nor invited
     */
    async invite(caller, origin, id) {
        await this.requireManaged(caller, id);
        const code = makeSecret();
        return this.database.transaction(async (transaction) => {
            const [row] = await transaction.rows({
                text: `INSERT INTO invitations (user_id, hash, expiration)
          SELECT id, $2, now() + make_interval(hours => $3) FROM users WHERE id = $1 AND status IN (1, 2)
          ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expiration = excluded.expiration
          RETURNING expiration`,
                values: [id, hashSecret(code), INVITATION_HOURS],
            });
            if (!row)
                throw conflict('Only active or invited users can be given an invitation');
            await this.record(transaction, origin, 'invite', id);
            return { code, expiration: String(row[0]) };
        });
    }
    /**
     * Uses an invitation: sets the password and makes an invited user active.
     * @throws Refusal 400 naming `code`, or a PasswordError; the code then stays
     */
    async useInvitation(origin, code, password) {
        await this.database.transaction(async (transaction) => {
            const [row] = await transaction.rows({
                text: `DELETE FROM invitations i USING users u
          WHERE u.id = i.user_id AND u.status IN (1, 2) AND i.hash = $1 AND i.expiration > now()
          RETURNING u.id, u.login`,
                values: [hashSecret(code)],
            });
            if (!row)
                throw invalidField('code', 'is unknown, used or expired');
            const [id, login] = row.map(String);
            await this.passwords.check(password, id, transaction);
            await this.passwords.set(id, password, transaction);
            await transaction.rows({
                text: 'UPDATE users SET status = 1, revision = revision + 1, modification_date = now() WHERE id = $1 AND status = 2',
                values: [id],
            });
            await this.record(transaction, { ...origin, caller: { id, login } }, 'use-invitation', id);
        });
        await this.notifications.settle();
    }
    /** Counted like a sign-in: whoever found an open session must not find the password by it. */
    async requireCurrent(id, currentPassword, { address = '' }) {
        const [row] = await this.database.rows({
            text: 'SELECT hash FROM passwords WHERE user_id = $1',
            values: [id],
        });
        const stored = row ? String(row[0]) : undefined;
        const counted = await this.limits.count(id, address);
        if (!counted || !(await verifyPassword(stored, currentPassword ?? '')))
            throw invalidField('currentPassword', 'is not the current password');
        await this.limits.succeeded(id, address, counted);
    }
    record(transaction, origin, action, id) {
        return this.audit.record(transaction, origin, { action, objectUri: uriOf(users.ref.uri, id) });
    }
};
AccountService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Notifications,
        ResourceReader,
        PasswordsService,
        SignInLimits,
        AuditService])
], AccountService);
export { AccountService };
//# sourceMappingURL=account.service.js.map