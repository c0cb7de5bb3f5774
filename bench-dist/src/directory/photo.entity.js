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
/** A user's picture, re-encoded; in the database, since the server holds no state. */
let Photo = class Photo {
    userId;
    content;
    mediaType;
    /** SHA-256 of the content; the ETag names it. */
    digest;
    modificationDate;
};
__decorate([
    PrimaryColumn({ type: 'bigint' }),
    ForeignKey('User', { onDelete: 'CASCADE' }),
    __metadata("design:type", String)
], Photo.prototype, "userId", void 0);
__decorate([
    Column({ type: 'bytea' }),
    __metadata("design:type", Buffer)
], Photo.prototype, "content", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Photo.prototype, "mediaType", void 0);
__decorate([
    Column({ type: 'text' }),
    __metadata("design:type", String)
], Photo.prototype, "digest", void 0);
__decorate([
    Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }),
    __metadata("design:type", Date)
], Photo.prototype, "modificationDate", void 0);
Photo = __decorate([
    Entity('photos')
], Photo);
export { Photo };
//# sourceMappingURL=photo.entity.js.map