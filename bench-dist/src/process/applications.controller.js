var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource-controller.js';
import { idIn } from '../resources/uri.js';
import { applications } from './application.resource.js';
import { views } from './view.resource.js';
let ApplicationsController = class ApplicationsController extends resourceController(applications) {
    rules = { check: checkView };
};
ApplicationsController = __decorate([
    Controller('api/v2/navigation/applications')
], ApplicationsController);
export { ApplicationsController };
/** The view that the tile opens is one of the application's own. */
async function checkView({ id, values, bad, transaction }) {
    const view = values.view;
    if (view === null || view === undefined || bad.length > 0)
        return;
    const text = typeof view === 'string' ? view : (view.uri ?? view.id ?? '');
    const rows = await transaction.rows({
        text: 'SELECT 1 FROM views WHERE id = $1 AND application_id = $2',
        values: [idIn(text, views.ref.uri), id ?? null],
    });
    if (rows.length === 0)
        bad.push({ name: 'view', message: 'must be a view of this application' });
}
//# sourceMappingURL=applications.controller.js.map