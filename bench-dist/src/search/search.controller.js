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
import { Controller, Get, Req } from '@nestjs/common';
import { invalid } from '../errors/refusals.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { queryOf } from '../negotiation/query-string.js';
import { CurrentCaller } from '../security/caller.js';
import { customersSearch } from './customers.search.js';
import { documentsSearch } from './documents.search.js';
import { faqsSearch } from './faqs.search.js';
import { formatMarker, parseMarker } from './marker.js';
import { newsSearch } from './news.search.js';
import { searchableFields, SearchEngine } from './search-engine.js';
import { usersSearch } from './users.search.js';
/** The named searches (interface: Default search names). Adding one is one line. */
const SEARCHES = new Map([usersSearch, documentsSearch, newsSearch, faqsSearch, customersSearch].map((description) => [
    description.searchName,
    description,
]));
/** Longer texts make substring search expensive, whatever the index (decisions: Search). */
const MAX_QUERY = 128;
/** interface: GET {base_url}/navigation/search/workplace */
let SearchController = class SearchController {
    engine;
    constructor(engine) {
        this.engine = engine;
    }
    async search(request, caller) {
        const search = parseSearch(queryOf(request));
        const { records, first, last } = await this.engine.find(search, caller);
        if (!first || !last)
            return { type: 'success', data: [], template: '' };
        const { index } = search.description;
        return {
            type: 'success',
            data: records,
            template: '',
            searchIndexBottom: formatMarker(index, first),
            searchIndexTop: formatMarker(index, last),
        };
    }
};
__decorate([
    Get(),
    AnyParameters(),
    __param(0, Req()),
    __param(1, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], SearchController.prototype, "search", null);
SearchController = __decorate([
    Controller('navigation/search/workplace'),
    __metadata("design:paramtypes", [SearchEngine])
], SearchController);
export { SearchController };
/**
 * Reads the parameters of a search.
 * @throws Refusal naming every bad one; on this path it becomes an error envelope
 */
function parseSearch(query) {
    const bad = [];
    const refuse = (name, message) => void bad.push({ name, message });
    const single = (name) => {
        const values = query.get(name) ?? [];
        return values.length > 1 ? refuse(name, 'given more than once') : values[0];
    };
    const required = (name) => query.has(name) ? single(name) : refuse(name, 'is required');
    const text = required('query');
    const name = required('searchName');
    const field = required('searchField');
    if (text !== undefined && [...text].length > MAX_QUERY)
        refuse('query', `at most ${MAX_QUERY} characters`);
    const description = name === undefined ? undefined : SEARCHES.get(name);
    if (name !== undefined && !description)
        refuse('searchName', `unknown search; known: ${[...SEARCHES.keys()].join(', ')}`);
    if (description && field !== undefined && !searchableFields(description).includes(field))
        refuse('searchField', `unknown field; known: ${searchableFields(description).join(', ')}`);
    const after = description && placeOf(description, single, refuse);
    if (bad.length > 0 || text === undefined || !description || field === undefined)
        throw invalid(bad);
    return { description, terms: termsOf(text), field, after };
}
/** Going on needs searchIndexTop; searchIndexBottom may be left out, but alone it says nothing. */
function placeOf({ index }, single, refuse) {
    const bottom = single('searchIndexBottom');
    const top = single('searchIndexTop');
    const read = (name, marker) => parseMarker(index, marker) ?? refuse(name, `not a marker of the index ${index}`);
    if (bottom !== undefined)
        read('searchIndexBottom', bottom);
    if (top === undefined)
        return bottom === undefined ? undefined : refuse('searchIndexTop', 'is required to go on');
    return read('searchIndexTop', top);
}
/** All terms must occur; an empty text or `*` is every visible record (decisions: Search). */
function termsOf(text) {
    const trimmed = text.trim();
    return trimmed === '' || trimmed === '*' ? [] : [...new Set(trimmed.split(/\s+/u))];
}
//# sourceMappingURL=search.controller.js.map