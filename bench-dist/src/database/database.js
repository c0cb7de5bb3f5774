var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { unavailable } from '../errors/refusals.js';
import { POOL_SIZE } from './connection-options.js';
import { Slots } from './slots.js';
/** Each session keeps a plan for every name, so the number of names is bounded. */
const MAX_NAMES = 500;
/** Conflicts that pass when the transaction is run again: serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01']);
const MAX_TRIES = 3;
/**
 * A session's plan that does not fit any more: a migration changed the type of a column, or somebody
 * between us and the database forgot it. Both are told before anything is done.
 */
const STALE_PLAN = new Set(['0A000', '26000']);
/**
 * Waiting for a connection is bounded, so that a request that cannot be served learns it soon.
 */
const MAX_WAITING = 100;
const PATIENCE = 2_000;
/** Connections for statements whose cost depends on the values; the others are for short work. */
const SEARCHES_AT_ONCE = POOL_SIZE / 2;
/** One transaction: rows by SQL, and TypeORM's manager on the same connection. */
export class Transaction {
    client;
    manager;
    constructor(client, manager) {
        this.client = client;
        this.manager = manager;
    }
    async rows({ text, values }) {
        const result = await this.client.query({ text, values, rowMode: 'array' });
        return result.rows;
    }
}
/** The way to the database: statements on the pool, and transactions. */
let Database = class Database {
    dataSource;
    names = new Map();
    connections = new Slots({
        atOnce: POOL_SIZE,
        waiting: MAX_WAITING,
        patience: PATIENCE,
    });
    searches = new Slots({
        atOnce: SEARCHES_AT_ONCE,
        waiting: MAX_WAITING,
        patience: PATIENCE,
    });
    constructor(dataSource) {
        this.dataSource = dataSource;
    }
    /**
     * Runs one statement on a connection of the pool.
     * @throws Refusal 503 when no connection becomes free in time
     */
    rows(statement) {
        const run = () => this.connections.take(() => this.run(statement));
        return statement.prepared === false ? this.searches.take(run) : run();
    }
    /**
     * Runs one statement that reads, within a time limit of its own (milliseconds). It starts no
     * workers and is not compiled: both cost more than a statement that has to be short.
     * @throws DatabaseError 57014 when the time is over
     */
    rowsWithin(limit, statement) {
        return this.connections.take(() => this.runWithin(limit, statement));
    }
    /**
     * Runs `work` in one transaction; it is run again after a conflict that passes by itself.
     * @throws Refusal 503 when no connection becomes free in time, or it is lost
     */
    async transaction(work) {
        for (let attempt = 1;; attempt++) {
            try {
                return await this.connections.take(() => this.attempt(work));
            }
            catch (error) {
                if (attempt === MAX_TRIES || !hasCode(error, TRANSIENT))
                    throw error;
                await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
            }
        }
    }
    async run({ text, values, prepared = true }) {
        const query = { text, values, rowMode: 'array' };
        const name = prepared ? this.nameOf(text) : undefined;
        if (name === undefined)
            return (await this.pool.query(query)).rows;
        try {
            return (await this.pool.query({ ...query, name })).rows;
        }
        catch (error) {
            if (!hasCode(error, STALE_PLAN))
                throw error;
            return (await this.pool.query(query)).rows;
        }
    }
    async runWithin(limit, { text, values }) {
        const client = await this.pool.connect();
        try {
            await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(limit)}; ` +
                'SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off');
            return (await client.query({ text, values, rowMode: 'array' })).rows;
        }
        finally {
            // Nothing was written, so that nobody has to wait for the end.
            client.query('ROLLBACK').then(() => client.release(), (error) => client.release(error));
        }
    }
    async attempt(work) {
        const runner = this.dataSource.createQueryRunner();
        try {
            const client = (await runner.connect());
            await runner.startTransaction();
            const result = await work(new Transaction(client, runner.manager));
            await runner.commitTransaction();
            return result;
        }
        catch (error) {
            // The runner lets go of a connection that broke, and then only complains of itself.
            if (runner.isReleased)
                throw unavailable();
            if (runner.isTransactionActive)
                await runner.rollbackTransaction().catch(() => undefined);
            throw error;
        }
        finally {
            await runner.release();
        }
    }
    get pool() {
        return this.dataSource.driver.master;
    }
    nameOf(text) {
        let name = this.names.get(text);
        if (name === undefined && this.names.size < MAX_NAMES) {
            name = createHash('sha1').update(text).digest('base64url');
            this.names.set(text, name);
        }
        return name;
    }
};
Database = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [DataSource])
], Database);
export { Database };
function hasCode(error, codes) {
    const code = error?.code;
    return typeof code === 'string' && codes.has(code);
}
//# sourceMappingURL=database.js.map