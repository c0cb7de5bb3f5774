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
import { networkOf, parseAddressList } from '../config/address-list.js';
import { Database } from '../database/database.js';
import { conflict } from '../errors/refusals.js';
import { AddressSet } from '../security/address-set.js';
import { hashSecret, makeSecret } from './secret.js';
/** What a key begins with, so that people and secret scanners recognise one. */
const PREFIX = 'ppk_';
const SHAPE = /^ppk_[A-Za-z0-9_-]{43}$/;
/** Characters of a key that are shown later, to tell keys apart. */
const SHOWN = 12;
/** Keys of one user. */
const MAX_KEYS = 20;
/** Seconds in which a further use from the same address is not written again. */
const USE_RESOLUTION = 60;
/** Whether a password is an API key by its shape. */
export const isApiKey = (password) => SHAPE.test(password);
/** API keys: 256 random bits behind a prefix, of which the database keeps the SHA-256. */
let ApiKeysService = class ApiKeysService {
    database;
    constructor(database) {
        this.database = database;
    }
    /**
     * Makes a key.
     * @returns the key itself too, which is shown once
     * @throws Refusal 409 when the user has too many
     */
    async make(userId, { name, expiration, addresses }, transaction) {
        const key = makeSecret(PREFIX);
        const prefix = key.slice(0, SHOWN);
        // Parallel calls take turns, so that each counts what the other made.
        await transaction.rows({
            text: 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE',
            values: [userId],
        });
        const [count] = await transaction.rows({
            text: 'SELECT count(*) FROM api_keys WHERE user_id = $1',
            values: [userId],
        });
        if (Number(count[0]) >= MAX_KEYS)
            throw conflict(`A user can have at most ${MAX_KEYS} API keys`);
        const [row] = await transaction.rows({
            text: `INSERT INTO api_keys (user_id, name, hash, prefix, expiration, addresses)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id, expiration, creation_date`,
            values: [userId, name, hashSecret(key), prefix, expiration, addresses],
        });
        const [id, ends, creationDate] = row;
        return { id: String(id), name, prefix, expiration: ends, addresses, creationDate, key };
    }
    /** Whose key this is, when the login and the key belong together and the key has not expired. */
    async find(login, key, address) {
        const [row] = await this.database.rows({
            text: `SELECT u.id, u.login, u.status, u.sysadmin, k.id, k.expiration, k.addresses,
          CASE WHEN a.user_id IS NULL THEN s.locked_until > now() ELSE a.locked_until > now() END
        FROM users u
          LEFT JOIN api_keys k ON k.user_id = u.id AND k.hash = $2 AND (k.expiration IS NULL OR k.expiration > now())
          LEFT JOIN sign_ins s ON s.user_id = u.id
          LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = $3
        WHERE login_key(u.login) = login_key($1)`,
            values: [login, hashSecret(key), networkOf(address)],
        });
        if (!row)
            return undefined;
        const [id, name, status, sysadmin, keyId, expiration, addresses, locked] = row;
        const listed = typeof addresses !== 'string' ||
            new AddressSet(parseAddressList(addresses).entries).has(address);
        return {
            id: String(id),
            login: String(name),
            isActive: status === 1,
            sysadmin: sysadmin === true,
            key: typeof keyId === 'string' && listed
                ? { id: keyId, expiration: expiration }
                : undefined,
            locked: locked === true,
        };
    }
    /** Keeps when and from where a key was last used, to the minute. */
    async used(id, address, reader) {
        await reader.rows({
            text: `UPDATE api_keys SET last_use_date = now(), last_use_address = $2 WHERE id = $1
        AND (last_use_date IS NULL OR last_use_address IS DISTINCT FROM $2
          OR last_use_date < now() - interval '${USE_RESOLUTION} seconds')`,
            values: [id, address],
        });
    }
};
ApiKeysService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], ApiKeysService);
export { ApiKeysService };
//# sourceMappingURL=api-keys.service.js.map