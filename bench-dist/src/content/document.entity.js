var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Check, Column, Entity } from 'typeorm';
import { Content } from './content.entity.js';
let Document = class Document extends Content {
    title;
    fileName;
    mimeType;
    size;
    version;
    category;
    keywords;
    downloadUrl;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Document.prototype, "title", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "fileName", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "mimeType", void 0);
__decorate([
    Column({ type: 'bigint', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "size", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "version", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "category", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "keywords", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], Document.prototype, "downloadUrl", void 0);
Document = __decorate([
    Entity('documents'),
    Check('documents_status_check', 'status IN (0, 1, 2)')
], Document);
export { Document };
//# sourceMappingURL=document.entity.js.map