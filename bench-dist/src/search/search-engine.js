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
import { ParametersService } from '../security/parameters.service.js';
import { presentRecord } from './search-description.js';
import { matchesStatement, PAGE_SIZE, WALK_LIMITS, walkStatement, } from './search-statements.js';
/** Runs any described search. */
let SearchEngine = class SearchEngine {
    database;
    parameters;
    config;
    /** Tests make them small, so that few records take every way. */
    limits = { ...WALK_LIMITS };
    constructor(database, parameters, config) {
        this.database = database;
        this.parameters = parameters;
        this.config = config;
    }
    async find(search, caller) {
        const rows = await this.rowsOf(search, caller);
        const context = {
            locale: caller.locale,
            timeZone: (await this.parameters.current()).text('timeZone'),
            basePath: this.config.env.BASE_PATH,
        };
        const places = rows.map((row) => ({ title: String(row.at(-1)), id: String(row[0]) }));
        return {
            records: rows.map((row) => presentRecord(search.description, row, context)),
            first: places[0],
            last: places.at(-1),
        };
    }
    /** What is common fills a page by walking the order, what is rare is found by its grams. */
    async rowsOf(search, caller) {
        const walked = await this.database.rows(walkStatement(search, caller, this.limits));
        if (walked.length === PAGE_SIZE)
            return walked;
        const matches = await this.database.rows(matchesStatement(search, caller, this.limits));
        return matches.length > 0 ? matches : walked;
    }
};
SearchEngine = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        ParametersService,
        Config])
], SearchEngine);
export { SearchEngine };
/** The fields that a search can be asked to look in. */
export const searchableFields = ({ record }) => [
    'quickSearch',
    ...Object.entries(record).flatMap(([name, { searched }]) => (searched ? [name] : [])),
];
//# sourceMappingURL=search-engine.js.map