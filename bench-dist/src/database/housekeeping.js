var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var Housekeeping_1;
import { Injectable, Logger, } from '@nestjs/common';
import { Database } from './database.js';
/** How often expired rows are deleted, in milliseconds. */
const INTERVAL = 60_000;
/** Rows deleted by one statement: locks stay short. */
const BATCH = 5_000;
/** The advisory lock under which one instance at a time keeps house. */
const LOCK = 2_026_112_101;
/**
 * Deletes what has expired: tokens, invitations, windows of the throttle, old lines of the audit
 * trail. Whoever owns a table registers what of it may go.
 */
let Housekeeping = Housekeeping_1 = class Housekeeping {
    database;
    logger = new Logger(Housekeeping_1.name);
    tasks = [];
    timer;
    constructor(database) {
        this.database = database;
    }
    /** @param condition SQL, by database time: rows for which it holds may go */
    register(table, condition) {
        this.tasks.push({ table, condition });
    }
    onApplicationBootstrap() {
        this.timer = setInterval(() => {
            this.run().catch((error) => this.logger.warn(String(error)));
        }, INTERVAL).unref();
    }
    onApplicationShutdown() {
        clearInterval(this.timer);
    }
    /** Deletes everything that may go; another instance that is at it is left to it. */
    async run() {
        for (const { table, condition } of this.tasks)
            while ((await this.deleteBatch(table, condition)) === BATCH)
                ;
    }
    async deleteBatch(table, condition) {
        return this.database.transaction(async (transaction) => {
            const [lock] = await transaction.rows({
                text: 'SELECT pg_try_advisory_xact_lock($1)',
                values: [LOCK],
            });
            if (lock?.[0] !== true)
                return 0;
            const deleted = await transaction.rows({
                text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH})) RETURNING 1`,
                values: [],
            });
            return deleted.length;
        });
    }
};
Housekeeping = Housekeeping_1 = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], Housekeeping);
export { Housekeeping };
//# sourceMappingURL=housekeeping.js.map