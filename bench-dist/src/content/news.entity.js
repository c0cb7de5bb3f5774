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
let News = class News extends Content {
    title;
    summary;
    body;
    publicationDate;
    endDate;
    category;
};
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], News.prototype, "title", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], News.prototype, "summary", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], News.prototype, "body", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, nullable: true }),
    __metadata("design:type", Object)
], News.prototype, "publicationDate", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, nullable: true }),
    __metadata("design:type", Object)
], News.prototype, "endDate", void 0);
__decorate([
    Column({ type: 'text', nullable: true }),
    __metadata("design:type", Object)
], News.prototype, "category", void 0);
News = __decorate([
    Entity('news'),
    Check('news_status_check', 'status IN (0, 1, 2)')
], News);
export { News };
//# sourceMappingURL=news.entity.js.map