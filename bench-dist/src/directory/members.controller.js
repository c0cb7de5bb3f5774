var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { Database } from '../database/database.js';
import { notFound } from '../errors/refusals.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { answerList, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { idIn, uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { groups } from './group.resource.js';
import { users } from './user.resource.js';
/** The members of a group: users, listed like any other; a group can be large. */
let MembersController = class MembersController {
    reader;
    database;
    audit;
    constructor(reader, database, audit) {
        this.reader = reader;
        this.database = database;
        this.audit = audit;
    }
    async list(id, call) {
        await this.reader.get(groups, call.caller, id);
        return answerList(this.reader, users, call, (bind) => `EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = t.id AND m.group_id = ${bind(id)})`);
    }
    add(caller, origin, id, userId) {
        return this.change(caller, origin, id, userId, {
            action: 'add-member',
            text: 'INSERT INTO group_members (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
        });
    }
    async remove(caller, origin, id, userId) {
        return this.change(caller, origin, id, userId, {
            action: 'remove-member',
            text: 'DELETE FROM group_members WHERE group_id = $1 AND user_id = $2 RETURNING 1',
        });
    }
    /** What changes nothing is not audited. */
    async change(caller, origin, id, userId, { action, text }) {
        const member = idIn(userId, users.ref.uri);
        if (member === undefined)
            throw notFound();
        await this.database.transaction(async (transaction) => {
            await this.reader.get(groups, caller, id, transaction);
            await this.reader.get(users, caller, member, transaction);
            const changed = await transaction.rows({ text, values: [id, member] });
            if (changed.length === 0)
                return;
            const objectUri = uriOf(groups.ref.uri, id);
            const after = { member: uriOf(users.ref.uri, member) };
            await this.audit.record(transaction, origin, { action, objectUri, after });
        });
    }
};
__decorate([
    Get(),
    AnyParameters(),
    __param(0, Param('id')),
    __param(1, ListOf(users)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String, Object]),
    __metadata("design:returntype", Promise)
], MembersController.prototype, "list", null);
__decorate([
    Put(':userId'),
    AdministratorOnly(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Param('userId')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, String]),
    __metadata("design:returntype", Promise)
], MembersController.prototype, "add", null);
__decorate([
    Delete(':userId'),
    AdministratorOnly(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Param('userId')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, String]),
    __metadata("design:returntype", Promise)
], MembersController.prototype, "remove", null);
MembersController = __decorate([
    Controller('api/v2/directory/groups/:id/members'),
    __metadata("design:paramtypes", [ResourceReader,
        Database,
        AuditService])
], MembersController);
export { MembersController };
//# sourceMappingURL=members.controller.js.map