var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import sharp from 'sharp';
import { Repository } from 'typeorm';
import { Database } from '../database/database.js';
import { invalidField, notFound, unsupportedMediaType } from '../errors/refusals.js';
import { PHOTO_TYPES } from '../negotiation/body.js';
import { uriOf } from '../resources/uri.js';
import { AuditService } from '../security/audit.service.js';
import { Photo } from './photo.entity.js';
import { users } from './user.resource.js';
/** Formats by content, whatever the declared type says. */
const FORMATS = new Set(['jpeg', 'png', 'webp']);
/** More pixels than any camera has; a small file can declare a thousand million. */
const MAX_PIXELS = 50_000_000;
/** Side of the stored square in pixels. */
const SIZE = 512;
const MEDIA_TYPE = 'image/webp';
/** Pictures of users. */
let PhotosService = class PhotosService {
    photos;
    database;
    audit;
    constructor(photos, database, audit) {
        this.photos = photos;
        this.database = database;
        this.audit = audit;
    }
    find(userId) {
        return this.photos.findOneBy({ userId });
    }
    /**
     * Stores a picture, re-encoded: what was hidden in the file (place, scripts) does not survive.
     * @throws Refusal 415 when the content is no JPEG, PNG or WebP, 400 when it cannot be decoded
     */
    async store(userId, file, origin) {
        const content = await reencode(file);
        const digest = createHash('sha256').update(content).digest('hex');
        await this.database.transaction(async (transaction) => {
            await transaction.rows({
                text: `INSERT INTO photos (user_id, content, media_type, digest) VALUES ($1, $2, $3, $4)
          ON CONFLICT (user_id) DO UPDATE SET content = excluded.content, media_type = excluded.media_type,
            digest = excluded.digest, modification_date = now()`,
                values: [userId, content, MEDIA_TYPE, digest],
            });
            const objectUri = uriOf(users.ref.uri, userId);
            await this.audit.record(transaction, origin, { action: 'set-photo', objectUri });
        });
    }
    /** @throws Refusal 404 when there is none */
    async delete(userId, origin) {
        await this.database.transaction(async (transaction) => {
            const deleted = await transaction.rows({
                text: 'DELETE FROM photos WHERE user_id = $1 RETURNING 1',
                values: [userId],
            });
            if (deleted.length === 0)
                throw notFound();
            const objectUri = uriOf(users.ref.uri, userId);
            await this.audit.record(transaction, origin, { action: 'delete-photo', objectUri });
        });
    }
};
PhotosService = __decorate([
    Injectable(),
    __param(0, InjectRepository(Photo)),
    __metadata("design:paramtypes", [Repository,
        Database,
        AuditService])
], PhotosService);
export { PhotosService };
async function reencode(file) {
    const image = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await image.metadata().catch(() => ({ format: undefined }));
    if (format === undefined || !FORMATS.has(format))
        throw unsupportedMediaType(`${PHOTO_TYPES.join(', ')} by content`);
    try {
        return await image
            .rotate()
            .resize(SIZE, SIZE, { fit: 'cover', withoutEnlargement: true })
            .webp({ quality: 82 })
            .toBuffer();
    }
    catch {
        throw invalidField('body', `not a picture of at most ${MAX_PIXELS} pixels that can be decoded`);
    }
}
//# sourceMappingURL=photos.service.js.map