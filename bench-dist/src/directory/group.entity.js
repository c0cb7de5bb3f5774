var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Principal } from './principal.js';
let Group = class Group extends Principal {
    reference;
    label;
    description;
    externalId;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Group.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Group.prototype, "label", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Group.prototype, "description", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Group.prototype, "externalId", void 0);
Group = __decorate([
    Entity('groups')
], Group);
export { Group };
/** Who is in which group. */
let GroupMember = class GroupMember {
    groupId;
    userId;
};
__decorate([
    PrimaryColumn({ type: 'bigint' }),
    ForeignKey('Group', { onDelete: 'CASCADE' }),
    __metadata("design:type", String)
], GroupMember.prototype, "groupId", void 0);
__decorate([
    PrimaryColumn({ type: 'bigint' }),
    ForeignKey('User', { onDelete: 'CASCADE' }),
    __metadata("design:type", String)
], GroupMember.prototype, "userId", void 0);
GroupMember = __decorate([
    Entity('group_members')
], GroupMember);
export { GroupMember };
//# sourceMappingURL=group.entity.js.map