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
import { EVERYONE } from '../audience/audience-condition.js';
import { Database } from '../database/database.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { users } from '../directory/user.resource.js';
import { invalidField, notFound } from '../errors/refusals.js';
import { applications } from '../process/application.resource.js';
import { presentRef } from '../resources/ref.js';
import { idIn } from '../resources/uri.js';
import { SnapshotService } from './snapshot.service.js';
import { reasonsFor } from './tile-reasons.js';
import { tileOrder } from './workplace.service.js';
/** The kinds of principals, in the order in which reasons are told. */
const KINDS = { user: users, group: groups, organization: organizations };
/** Answers the question why somebody sees a tile, or does not. */
let PreviewService = class PreviewService {
    database;
    snapshot;
    constructor(database, snapshot) {
        this.database = database;
        this.snapshot = snapshot;
    }
    /**
     * @param user URI or id
     * @param locale of the texts
     * @throws Refusal 400 naming `user` when it is neither, 404 when there is no such user
     */
    async preview(user, locale) {
        const id = idIn(user, users.ref.uri);
        if (id === undefined)
            throw invalidField('user', `expected an id or a URI such as ${users.ref.uri}/1`);
        const [row] = await this.database.rows({
            text: 'SELECT id, login, title, administrator FROM users WHERE id = $1',
            values: [id],
        });
        if (!row)
            throw notFound();
        const [, login, title, administrator] = row;
        return {
            user: presentRef(users.ref, id, login, title),
            workplace: await this.snapshot.take({ id, administrator: administrator === true }),
            applications: await this.applications(id, locale),
        };
    }
    /** One statement, whatever the number of applications. */
    async applications(userId, locale) {
        const named = Object.entries(KINDS).map(([kind, { ref }], place) => `SELECT ${place} AS place, '${kind}' AS kind, l.id, l.${ref.referenceColumn} AS reference, l.${ref.labelColumn} AS label
         FROM application_audiences j JOIN ${ref.table} l ON l.id = j.${kind}_id
         WHERE j.application_id = a.id AND j.${kind}_id = ANY ((SELECT principals($1::bigint))::bigint[])`);
        const rows = await this.database.rows({
            text: `SELECT a.id, a.reference, a.title, a.active, a.audience = '${EVERYONE}',
          EXISTS (SELECT 1 FROM application_categories ac JOIN categories c ON c.id = ac.category_id WHERE ac.application_id = a.id AND c.active),
          (SELECT json_agg(json_build_array(n.kind, n.id::text, n.reference, n.label) ORDER BY n.place, n.id) FROM (${named.join(' UNION ALL ')}) n)
        FROM applications a ORDER BY ${tileOrder('a')}`,
            values: [userId],
        });
        return rows.map((row) => presentPreviewed(row, locale));
    }
};
PreviewService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        SnapshotService])
], PreviewService);
export { PreviewService };
/** @param row id, reference, title, active, for everyone, has an active category, [kind, id, reference, label][] */
function presentPreviewed(row, locale) {
    const [id, reference, title, active, forEveryone, hasActiveCategory, named] = row;
    const principals = (named ?? []);
    const facts = {
        active: active === true,
        forEveryone: forEveryone === true,
        hasActiveCategory: hasActiveCategory === true,
        named: principals.map(([kind, principalId, name, label]) => ({
            kind,
            principal: presentRef(KINDS[kind].ref, principalId, name, label),
        })),
    };
    return {
        application: presentRef(applications.ref, id, reference, title),
        ...reasonsFor(facts, locale),
    };
}
//# sourceMappingURL=preview.service.js.map