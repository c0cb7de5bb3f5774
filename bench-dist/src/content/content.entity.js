var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Column, ForeignKey } from 'typeorm';
import { Stored } from '../resources/stored.js';
/** The columns that documents, news, faqs and customers share. */
export class Content extends Stored {
    reference;
    description;
    locale;
    authorId;
    status;
    /** Derived by the database from the audience table. */
    audience;
    /** Kept by the database. */
    quickSearch;
    /** Kept by the database. */
    searchTitle;
}
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Content.prototype, "reference", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Content.prototype, "description", void 0);
__decorate([
    Column({ type: 'text', default: 'en' }),
    __metadata("design:type", String)
], Content.prototype, "locale", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    ForeignKey('User'),
    __metadata("design:type", Object)
], Content.prototype, "authorId", void 0);
__decorate([
    Column({ type: 'smallint', default: 1 }),
    __metadata("design:type", Number)
], Content.prototype, "status", void 0);
__decorate([
    Column({ type: 'bigint', array: true, default: '{0}', insert: false, update: false }),
    __metadata("design:type", Array)
], Content.prototype, "audience", void 0);
__decorate([
    Column({ type: 'text', default: '', insert: false, update: false }),
    __metadata("design:type", String)
], Content.prototype, "quickSearch", void 0);
__decorate([
    Column({ type: 'text', default: '', insert: false, update: false }),
    __metadata("design:type", String)
], Content.prototype, "searchTitle", void 0);
//# sourceMappingURL=content.entity.js.map