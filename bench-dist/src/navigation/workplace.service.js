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
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { notFound } from '../errors/refusals.js';
import { Bindings } from '../listing/attribute.js';
import { applications, visibleInWorkplace } from '../process/application.resource.js';
import { categories } from '../process/category.resource.js';
import { countView } from '../process/view-rows.js';
import { folded } from '../resources/text-attribute.js';
import { idIn } from '../resources/uri.js';
import { presentApplication, presentCategory, presentIndicator, } from './presenters.js';
/** Position, then title (decisions: Navigation); the id where both are alike. */
export const tileOrder = (alias) => `${alias}.position, ${folded(`${alias}.title`)}, ${alias}.id`;
/** What an entry is presented from. */
export const ENTRY = 'a.id, a.title, a.reference, a.tile_color, a.type, a.link, a.icon, a.target_blank, a.help_link_js, a.keywords';
/** What a counter is computed from; nulls for a LINK and for an application without a view. */
export const VIEW = 'v.application_id, v.filters, v.filter_mode, v.sorter';
export const JOIN_VIEW = `LEFT JOIN views v ON v.id = a.view_id AND a.type = 'PROCESS'`;
/** What a portal shows its people (interface: Navigation API). */
let WorkplaceService = class WorkplaceService {
    database;
    config;
    constructor(database, config) {
        this.database = database;
        this.config = config;
    }
    /** Active categories with at least one application that the caller sees, in their order. */
    async categories(viewer) {
        const { bind, values } = new Bindings();
        const rows = await this.database.rows({
            text: `SELECT c.id, c.title FROM categories c WHERE ${visibleCategory(viewer, bind)} ORDER BY ${tileOrder('c')}`,
            values,
        });
        return rows.map(presentCategory);
    }
    /**
     * The applications of a category that the caller sees, in their order.
     * @param uri URI of the category
     * @throws Refusal 404 when the category is unknown, inactive, or none of its applications is seen
     */
    async applications(uri, viewer) {
        const id = idIn(uri, categories.ref.uri);
        if (id === undefined)
            throw notFound();
        const { bind, values } = new Bindings();
        const rows = await this.database.rows({
            text: `SELECT ${ENTRY} FROM categories c
        JOIN application_categories ac ON ac.category_id = c.id JOIN applications a ON a.id = ac.application_id
        WHERE c.id = ${bind(id)} AND c.active AND ${visibleInWorkplace(viewer, 'a', bind)} ORDER BY ${tileOrder('a')}`,
            values,
        });
        if (rows.length === 0)
            throw notFound();
        return rows.map((row) => presentApplication(row, this.config.env.BASE_PATH));
    }
    /**
     * The number of rows of an application's view for the caller.
     * @param uri URI of the application
     * @throws Refusal 404 when the application is unknown, inactive or not seen by the caller
     * @throws UnreadableView
     */
    async indicator(uri, viewer) {
        const id = idIn(uri, applications.ref.uri);
        if (id === undefined)
            throw notFound();
        const { bind, values } = new Bindings();
        const [row] = await this.database.rows({
            text: `SELECT ${VIEW} FROM applications a ${JOIN_VIEW}
        WHERE a.id = ${bind(id)} AND ${visibleInWorkplace(viewer, 'a', bind)}`,
            values,
        });
        if (!row)
            throw notFound();
        const view = viewIn(row);
        return presentIndicator(view ? await countView(this.database, view, viewer) : 0);
    }
};
WorkplaceService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Config])
], WorkplaceService);
export { WorkplaceService };
/** @param row the columns of VIEW */
export function viewIn([applicationId, filters, filterMode, sorter]) {
    if (applicationId === null)
        return undefined;
    return { applicationId, filters, filterMode, sorter };
}
const visibleCategory = (viewer, bind) => `c.active AND EXISTS (SELECT 1 FROM application_categories ac JOIN applications a ON a.id = ac.application_id
    WHERE ac.category_id = c.id AND ${visibleInWorkplace(viewer, 'a', bind)})`;
//# sourceMappingURL=workplace.service.js.map