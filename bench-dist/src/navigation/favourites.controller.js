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
import { Body, Controller, Get, Put } from '@nestjs/common';
import { validateBody, satisfies } from '../negotiation/validate-body.js';
import { applications } from '../process/application.resource.js';
import { linkIdIn } from '../resources/link-attributes.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { FavouritesService } from './favourites.service.js';
/** More than anybody overlooks. */
const MAX_FAVOURITES = 100;
/** Links in, as everywhere: URIs, ids, or objects of which uri or id is read; null is none. */
class FavouritesBody {
    applications = null;
}
__decorate([
    satisfies(favouritesFault),
    __metadata("design:type", Object)
], FavouritesBody.prototype, "applications", void 0);
/** The caller's favourites; the answer of the workplace marks them. */
let FavouritesController = class FavouritesController {
    favourites;
    constructor(favourites) {
        this.favourites = favourites;
    }
    async get(caller) {
        return { applications: await this.favourites.list(caller) };
    }
    async replace(caller, origin, body) {
        const ids = idsIn(validateBody(FavouritesBody, body).applications ?? []);
        return { applications: await this.favourites.replace(caller, origin, ids) };
    }
};
__decorate([
    Get(),
    __param(0, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], FavouritesController.prototype, "get", null);
__decorate([
    Put(),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, Object]),
    __metadata("design:returntype", Promise)
], FavouritesController.prototype, "replace", null);
FavouritesController = __decorate([
    Controller('api/v2/directory/users/me/favourites'),
    __metadata("design:paramtypes", [FavouritesService])
], FavouritesController);
export { FavouritesController };
const idsIn = (links) => links.map((link) => linkIdIn(link, [applications.ref.uri]));
function favouritesFault(links) {
    if (links === null)
        return undefined;
    if (!Array.isArray(links))
        return 'must be an array of links';
    if (links.length > MAX_FAVOURITES)
        return `must have at most ${MAX_FAVOURITES} applications`;
    const ids = idsIn(links);
    const { uri } = applications.ref;
    if (ids.includes(undefined))
        return `must be links: expected an id or a URI such as ${uri}/1`;
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    return twice === undefined ? undefined : `must not name ${uri}/${twice} twice`;
}
//# sourceMappingURL=favourites.controller.js.map