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
import { ApiKeysService } from '../credentials/api-keys.service.js';
import { HASHES_AT_ONCE, idleLikeVerify, verifyPassword } from '../credentials/password-hash.js';
import { SignInLimits } from '../credentials/sign-in-limits.service.js';
import { TokensService } from '../credentials/tokens.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { badCredentials, Refusal } from '../errors/refusals.js';
import { users } from '../directory/user.resource.js';
import { uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
import { ParametersService } from '../security/parameters.service.js';
import { holdBack } from './hold-back.js';
import { IdentitiesService } from './identities.service.js';
import { Turns } from './turns.js';
/** Signing in and out. Every refusal is the same 401, after the same time. */
let SignInService = class SignInService {
    database;
    notifications;
    tokens;
    apiKeys;
    identities;
    limits;
    parameters;
    audit;
    /** More at once for one account would only be counted as failures of each other. */
    turns = new Turns(HASHES_AT_ONCE);
    constructor(database, notifications, tokens, apiKeys, identities, limits, parameters, audit) {
        this.database = database;
        this.notifications = notifications;
        this.tokens = tokens;
        this.apiKeys = apiKeys;
        this.identities = identities;
        this.limits = limits;
        this.parameters = parameters;
        this.audit = audit;
    }
    /**
     * Variant A: login and password.
     * @throws Refusal 401, 429 when the address failed too often, 503 when too many wait
     */
    async byPassword({ login, password }, origin) {
        this.limits.refuseExceeded(addressOf(origin));
        return holdBack(async () => {
            const account = await this.findAccount(login, origin);
            const work = () => this.tryPassword(account, password, origin);
            if (!(await this.turns.take(account.key, work))) {
                // Not in a turn, which the owner may be waiting for.
                await idleLikeVerify();
                throw badCredentials('locked', accountUri(account.id));
            }
            return { id: account.id, login: account.login, by: 'password' };
        });
    }
    /**
     * Variant B: login and API key.
     * @throws Refusal 401, 429
     */
    byApiKey({ login, password }, origin) {
        return holdBack(async () => {
            const address = addressOf(origin);
            const owner = await this.apiKeys.find(login, password, address);
            const mayTry = owner?.isActive && (!owner.sysadmin || (await this.isSysadminAddress(origin)));
            if (mayTry && owner.key && !owner.locked)
                return { id: owner.id, login: owner.login, by: 'API key', apiKey: owner.key };
            await this.limits.count(mayTry ? owner.id : undefined, address);
            throw badCredentials(mayTry && owner.locked ? 'locked' : 'API key', accountUri(owner?.id));
        });
    }
    /**
     * Variant C: a token of the identity provider.
     * @throws Refusal 401, 429, 503 when the provider's keys cannot be had
     */
    byIdentity(identity, origin) {
        return holdBack(async () => {
            const address = addressOf(origin);
            try {
                const { id, login } = await this.identities.userOf(await identity(), address);
                return { id, login, by: 'identity provider' };
            }
            catch (error) {
                if (error instanceof Refusal && error.status === 401)
                    await this.limits.count(undefined, address);
                throw error;
            }
        });
    }
    /** Issues the token of somebody who proved who they are. */
    async issueToken({ id, login, by, apiKey }, origin) {
        const address = addressOf(origin);
        const token = await this.database.transaction(async (transaction) => {
            const issued = await this.tokens.issue({ userId: id, address, apiKey }, transaction);
            if (by !== 'password')
                await this.limits.remember(id, address, transaction);
            await transaction.rows({
                text: `INSERT INTO sign_ins (user_id, last_login_date) VALUES ($1, now())
          ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date`,
                values: [id],
            });
            if (apiKey)
                await this.apiKeys.used(apiKey.id, address, transaction);
            await this.audit.record(transaction, { ...origin, caller: { id, login } }, { action: 'sign-in', after: { by } });
            return issued;
        });
        // The 51st token ended another one.
        await this.notifications.settle();
        return token;
    }
    /** Ends the token at once. */
    async signOut(tokenId, origin) {
        await this.database.transaction(async (transaction) => {
            await this.tokens.revoke(tokenId, transaction);
            await this.audit.record(transaction, origin, { action: 'sign-out' });
        });
        await this.notifications.settle();
    }
    /**
     * Counted before it is evaluated.
     * @returns false for a locked account, which is not evaluated at all
     * @throws Refusal 401 for a wrong password
     */
    async tryPassword({ id, mayTry, hash }, password, origin) {
        const address = addressOf(origin);
        const counted = await this.limits.count(mayTry ? id : undefined, address);
        if (mayTry && !counted)
            return false;
        // Whoever may not sign in is compared with a decoy.
        if (!(await verifyPassword(mayTry ? hash : undefined, password)))
            throw badCredentials('password', accountUri(id));
        await this.limits.succeeded(id, address, counted);
        return true;
    }
    async findAccount(login, origin) {
        const [row] = await this.database.rows({
            text: `SELECT given.key, u.id, u.login, u.status, u.sysadmin, p.hash
        FROM (SELECT login_key($1) AS key) given
          LEFT JOIN users u ON login_key(u.login) = given.key
          LEFT JOIN passwords p ON p.user_id = u.id`,
            values: [login],
        });
        const [key, id, name, status, sysadmin, hash] = row;
        const mayTry = status === 1 && (!sysadmin || (await this.isSysadminAddress(origin)));
        return {
            key: String(key),
            id: typeof id === 'string' ? id : undefined,
            login: String(name),
            mayTry,
            hash: typeof hash === 'string' ? hash : undefined,
        };
    }
    async isSysadminAddress(origin) {
        const { sysadminAddresses } = await this.parameters.current();
        return sysadminAddresses.has(addressOf(origin));
    }
};
SignInService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Notifications,
        TokensService,
        ApiKeysService,
        IdentitiesService,
        SignInLimits,
        ParametersService,
        AuditService])
], SignInService);
export { SignInService };
const accountUri = (id) => id === undefined ? undefined : uriOf(users.ref.uri, id);
const addressOf = ({ address }) => address ?? '';
//# sourceMappingURL=sign-in.service.js.map