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
import { Housekeeping } from '../database/housekeeping.js';
import { PARAMETERS } from './parameter-definitions.js';
/** Writes the audit trail, in the transaction of what it tells of. */
let AuditService = class AuditService {
    constructor(housekeeping) {
        // The database itself refuses to delete younger lines: the parameter is read there too.
        housekeeping.register('audit', `date <= now() - make_interval(days => coalesce(
        (SELECT value::integer FROM parameters WHERE key = '${PARAMETERS.auditRetention.key}'),
        ${PARAMETERS.auditRetention.defaultValue}))`);
    }
    async record(reader, origin, entry) {
        const { caller, actor, address, requestId } = origin;
        await reader.rows({
            text: `INSERT INTO audit (action, actor_uri, actor_login, object_uri, address, request_id, before, after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
            values: [
                entry.action,
                caller ? `/directory/users/${caller.id}` : null,
                caller?.login ?? actor ?? null,
                entry.objectUri ?? null,
                address ?? null,
                requestId ?? null,
                entry.before === undefined ? null : JSON.stringify(entry.before),
                entry.after === undefined ? null : JSON.stringify(entry.after),
            ],
        });
    }
};
AuditService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Housekeeping])
], AuditService);
export { AuditService };
//# sourceMappingURL=audit.service.js.map