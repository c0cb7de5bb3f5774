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
import { listStatement } from '../listing/list-query.js';
import { ParametersService } from '../security/parameters.service.js';
import { isId } from './uri.js';
/** Reads any resource as its description says. */
let ResourceReader = class ResourceReader {
    database;
    parameters;
    config;
    constructor(database, parameters, config) {
        this.database = database;
        this.parameters = parameters;
        this.config = config;
    }
    /**
     * One page, as the caller may see it.
     * @param narrow a further condition, e.g. the group whose members are listed
     */
    async list(resource, caller, request, narrow) {
        const statement = listStatement((bind) => {
            const source = resource.source(caller, bind);
            if (narrow)
                source.conditions.push(narrow);
            return source;
        }, request);
        const rows = await this.database.rows(statement);
        const { shown, total } = request.exactCount ? countedRows(rows) : { shown: rows };
        const page = shown.slice(0, request.range.count);
        return {
            items: await this.present(resource, caller, page, request.responseMode),
            facts: { hasNext: shown.length > request.range.count, total },
        };
    }
    /**
     * The detailed representation.
     * @throws Refusal 404 when there is none, or none that the caller may see
     */
    async get(resource, caller, id, reader = this.database) {
        if (!isId(id))
            throw notFound();
        const { bind, values } = new Bindings();
        const source = resource.source(caller, bind, 'detailed');
        const conditions = [`${source.key} = ${bind(id)}`, ...source.conditions.map((of) => of(bind))];
        const [row] = await reader.rows({
            text: `SELECT ${source.columns.join(', ')}, t.revision FROM ${source.table} ${source.joins} WHERE ${conditions.join(' AND ')}`,
            values,
        });
        if (!row)
            throw notFound();
        const shown = resource.present(row, 'detailed', 'machine', this.context(caller, 'UTC'));
        const { complete } = resource.definition;
        return {
            representation: complete ? await complete(shown, caller, reader) : shown,
            revision: Number(row.at(-1)),
        };
    }
    async present(resource, caller, rows, mode) {
        const timeZone = mode === 'user' ? (await this.parameters.current()).text('timeZone') : 'UTC';
        const context = this.context(caller, timeZone);
        return rows.map((row) => resource.present(row, 'list', mode, context));
    }
    context(caller, timeZone) {
        const { BASE_PATH: basePath } = this.config.env;
        return { caller, locale: caller.locale, timeZone, basePath };
    }
};
ResourceReader = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        ParametersService,
        Config])
], ResourceReader);
export { ResourceReader };
/** Takes apart what a list with its exact count reads: [count, present, …columns, place]. */
function countedRows(rows) {
    return {
        shown: rows.filter((row) => row[1] === true).map((row) => row.slice(2)),
        total: Number(rows[0]?.[0] ?? 0),
    };
}
//# sourceMappingURL=resource-reader.js.map