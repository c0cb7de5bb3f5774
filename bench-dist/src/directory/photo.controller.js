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
import { Controller, Delete, Get, HttpCode, Param, Put, Req, Res } from '@nestjs/common';
import { forbidden, invalidField, notFound } from '../errors/refusals.js';
import { Produces } from '../negotiation/content.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { answerPicture } from './answer-picture.js';
import { PhotosService } from './photos.service.js';
import { users } from './user.resource.js';
/** A user's photo: JPEG, PNG or WebP in, always WebP out. */
let PhotoController = class PhotoController {
    photos;
    reader;
    constructor(photos, reader) {
        this.photos = photos;
        this.reader = reader;
    }
    async get(caller, id, request, response) {
        await this.reader.get(users, caller, id);
        const photo = await this.photos.find(id);
        if (!photo)
            throw notFound();
        answerPicture(request, response, photo);
    }
    async store(caller, origin, id, request) {
        await this.requireWritable(caller, id);
        if (!Buffer.isBuffer(request.body) || request.body.length === 0)
            throw invalidField('body', 'is empty');
        await this.photos.store(id, request.body, origin);
    }
    async delete(caller, origin, id) {
        await this.requireWritable(caller, id);
        await this.photos.delete(id, origin);
    }
    async requireWritable(caller, id) {
        await this.reader.get(users, caller, id);
        if (caller.id !== id && !caller.administrator)
            throw forbidden();
    }
};
__decorate([
    Get(),
    Produces('image/webp'),
    __param(0, CurrentCaller()),
    __param(1, Param('id')),
    __param(2, Req()),
    __param(3, Res()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, Object]),
    __metadata("design:returntype", Promise)
], PhotoController.prototype, "get", null);
__decorate([
    Put(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __param(3, Req()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, Object]),
    __metadata("design:returntype", Promise)
], PhotoController.prototype, "store", null);
__decorate([
    Delete(),
    HttpCode(204),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Param('id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], PhotoController.prototype, "delete", null);
PhotoController = __decorate([
    Controller('api/v2/directory/users/:id/photo'),
    __metadata("design:paramtypes", [PhotosService,
        ResourceReader])
], PhotoController);
export { PhotoController };
//# sourceMappingURL=photo.controller.js.map