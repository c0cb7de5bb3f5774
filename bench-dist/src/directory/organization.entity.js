var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Column, Entity, ForeignKey } from 'typeorm';
import { Principal } from './principal.js';
/** An organization; `path` holds the ids from the root to itself and is kept by the database. */
let Organization = class Organization extends Principal {
    reference;
    label;
    description;
    parentId;
    managerId;
    externalId;
    active;
    path;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Organization.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Organization.prototype, "label", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Organization.prototype, "description", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('Organization'),
    __metadata("design:type", Object)
], Organization.prototype, "parentId", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('User'),
    __metadata("design:type", Object)
], Organization.prototype, "managerId", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Organization.prototype, "externalId", void 0);
__decorate([
    Column({ type: 'boolean', default: true }),
    __metadata("design:type", Boolean)
], Organization.prototype, "active", void 0);
__decorate([
    Column({ type: 'bigint', array: true, insert: false, update: false }),
    __metadata("design:type", Array)
], Organization.prototype, "path", void 0);
Organization = __decorate([
    Entity('organizations')
], Organization);
export { Organization };
//# sourceMappingURL=organization.entity.js.map