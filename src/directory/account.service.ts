import { Injectable } from '@nestjs/common';
import type { BoundIdentity } from '../auth/credentials/identity.entity.js';
import { CurrentPassword } from '../auth/credentials/current-password.service.js';
import { PasswordsService } from '../auth/credentials/passwords.service.js';
import { SignInLimits } from '../auth/credentials/sign-in-limits.service.js';
import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { Database, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { type AuditAction, AuditService, type AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { userUri } from '../security/user-uri.js';
import type { PasswordChangeDto } from './account.dto.js';
import { accountOf } from './hand-out.js';

/** Accounts of users: passwords, sessions, locks, identities. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly passwords: PasswordsService,
    private readonly currentPassword: CurrentPassword,
    private readonly limits: SignInLimits,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sets the password of a user whom the caller may manage. It ends invitations and all other sessions of the user; a
   * reset by an administrator also deletes the API keys and unbinds the identities.
   * @throws ApiError 400 when currentPassword is wrong, or missing for the own account, or the new password fails a
   * rule, 409 when another request has just changed the password
   */
  async changePassword(
    caller: Caller,
    auditContext: AuditContext,
    id: string,
    { currentPassword, password }: PasswordChangeDto,
  ): Promise<void> {
    const isOwn = caller.id === id;
    if (isOwn || currentPassword !== null)
      await this.currentPassword.require(id, currentPassword, 'currentPassword', auditContext);
    const evaluated = await this.passwords.accept(password, id);
    await this.database.transaction(async (transaction) => {
      const endedApiKeys = await this.passwords.set(id, evaluated, transaction, {
        kept: isOwn ? caller : undefined,
        endsOthers: !isOwn,
      });
      await this.record(transaction, auditContext, 'change-password', id, { endedApiKeys });
    });
    await this.notifications.waitUntilDelivered();
  }

  /** Ends all sessions of a user, or one, and returns how many it ended. */
  async endSessions(auditContext: AuditContext, id: string, sessionId?: string): Promise<number> {
    const count = await this.database.transaction(async (transaction) => {
      // Waits for sign-ins and renewals under way, and then ends their sessions too.
      await transaction.execute({
        text: 'SELECT 1 FROM sign_ins WHERE user_id = $1 FOR NO KEY UPDATE',
        values: [id],
      });
      const ended = await endSessions(
        transaction,
        'user_id = $1 AND ($2::bigint IS NULL OR id = $2)',
        [id, sessionId ?? null],
      );
      if (ended > 0) await this.record(transaction, auditContext, 'end-sessions', id);
      return ended;
    });
    await this.notifications.waitUntilDelivered();
    return count;
  }

  /** Ends all sessions of all users, e.g. after a restore, because a backup contains tokens that were revoked since. */
  async endAllSessions(auditContext: AuditContext): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ended = await endSessions(transaction, 'true', []);
      await this.audit.record(transaction, auditContext, { action: 'end-sessions' });
      return ended;
    });
  }

  /**
   * Sets a password from the command line, checked by the rules. It unlocks the account, ends its tokens
   * and API keys, and unbinds its identities.
   * @throws ApiError 400 when the password fails a rule, 403 for a service account
   */
  async resetPassword(auditContext: AuditContext, id: string, password: string): Promise<void> {
    const account = await accountOf(this.database, id);
    if (account?.isService) throw forbidden(reason('service-account'));
    const evaluated = await this.passwords.accept(password, id);
    await this.database.transaction(async (transaction) => {
      const endedApiKeys = await this.passwords.set(id, evaluated, transaction, {
        endsOthers: true,
      });
      await this.limits.unlock(id, transaction);
      await this.record(transaction, auditContext, 'change-password', id, { endedApiKeys });
    });
  }

  /**
   * Unlocks a user.
   * @returns whether there was a lock
   */
  unlock(auditContext: AuditContext, id: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const wasLocked = await this.limits.unlock(id, transaction);
      await this.record(transaction, auditContext, 'unlock', id);
      return wasLocked;
    });
  }

  /**
   * Unbinds the identities of a user, or one, and ends every session.
   * @returns the number of identities that it unbound
   */
  async unbindIdentities(
    auditContext: AuditContext,
    id: string,
    identityId?: string,
  ): Promise<number> {
    const unbound = await this.database.transaction(async (transaction) => {
      // Plain SQL, because a repository does not return the rows that it deletes.
      const rows = await transaction.query<Pick<BoundIdentity, 'issuer' | 'subject'>>({
        text: `DELETE FROM identities WHERE user_id = $1 AND ($2::bigint IS NULL OR id = $2)
          RETURNING issuer, subject`,
        values: [id, identityId ?? null],
      });
      for (const before of rows)
        await this.audit.record(transaction, auditContext, {
          action: 'unbind-identity',
          objectUri: userUri(id),
          before,
        });
      return rows.length;
    });
    await this.notifications.waitUntilDelivered();
    return unbound;
  }

  private record(
    transaction: Transaction,
    auditContext: AuditContext,
    action: AuditAction,
    id: string,
    after?: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(transaction, auditContext, { action, objectUri: userUri(id), after });
  }
}

/**
 * Ends browser sessions with all of their tokens, and tokens of other sign-ins.
 * @param condition SQL on `user_id` and `id`
 * @returns the number of sessions
 */
async function endSessions(
  transaction: Transaction,
  condition: string,
  values: unknown[],
): Promise<number> {
  const browsers = await transaction.execute({
    text: `DELETE FROM browser_sessions WHERE ${condition}`,
    values,
  });
  const others = await transaction.execute({
    text: `DELETE FROM tokens WHERE browser_session_id IS NULL AND ${condition}`,
    values,
  });
  return browsers + others;
}
