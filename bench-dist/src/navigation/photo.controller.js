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
import { createHash } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { answerPicture } from '../directory/answer-picture.js';
import { PhotosService } from '../directory/photos.service.js';
import { users } from '../directory/user.resource.js';
import { AnyParameters, Produces } from '../negotiation/content.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentCaller } from '../security/caller.js';
import { drawInitials } from './initials.js';
/** A user's picture; takes the token in the query, because <img> cannot send headers. */
let NavigationPhotoController = class NavigationPhotoController {
    photos;
    reader;
    constructor(photos, reader) {
        this.photos = photos;
        this.reader = reader;
    }
    async photo(caller, id, request, response) {
        const { representation } = await this.reader.get(users, caller, id);
        const photo = await this.photos.find(id);
        answerPicture(request, response, photo ?? initialsOf(String(representation.title), id));
    }
};
__decorate([
    Get(),
    AnyParameters(),
    Produces('image/webp', 'image/svg+xml'),
    __param(0, CurrentCaller()),
    __param(1, Param('id')),
    __param(2, Req()),
    __param(3, Res()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, Object]),
    __metadata("design:returntype", Promise)
], NavigationPhotoController.prototype, "photo", null);
NavigationPhotoController = __decorate([
    Controller('navigation/directory/users/:id/photo'),
    __metadata("design:paramtypes", [PhotosService,
        ResourceReader])
], NavigationPhotoController);
export { NavigationPhotoController };
function initialsOf(title, id) {
    const content = drawInitials(title, id);
    const digest = createHash('sha256').update(content).digest('hex');
    return { content, mediaType: 'image/svg+xml', digest };
}
//# sourceMappingURL=photo.controller.js.map