import { Injectable } from '@nestjs/common';
import {
  type ApiKey,
  type ApiKeyOptions,
  ApiKeysService,
} from '../credentials/api-keys.service.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { notFound } from '../errors/api-errors.js';
import { uriOf } from '../resources/uri.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import { users } from './user.resource.js';

/** A new API key as the list shows it, and once the key itself. */
export interface NewApiKey extends ApiKey {
  lastUseDate: null;
  lastUseAddress: null;
}

/** Making and deleting the API keys of users, audited. */
@Injectable()
export class UserApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly apiKeys: ApiKeysService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Makes an API key.
   * @throws ApiError 409 when the user has too many
   */
  make(auditContext: AuditContext, id: string, options: ApiKeyOptions): Promise<NewApiKey> {
    return this.database.transaction(async (transaction) => {
      const made = await this.apiKeys.make(id, options, transaction);
      const { name, prefix, expiration, addresses } = made;
      await this.audit.record(transaction, auditContext, {
        action: 'create-api-key',
        objectUri: uriOf(users.ref.uri, id),
        after: { name, prefix, expiration, addresses },
      });
      const { key, ...shown } = made;
      return { ...shown, lastUseDate: null, lastUseAddress: null, key };
    });
  }

  /**
   * Deletes an API key; the tokens that it issued end.
   * @throws ApiError 404
   */
  async delete(auditContext: AuditContext, id: string, keyId: string): Promise<void> {
    if ((await this.deleteKeys(auditContext, id, keyId)) === 0) throw notFound();
  }

  /** Deletes all API keys of a user. */
  async deleteAll(auditContext: AuditContext, id: string): Promise<void> {
    await this.deleteKeys(auditContext, id, null);
  }

  /** @returns how many were deleted */
  private async deleteKeys(
    auditContext: AuditContext,
    id: string,
    keyId: string | null,
  ): Promise<number> {
    const deleted = await this.database.transaction(async (transaction) => {
      const keys = await transaction.rows({
        text: `DELETE FROM api_keys WHERE user_id = $1 AND ($2::bigint IS NULL OR id = $2)
          RETURNING name, prefix`,
        values: [id, keyId],
      });
      for (const [name, prefix] of keys)
        await this.audit.record(transaction, auditContext, {
          action: 'delete-api-key',
          objectUri: uriOf(users.ref.uri, id),
          before: { name, prefix },
        });
      return keys.length;
    });
    await this.notifications.waitUntilDelivered();
    return deleted;
  }
}
