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
/** A tile of the workplace: a process with tasks, or a link. */
let Application = class Application extends Stored {
    reference;
    title;
    tileColor;
    type;
    link;
    icon;
    targetBlank;
    helpLinkJS;
    keywords;
    position;
    active;
    viewId;
    /** Derived by the database from the audience table. */
    audience;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Application.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Application.prototype, "title", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Application.prototype, "tileColor", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Application.prototype, "type", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Application.prototype, "link", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Application.prototype, "icon", void 0);
__decorate([
    Column({ type: 'boolean', default: false }),
    __metadata("design:type", Boolean)
], Application.prototype, "targetBlank", void 0);
__decorate([
    Column({ type: 'text', nullable: true, name: 'help_link_js' }),
    __metadata("design:type", Object)
], Application.prototype, "helpLinkJS", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Application.prototype, "keywords", void 0);
__decorate([
    Column({ type: 'integer', default: 0 }),
    __metadata("design:type", Number)
], Application.prototype, "position", void 0);
__decorate([
    Column({ type: 'boolean', default: true }),
    __metadata("design:type", Boolean)
], Application.prototype, "active", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('View'),
    __metadata("design:type", Object)
], Application.prototype, "viewId", void 0);
__decorate([
    Column({ type: 'bigint', array: true, default: '{0}', insert: false, update: false }),
    __metadata("design:type", Array)
], Application.prototype, "audience", void 0);
Application = __decorate([
    Entity('applications'),
    Check('applications_type_check', `type IN ('PROCESS', 'LINK')`)
], Application);
export { Application };
//# sourceMappingURL=application.entity.js.map