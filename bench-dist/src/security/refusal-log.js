var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var RefusalLog_1;
import { Injectable, Logger, } from '@nestjs/common';
import { Database } from '../database/database.js';
import { refusalSentTo } from '../errors/answer-refusal.js';
import { callerOf } from './caller.js';
import { ClientAddressService } from './client-address.service.js';
import { originOf } from './origin.js';
/** Who may not: these statuses are kept; bad input is no matter of the audit trail. */
const AUDITED = new Set([401, 403, 429]);
/** Different refusals that are summed at a time; from here on they are counted together. */
const MAX_SUMS = 1_000;
/** How often sums are written, in milliseconds. */
const INTERVAL = 2_000;
/**
 * Refusals in the audit trail, summed by address and reason and written every few seconds: a
 * refusal itself needs no connection, and a flood of them no room.
 */
let RefusalLog = RefusalLog_1 = class RefusalLog {
    addresses;
    database;
    logger = new Logger(RefusalLog_1.name);
    sums = new Map();
    timer;
    constructor(addresses, database) {
        this.addresses = addresses;
        this.database = database;
    }
    /** Express middleware, before everything that may refuse. */
    watch = (request, response, next) => {
        response.once('finish', () => this.add(request, response));
        next();
    };
    onApplicationBootstrap() {
        this.timer = setInterval(() => void this.write(), INTERVAL).unref();
    }
    async beforeApplicationShutdown() {
        clearInterval(this.timer);
        await this.write();
    }
    /** Writes what was summed; what cannot be written now is kept for the next time. */
    async write() {
        if (this.sums.size === 0)
            return;
        const { sums } = this;
        this.sums = new Map();
        try {
            await this.insert([...sums.values()]);
        }
        catch (error) {
            this.logger.warn(`refusals cannot be written: ${String(error)}`);
            for (const [key, sum] of sums)
                this.count(key, sum);
        }
    }
    add(request, response) {
        const refusal = refusalSentTo(response);
        if (!refusal || !AUDITED.has(refusal.status))
            return;
        const { address, peer } = this.addresses.of(request);
        const caller = callerOf(request);
        const { reason = refusal.message, objectUri = null } = refusal.audited;
        const sum = {
            reason,
            objectUri,
            actorUri: caller ? `/directory/users/${caller.id}` : null,
            actorLogin: caller?.login ?? null,
            address: address ?? peer,
            requestId: originOf(request).requestId ?? null,
            count: 1,
        };
        this.count(JSON.stringify([sum.address, reason, sum.actorUri, objectUri]), sum);
    }
    count(key, sum) {
        const known = this.sums.get(key);
        if (known)
            known.count += sum.count;
        else if (key === REST || this.sums.size < MAX_SUMS)
            this.sums.set(key, sum);
        else
            this.count(REST, { ...NOBODY, count: sum.count });
    }
    async insert(sums) {
        const column = (name) => sums.map((sum) => sum[name]);
        await this.database.rows({
            text: `INSERT INTO audit (action, reason, object_uri, actor_uri, actor_login, address, request_id, count)
        SELECT 'refuse', * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[])`,
            values: [
                column('reason'),
                column('objectUri'),
                column('actorUri'),
                column('actorLogin'),
                column('address'),
                column('requestId'),
                column('count'),
            ],
        });
    }
};
RefusalLog = RefusalLog_1 = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [ClientAddressService,
        Database])
], RefusalLog);
export { RefusalLog };
/** What is counted when there are too many kinds to tell apart, and its key. */
const REST = '';
const NOBODY = {
    reason: 'further refusals',
    objectUri: null,
    actorUri: null,
    actorLogin: null,
    address: null,
    requestId: null,
    count: 0,
};
//# sourceMappingURL=refusal-log.js.map