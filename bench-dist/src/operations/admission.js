var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var Admission_1;
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, } from '@nestjs/common';
import { Config } from '../config/config.js';
import { answerRefusal } from '../errors/answer-refusal.js';
import { unavailable } from '../errors/refusals.js';
import { PROBES } from '../security/address-rule.js';
import { giveRequestId } from './request-log.js';
/**
 * Requests under way at a time: more than can have or wait for a connection, so that what needs none
 * is answered while those are all taken. Sign-ins are counted apart: they wait for each other and
 * for argon2, which has a queue of its own, and may not keep others out while they do.
 */
const MAX_UNDER_WAY = 160;
const MAX_SIGN_INS = 300;
const SIGN_IN = '/api/v2/authentication';
/**
 * While the event loop is late on average (milliseconds, looked at once a window) the limit is
 * halved each time, down to what still keeps the processors busy; then it comes back step by step.
 */
const MAX_LATENESS = 150;
const WINDOW = 500;
const LEAST_UNDER_WAY = 32;
const STEP = 32;
/**
 * Who is let in (decisions 0009): too much at a time is refused early with 503, before any work was
 * done for it, so that what was let in is answered in time. And the end: a stopping server is not
 * ready, and its answers are the last on their connections.
 */
let Admission = Admission_1 = class Admission {
    underWay = { signIns: new Set(), others: new Set() };
    delays = monitorEventLoopDelay({ resolution: 10 });
    timer;
    logger = new Logger(Admission_1.name);
    basePath;
    limit = MAX_UNDER_WAY;
    refused = 0;
    stopping = false;
    constructor({ env }) {
        this.basePath = env.BASE_PATH;
    }
    get isStopping() {
        return this.stopping;
    }
    onApplicationBootstrap() {
        this.delays.enable();
        this.timer = setInterval(() => this.look(), WINDOW).unref();
    }
    onApplicationShutdown() {
        clearInterval(this.timer);
        this.delays.disable();
    }
    /** Express middleware before everything that costs, also before the line of the log. */
    shed = (request, response, next) => {
        if (this.stopping)
            response.setHeader('Connection', 'close');
        const path = request.path.slice(this.basePath.length);
        if (PROBES.has(path) || !this.isFull(request.method, path))
            return next();
        giveRequestId(request, response);
        this.refuse(response, path);
    };
    /** Express middleware behind the reading of bodies: slow senders keep nobody out. */
    count = (request, response, next) => {
        if (PROBES.has(request.path))
            return next();
        const { method, path } = request;
        if (this.isFull(method, path))
            return this.refuse(response, path);
        const lane = this.laneOf(method, path);
        lane.add(response);
        const leave = () => lane.delete(response);
        // Not only when it has arrived: slow readers keep nobody out either.
        response.once('prefinish', leave);
        response.once('close', leave);
        next();
    };
    /**
     * Ends taking part: not ready from now on, and connections end with their next answer.
     * @param grace how long, in milliseconds, supervisors have to notice, unless nobody is connected
     */
    async leave(server, grace) {
        this.stopping = true;
        for (const response of [...this.underWay.signIns, ...this.underWay.others])
            if (!response.headersSent)
                response.setHeader('Connection', 'close');
        const deadline = performance.now() + grace;
        while (performance.now() < deadline && (await connectionsOf(server)) > 0)
            await delay(50);
    }
    look() {
        const isLate = this.delays.mean / 1e6 > MAX_LATENESS;
        this.limit = isLate
            ? Math.max(LEAST_UNDER_WAY, this.limit / 2)
            : Math.min(MAX_UNDER_WAY, this.limit + STEP);
        this.delays.reset();
        if (this.refused > 0)
            this.logger.warn(`too much at a time: ${this.refused} requests refused`);
        this.refused = 0;
    }
    refuse(response, path) {
        this.refused++;
        answerRefusal(response, unavailable(), path);
    }
    isFull(method, path) {
        const lane = this.laneOf(method, path);
        return lane.size >= (lane === this.underWay.signIns ? MAX_SIGN_INS : this.limit);
    }
    laneOf(method, path) {
        const { signIns, others } = this.underWay;
        return method === 'POST' && path.startsWith(SIGN_IN) ? signIns : others;
    }
};
Admission = Admission_1 = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Config])
], Admission);
export { Admission };
const connectionsOf = (server) => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
//# sourceMappingURL=admission.js.map