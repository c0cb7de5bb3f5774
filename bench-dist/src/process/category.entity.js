var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Column, Entity } from 'typeorm';
import { Stored } from '../resources/stored.js';
let Category = class Category extends Stored {
    reference;
    title;
    position;
    active;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Category.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Category.prototype, "title", void 0);
__decorate([
    Column({ type: 'integer', default: 0 }),
    __metadata("design:type", Number)
], Category.prototype, "position", void 0);
__decorate([
    Column({ type: 'boolean', default: true }),
    __metadata("design:type", Boolean)
], Category.prototype, "active", void 0);
Category = __decorate([
    Entity('categories')
], Category);
export { Category };
//# sourceMappingURL=category.entity.js.map