import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../database/database.js';
import { conflict, notFound, unavailable } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import { userUri } from '../security/user-uri.js';
import { encodePhoto, PHOTO_MEDIA_TYPE } from './photo-encoder.js';
import { Photo } from './photo.entity.js';

/** Photos of users. */
@Injectable()
export class PhotosService {
  /** The ids of the users whose pictures this process is encoding. */
  private readonly encoding = new Set<string>();

  constructor(
    @InjectRepository(Photo) private readonly photos: Repository<Photo>,
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  find(userId: string): Promise<Photo | null> {
    return this.photos.findOneBy({ userId });
  }

  /**
   * Encodes a picture and stores it.
   * @throws ApiError as `encodePhoto` does; 409 when the photo is that of a directory; 503 while another picture of this
   * user is being encoded
   */
  async store(userId: string, file: Buffer, auditContext: AuditContext): Promise<void> {
    await this.requireUnmanaged(userId);
    const content = await this.encode(userId, file);
    const digest = createHash('sha256').update(content).digest('hex');
    await this.database.transaction(async (transaction) => {
      const modificationDate = () => 'now()';
      await transaction.of(Photo).upsert(
        {
          ...{ userId, content, mediaType: PHOTO_MEDIA_TYPE, digest, modificationDate },
          directoryDigest: null,
        },
        ['userId'],
      );
      const objectUri = userUri(userId);
      await this.audit.record(transaction, auditContext, { action: 'set-photo', objectUri });
    });
  }

  /** Encodes one picture per user at a time, so that no user fills the queue of all others. */
  private async encode(userId: string, file: Buffer): Promise<Buffer> {
    if (this.encoding.has(userId)) throw unavailable();
    this.encoding.add(userId);
    try {
      return await encodePhoto(file);
    } finally {
      this.encoding.delete(userId);
    }
  }

  /** @throws ApiError 404 when the user has no photo, 409 when it is that of a directory */
  async delete(userId: string, auditContext: AuditContext): Promise<void> {
    await this.requireUnmanaged(userId);
    await this.database.transaction(async (transaction) => {
      const { affected } = await transaction.of(Photo).delete({ userId });
      if (affected === 0) throw notFound();
      const objectUri = userUri(userId);
      await this.audit.record(transaction, auditContext, { action: 'delete-photo', objectUri });
    });
  }

  /**
   * Keeps the photo of people whose directory has one in its mapping for this directory.
   * @throws ApiError 409 naming the provider
   */
  private async requireUnmanaged(userId: string): Promise<void> {
    const [row] = await this.database.query<{ provider: string }>({
      text: `SELECT p.label AS provider FROM users u JOIN providers p ON p.id = u.managed_by_id
        WHERE u.id = $1 AND p.kind = 'ldap' AND p.ldap -> 'mapping' ->> 'photo' <> ''`,
      values: [userId],
    });
    if (row) throw conflict(reason('managed-by-provider', { ...row, attributes: ['photo'] }));
  }
}
