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
import { Principal } from './principal.js';
/** A row of the directory's users. */
let User = class User extends Principal {
    login;
    firstName;
    lastName;
    nickName;
    title;
    email;
    phoneNumber;
    mobilePhoneNumber;
    userFunction;
    description;
    locale;
    organizationId;
    managerId;
    status;
    administrator;
    processEngine;
    sysadmin;
    externalId;
    /** Kept by the database. */
    quickSearch;
    /** Kept by the database. */
    searchTitle;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], User.prototype, "login", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "firstName", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], User.prototype, "lastName", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "nickName", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], User.prototype, "title", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "email", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "phoneNumber", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "mobilePhoneNumber", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "userFunction", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "description", void 0);
__decorate([
    Column({ type: 'text', default: 'en' }),
    __metadata("design:type", String)
], User.prototype, "locale", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('Organization'),
    __metadata("design:type", Object)
], User.prototype, "organizationId", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('User'),
    __metadata("design:type", Object)
], User.prototype, "managerId", void 0);
__decorate([
    Column({ type: 'smallint', default: 2 }),
    __metadata("design:type", Number)
], User.prototype, "status", void 0);
__decorate([
    Column({ type: 'boolean', default: false }),
    __metadata("design:type", Boolean)
], User.prototype, "administrator", void 0);
__decorate([
    Column({ type: 'boolean', default: false }),
    __metadata("design:type", Boolean)
], User.prototype, "processEngine", void 0);
__decorate([
    Column({ type: 'boolean', default: false }),
    __metadata("design:type", Boolean)
], User.prototype, "sysadmin", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], User.prototype, "externalId", void 0);
__decorate([
    Column({ type: 'text', default: '', insert: false, update: false }),
    __metadata("design:type", String)
], User.prototype, "quickSearch", void 0);
__decorate([
    Column({ type: 'text', default: '', insert: false, update: false }),
    __metadata("design:type", String)
], User.prototype, "searchTitle", void 0);
User = __decorate([
    Entity('users'),
    Check('users_status_check', 'status IN (0, 1, 2, 3)'),
    Check('users_sysadmin_check', 'NOT sysadmin OR (administrator AND status = 1)')
], User);
export { User };
//# sourceMappingURL=user.entity.js.map