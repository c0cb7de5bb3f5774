var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var Notifications_1;
import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../config/config.js';
import { clientOptions } from './connection-options.js';
/** How often the listening connection is asked, and how old its last answer may be (milliseconds). */
const HEARTBEAT = 250;
const MAX_SILENCE = 650;
/** Wait before a lost connection is tried again, in milliseconds. */
const RECONNECT_DELAY = 200;
/**
 * One LISTEN connection a process. Whoever remembers something asks `isLive` first: while the
 * database cannot tell of changes, nothing remembered may be used (decisions: Addresses).
 */
let Notifications = Notifications_1 = class Notifications {
    config;
    logger = new Logger(Notifications_1.name);
    subscribers = [];
    client;
    lastAnswer = -Infinity;
    timer;
    stopped = false;
    /** Statements on the connection take turns. */
    lastQuestion = Promise.resolve();
    constructor(config) {
        this.config = config;
    }
    /** Whether a change would have been heard by now. */
    get isLive() {
        return performance.now() - this.lastAnswer < MAX_SILENCE;
    }
    /**
     * Waits until everything committed before is heard by this process, so that whoever was told of a
     * revocation is never answered from before it: the reply of the listening session comes behind
     * the notifications that were sent to it.
     */
    async settle() {
        if (this.client && this.isLive)
            await this.ask(this.client).catch(() => undefined);
    }
    subscribe(subscriber) {
        this.subscribers.push(subscriber);
    }
    async onModuleInit() {
        await this.connect();
    }
    onApplicationShutdown() {
        this.stopped = true;
        clearTimeout(this.timer);
        this.client?.end().catch(() => undefined);
    }
    async connect() {
        const client = new pg.Client(clientOptions(this.config));
        this.client = client;
        this.lastQuestion = Promise.resolve();
        client.on('error', () => this.lose(client));
        client.on('end', () => this.lose(client));
        client.on('notification', ({ channel, payload }) => this.pass(channel, payload ?? ''));
        try {
            await client.connect();
            // Listen first, then forget: a change between the two would otherwise be missed.
            await client.query(`SET application_name = 'process-platform listener'`);
            for (const channel of new Set(this.subscribers.map((subscriber) => subscriber.channel)))
                await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
            for (const subscriber of this.subscribers)
                subscriber.reset();
            this.lastAnswer = performance.now();
            this.beat(client);
        }
        catch {
            this.lose(client);
        }
    }
    beat(client) {
        this.timer = setTimeout(() => {
            const asked = performance.now();
            const deadline = setTimeout(() => this.lose(client), MAX_SILENCE);
            this.ask(client)
                .then(() => {
                if (this.client !== client)
                    return;
                // A gap (a stopped process, a frozen socket) may have hidden a change from its users.
                if (asked - this.lastAnswer > MAX_SILENCE)
                    for (const subscriber of this.subscribers)
                        subscriber.reset();
                this.lastAnswer = asked;
                this.beat(client);
            })
                .catch(() => this.lose(client))
                .finally(() => clearTimeout(deadline));
        }, HEARTBEAT);
        this.timer.unref();
    }
    ask(client) {
        const answer = this.lastQuestion.then(() => client.query('SELECT 1'));
        this.lastQuestion = answer.catch(() => undefined);
        return answer;
    }
    lose(client) {
        if (this.client !== client)
            return;
        this.client = undefined;
        this.lastAnswer = -Infinity;
        clearTimeout(this.timer);
        // end() would wait for an answer that a frozen socket never gives.
        client.connection.stream.destroy();
        if (this.stopped)
            return;
        this.logger.warn('the listening connection is down: nothing is served from memory');
        this.timer = setTimeout(() => void this.connect(), RECONNECT_DELAY);
        this.timer.unref();
    }
    pass(channel, payload) {
        for (const subscriber of this.subscribers)
            if (subscriber.channel === channel)
                subscriber.changed(payload);
    }
};
Notifications = Notifications_1 = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Config])
], Notifications);
export { Notifications };
//# sourceMappingURL=notifications.js.map