var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Check, Column, Entity, ForeignKey } from 'typeorm';
import { Stored } from '../resources/stored.js';
/** A saved list of an application's tasks. */
let View = class View extends Stored {
    reference;
    label;
    applicationId;
    columns;
    filters;
    filterMode;
    sorter;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], View.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], View.prototype, "label", void 0);
__decorate([
    Column({ type: 'bigint' }),
    ForeignKey('Application'),
    __metadata("design:type", String)
], View.prototype, "applicationId", void 0);
__decorate([
    Column({ type: 'text', array: true, default: '{}' }),
    __metadata("design:type", Array)
], View.prototype, "columns", void 0);
__decorate([
    Column({ type: 'text', array: true, default: '{}' }),
    __metadata("design:type", Array)
], View.prototype, "filters", void 0);
__decorate([
    Column({ type: 'text', default: 'and' }),
    __metadata("design:type", String)
], View.prototype, "filterMode", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], View.prototype, "sorter", void 0);
View = __decorate([
    Entity('views'),
    Check('views_filter_mode_check', `filter_mode IN ('and', 'or')`)
], View);
export { View };
//# sourceMappingURL=view.entity.js.map