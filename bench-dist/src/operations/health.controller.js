var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { Database } from '../database/database.js';
import { unavailable } from '../errors/refusals.js';
import { AnyContent } from '../negotiation/content.guard.js';
import { ParametersService } from '../security/parameters.service.js';
import { Public } from '../security/roles.guard.js';
import { Admission } from './admission.js';
/** A supervisor does not wait long; in milliseconds. */
const PATIENCE = 1_000;
/** For supervisors (decisions: Operation): outside the address rule, tells nothing but up or not. */
let HealthController = class HealthController {
    admission;
    database;
    parameters;
    constructor(admission, database, parameters) {
        this.admission = admission;
        this.database = database;
        this.parameters = parameters;
    }
    /** The process answers; the database is not asked. */
    live() {
        return { status: 'up' };
    }
    /**
     * The server can do its work: it is not about to stop, the database answers soon, and the address
     * rule admits somebody.
     */
    async ready() {
        const late = delay(PATIENCE, false, { ref: false });
        const ready = await Promise.race([this.isReady().catch(() => false), late]);
        if (!ready)
            throw unavailable();
        return { status: 'up' };
    }
    async isReady() {
        if (this.admission.isStopping)
            return false;
        await this.database.rows({ text: 'SELECT 1', values: [] });
        const { callerAddresses } = await this.parameters.current();
        return !callerAddresses.isEmpty;
    }
};
__decorate([
    Get('live'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], HealthController.prototype, "live", null);
__decorate([
    Get('ready'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Promise)
], HealthController.prototype, "ready", null);
HealthController = __decorate([
    Controller('health'),
    Public(),
    AnyContent(),
    __metadata("design:paramtypes", [Admission,
        Database,
        ParametersService])
], HealthController);
export { HealthController };
//# sourceMappingURL=health.controller.js.map