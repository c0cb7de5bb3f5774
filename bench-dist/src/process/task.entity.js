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
/** Work that waits for a user or a group in a process application. */
let Task = class Task extends Stored {
    reference;
    title;
    description;
    applicationId;
    assigneeId;
    groupId;
    status;
    priority;
    dueDate;
    link;
    completionDate;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Task.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Task.prototype, "title", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Task.prototype, "description", void 0);
__decorate([
    Column({ type: 'bigint' }),
    ForeignKey('Application'),
    __metadata("design:type", String)
], Task.prototype, "applicationId", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('User'),
    __metadata("design:type", Object)
], Task.prototype, "assigneeId", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('Group'),
    __metadata("design:type", Object)
], Task.prototype, "groupId", void 0);
__decorate([
    Column({ type: 'text', default: 'open' }),
    __metadata("design:type", String)
], Task.prototype, "status", void 0);
__decorate([
    Column({ type: 'integer', default: 0 }),
    __metadata("design:type", Number)
], Task.prototype, "priority", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, nullable: true }),
    __metadata("design:type", Object)
], Task.prototype, "dueDate", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Task.prototype, "link", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, nullable: true }),
    __metadata("design:type", Object)
], Task.prototype, "completionDate", void 0);
Task = __decorate([
    Entity('tasks'),
    Check('tasks_status_check', `status IN ('open', 'done', 'cancelled')`)
], Task);
export { Task };
//# sourceMappingURL=task.entity.js.map