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
import { KnownParameters } from '../negotiation/content.guard.js';
import { requiredParameter } from '../negotiation/query-string.js';
import { CurrentCaller } from '../security/caller.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { PreviewService } from './preview.service.js';
/** What another person sees, with the reason for every application. */
let PreviewController = class PreviewController {
    previews;
    constructor(previews) {
        this.previews = previews;
    }
    async preview(request, { locale }) {
        return this.previews.preview(requiredParameter(request, 'user'), locale);
    }
};
__decorate([
    Get(),
    KnownParameters('user'),
    __param(0, Req()),
    __param(1, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], PreviewController.prototype, "preview", null);
PreviewController = __decorate([
    Controller('api/v2/navigation/preview'),
    AdministratorOnly(),
    __metadata("design:paramtypes", [PreviewService])
], PreviewController);
export { PreviewController };
//# sourceMappingURL=preview.controller.js.map