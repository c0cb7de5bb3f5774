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
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { Notifications } from '../database/notifications.js';
import { ParametersService } from '../security/parameters.service.js';
import { hashSecret, makeSecret } from './secret.js';
/** The 51st token of a user ends the oldest (decisions: Tokens and credentials). */
const MAX_TOKENS = 50;
/** Callers remembered by one process. */
const MAX_REMEMBERED = 50_000;
/** A token of the shape that this server makes; anything else needs no look-up. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/;
/** Tokens: 256 random bits, of which the database keeps the SHA-256; valid by database time. */
let TokensService = class TokensService {
    database;
    notifications;
    parameters;
    remembered = new LRUCache({
        max: MAX_REMEMBERED,
    });
    /** Counts revocations, so that a look-up that one overtook is not remembered. */
    generation = 0;
    constructor(database, notifications, parameters, housekeeping) {
        this.database = database;
        this.notifications = notifications;
        this.parameters = parameters;
        housekeeping.register('tokens', 'expiration < now()');
        housekeeping.register('invitations', 'expiration < now()');
        notifications.subscribe({
            channel: 'callers',
            changed: (userId) => this.forget(userId),
            reset: () => this.forget(),
        });
    }
    /** Issues a token; the lifetime is fixed from now on. */
    async issue({ userId, address, apiKey }, reader) {
        const token = makeSecret();
        const lifetime = (await this.parameters.current()).number('tokenLifetime');
        const [row] = await reader.rows({
            text: `WITH excess AS (
          DELETE FROM tokens WHERE id IN (
            SELECT id FROM tokens WHERE user_id = $1 ORDER BY id DESC OFFSET ${MAX_TOKENS - 1}))
        INSERT INTO tokens (user_id, hash, address, api_key_id, expiration)
        VALUES ($1, $2, $3, $5, least(date_trunc('second', now()) + make_interval(secs => $4), date_trunc('second', $6::timestamptz)))
        RETURNING expiration`,
            values: [
                userId,
                hashSecret(token),
                address,
                lifetime,
                apiKey?.id ?? null,
                apiKey?.expiration ?? null,
            ],
        });
        return { token, expiration: withoutMilliseconds(String(row[0])) };
    }
    /** Who is behind a token; undefined when it is unknown, expired or revoked, or the user is not active. */
    async find(token) {
        if (!SHAPE.test(token))
            return undefined;
        const hash = hashSecret(token);
        const key = hash.toString('base64');
        const known = this.remembered.get(key);
        if (known && this.notifications.isLive && performance.now() < known.deadline)
            return known.caller;
        return this.lookUp(hash, key);
    }
    /** Ends one token; answers whether there was one. */
    async revoke(tokenId, reader) {
        await reader.rows({ text: 'DELETE FROM tokens WHERE id = $1', values: [tokenId] });
    }
    async lookUp(hash, key) {
        const { generation } = this;
        const asked = performance.now();
        const [row] = await this.database.rows({
            text: `SELECT u.id, u.login, u.title, u.administrator, u.process_engine, u.sysadmin, u.locale,
          t.id, t.expiration, extract(epoch FROM t.expiration - now()) * 1000
        FROM tokens t JOIN users u ON u.id = t.user_id
        WHERE t.hash = $1 AND t.expiration > now() AND u.status = 1`,
            values: [hash],
        });
        if (!row)
            return undefined;
        const caller = presentCaller(row);
        // A wall clock can jump; the time that is left cannot.
        const deadline = asked + Number(row[9]);
        if (generation === this.generation && this.notifications.isLive)
            this.remembered.set(key, { caller, deadline });
        return caller;
    }
    forget(userId) {
        this.generation++;
        if (userId === undefined)
            this.remembered.clear();
        for (const [key, { caller }] of this.remembered.entries())
            if (caller.id === userId)
                this.remembered.delete(key);
    }
};
TokensService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Notifications,
        ParametersService,
        Housekeeping])
], TokensService);
export { TokensService };
const presentCaller = (row) => ({
    id: String(row[0]),
    login: String(row[1]),
    title: String(row[2]),
    administrator: row[3] === true,
    processEngine: row[4] === true,
    sysadmin: row[5] === true,
    locale: row[6],
    tokenId: String(row[7]),
    expiration: withoutMilliseconds(String(row[8])),
});
/** The token's expiration alone has no milliseconds (interface: Authentication token). */
const withoutMilliseconds = (timestamp) => timestamp.replace(/\.\d{3}Z$/, 'Z');
//# sourceMappingURL=tokens.service.js.map