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
import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import { AnyParameters } from '../negotiation/content.guard.js';
import { requiredParameter } from '../negotiation/query-string.js';
import { CurrentCaller } from '../security/caller.js';
import { ConditionalInterceptor } from './conditional.interceptor.js';
import { SnapshotService } from './snapshot.service.js';
import { WorkplaceService } from './workplace.service.js';
/** interface: the navigation API. Unknown parameters are ignored: portals add cache busters. */
let WorkplaceController = class WorkplaceController {
    workplace;
    snapshot;
    constructor(workplace, snapshot) {
        this.workplace = workplace;
        this.snapshot = snapshot;
    }
    /** Everything at once (decisions: Navigation). */
    everything(caller) {
        return this.snapshot.take(caller);
    }
    categories(caller) {
        return this.workplace.categories(caller);
    }
    async applications(request, caller) {
        return this.workplace.applications(requiredParameter(request, 'category'), caller);
    }
    async indicator(request, caller) {
        return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
    }
    /** Where updateCounterUrl of a PROCESS application points to; answers like the indicator. */
    async count(request, caller) {
        return this.workplace.indicator(requiredParameter(request, 'applicationUri'), caller);
    }
};
__decorate([
    Get(),
    __param(0, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], WorkplaceController.prototype, "everything", null);
__decorate([
    Get('categories'),
    __param(0, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], WorkplaceController.prototype, "categories", null);
__decorate([
    Get('apps'),
    __param(0, Req()),
    __param(1, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkplaceController.prototype, "applications", null);
__decorate([
    Get('apps/indicator'),
    __param(0, Req()),
    __param(1, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkplaceController.prototype, "indicator", null);
__decorate([
    Get('views/count'),
    __param(0, Req()),
    __param(1, CurrentCaller()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkplaceController.prototype, "count", null);
WorkplaceController = __decorate([
    Controller('navigation/workplace'),
    AnyParameters(),
    UseInterceptors(ConditionalInterceptor),
    __metadata("design:paramtypes", [WorkplaceService,
        SnapshotService])
], WorkplaceController);
export { WorkplaceController };
//# sourceMappingURL=workplace.controller.js.map