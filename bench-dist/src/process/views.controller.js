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
import { Controller, Get, Param } from '@nestjs/common';
import { setPagingHeaders } from '../listing/paging-headers.js';
import { AnyParameters } from '../negotiation/content.guard.js';
import { linkIdIn } from '../resources/link-attributes.js';
import { ListOf } from '../resources/list-of.decorator.js';
import { resourceController } from '../resources/resource-controller.js';
import { uriOf } from '../resources/uri.js';
import { applications } from './application.resource.js';
import { tasks } from './task.resource.js';
import { viewFaults } from './view-filters.js';
import { storedView, views } from './view.resource.js';
import { listView } from './view-rows.js';
let ViewsController = class ViewsController extends resourceController(views) {
    rules = { check: checkView };
    /** Executes a view for the caller (interface: View response mode). */
    async records(id, { list, caller, request, response }) {
        const { representation } = await this.reader.get(views, caller, id);
        const view = storedView(representation);
        const { items, facts } = await listView(this.reader, view, caller, list);
        setPagingHeaders(request, response, list, facts);
        return items;
    }
};
__decorate([
    Get(':id/records'),
    AnyParameters(),
    __param(0, Param('id')),
    __param(1, ListOf(tasks)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String, Object]),
    __metadata("design:returntype", Promise)
], ViewsController.prototype, "records", null);
ViewsController = __decorate([
    Controller('api/v2/process/views')
], ViewsController);
export { ViewsController };
/** A view that cannot be executed is refused when it is written; a tile's view stays where it is. */
async function checkView({ id, values, bad, caller, transaction }) {
    if (bad.length > 0)
        return;
    if (id !== undefined && values.application !== undefined) {
        const applicationId = linkIdIn(values.application, [applications.ref.uri]);
        const [opener] = await transaction.rows({
            text: 'SELECT id FROM applications WHERE view_id = $1 AND id <> $2',
            values: [id, applicationId],
        });
        if (opener)
            bad.push({
                name: 'application',
                message: `must stay ${uriOf(applications.ref.uri, opener[0])}, whose tile opens this view`,
            });
    }
    const columns = values.columns ?? [];
    const unknown = columns.filter((name) => !tasks.attributes.has(name));
    if (unknown.length > 0)
        bad.push({ name: 'columns', message: `unknown attribute ${unknown.join(', ')}` });
    bad.push(...viewFaults({
        filters: values.filters ?? [],
        sorter: values.sorter,
    }, tasks.listableBy(caller)));
}
//# sourceMappingURL=views.controller.js.map