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
import { Database } from '../database/database.js';
import { users } from '../directory/user.resource.js';
import { invalidField } from '../errors/refusals.js';
import { Bindings } from '../listing/attribute.js';
import { applications, visibleInWorkplace } from '../process/application.resource.js';
import { presentRef } from '../resources/ref.js';
import { uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
/** The applications that a person keeps at hand, in the person's order. */
let FavouritesService = class FavouritesService {
    database;
    audit;
    constructor(database, audit) {
        this.database = database;
        this.audit = audit;
    }
    /** Those that the person sees; one that is hidden for a while is kept, but not shown. */
    async list(viewer, reader = this.database) {
        const { bind, values } = new Bindings();
        const rows = await reader.rows({
            text: `SELECT a.id, a.reference, a.title FROM favourites f JOIN applications a ON a.id = f.application_id
        WHERE f.user_id = ${bind(viewer.id)} AND ${visibleInWorkplace(viewer, 'a', bind)} ORDER BY f.position`,
            values,
        });
        return rows.map(([applicationId, reference, title]) => presentRef(applications.ref, applicationId, reference, title));
    }
    /**
     * Replaces the list.
     * @param ids of applications, in the wanted order, none twice
     * @throws Refusal 400 naming `applications` when the person does not see one of them
     */
    async replace(viewer, origin, ids) {
        return this.database.transaction(async (transaction) => {
            // Two requests of one person at a time would meet in the middle of the list.
            await transaction.rows({
                text: 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE',
                values: [viewer.id],
            });
            await requireVisible(transaction, viewer, ids);
            const before = await stored(transaction, viewer);
            // What changes nothing is not audited.
            if (before.join() === ids.join())
                return this.list(viewer, transaction);
            await transaction.rows({
                text: 'DELETE FROM favourites WHERE user_id = $1',
                values: [viewer.id],
            });
            await transaction.rows({
                text: `INSERT INTO favourites (user_id, application_id, position)
          SELECT $1, id, position FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, position)`,
                values: [viewer.id, ids],
            });
            await this.audit.record(transaction, origin, {
                action: 'set-favourites',
                objectUri: uriOf(users.ref.uri, viewer.id),
                before: { applications: before.map(uriOfApplication) },
                after: { applications: ids.map(uriOfApplication) },
            });
            return this.list(viewer, transaction);
        });
    }
};
FavouritesService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        AuditService])
], FavouritesService);
export { FavouritesService };
const uriOfApplication = (id) => uriOf(applications.ref.uri, id);
/** The ids that are kept, in their order, the hidden ones too. */
async function stored(reader, { id }) {
    const rows = await reader.rows({
        text: 'SELECT application_id FROM favourites WHERE user_id = $1 ORDER BY position',
        values: [id],
    });
    return rows.map(([applicationId]) => String(applicationId));
}
async function requireVisible(reader, viewer, ids) {
    const { bind, values } = new Bindings();
    const rows = await reader.rows({
        text: `SELECT a.id FROM applications a WHERE a.id = ANY (${bind(ids)}::bigint[]) AND ${visibleInWorkplace(viewer, 'a', bind)}`,
        values,
    });
    const visible = new Set(rows.map(([id]) => String(id)));
    const unknown = ids.filter((id) => !visible.has(id)).map(uriOfApplication);
    if (unknown.length > 0)
        throw invalidField('applications', `there is no ${unknown.join(', ')}`);
}
//# sourceMappingURL=favourites.service.js.map