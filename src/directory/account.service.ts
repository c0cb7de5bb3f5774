import { Injectable } from '@nestjs/common';
import { CurrentPassword } from '../credentials/current-password.service.js';
import { type NewPassword, PasswordsService } from '../credentials/passwords.service.js';
import { hashSecret, makeSecret } from '../credentials/secret.js';
import { SignInLimits } from '../credentials/sign-in-limits.service.js';
import { Database, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { badPassword, conflict, unknownInvitation } from '../errors/api-errors.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { type AuditAction, AuditService, type AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import type { PasswordChangeDto } from './account.dto.js';
import { users } from './user.resource.js';

/** Validity of an invitation in hours. */
const INVITATION_HOURS = 72;

/** The statuses that allow an invitation: without a password yet, or in need of a new one. */
const INVITABLE = [USER_STATUS.active, USER_STATUS.invited];

/** A one-time code, shown once; the database stores its hash. */
export interface Invitation {
  code: string;
  expiration: string;
}

/** Accounts of users: passwords, sessions, locks, identities, invitations. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly reader: ResourceReader,
    private readonly passwords: PasswordsService,
    private readonly currentPassword: CurrentPassword,
    private readonly limits: SignInLimits,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sets the password of a user whom the caller may manage. It ends invitations and all other sessions of the
   * user; a reset by somebody else also deletes the API keys.
   * @throws ApiError 400 when currentPassword is wrong or the new password fails a rule, 409
   * when another request has just changed the password
   */
  async changePassword(
    caller: Caller,
    auditContext: AuditContext,
    id: string,
    { currentPassword, password }: PasswordChangeDto,
  ): Promise<void> {
    const isOwn = caller.id === id;
    if (isOwn)
      await this.currentPassword.require(id, currentPassword, 'currentPassword', auditContext);
    const evaluated = await this.evaluate(password, id);
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
      // Waits for sign-ins and renewals under way, which this then ends, too.
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

  /** Ends all sessions of all users, as after a restore: a backup contains tokens that were revoked since. */
  async endAllSessions(auditContext: AuditContext): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ended = await endSessions(transaction, 'true', []);
      await this.audit.record(transaction, auditContext, { action: 'end-sessions' });
      return ended;
    });
  }

  /**
   * Sets a password from the command line, checked by the rules. It unlocks the account and ends its tokens and
   * API keys.
   * @throws ApiError 400 when the password fails a rule
   */
  async resetPassword(auditContext: AuditContext, id: string, password: string): Promise<void> {
    const evaluated = await this.evaluate(password, id);
    await this.database.transaction(async (transaction) => {
      const endedApiKeys = await this.passwords.set(id, evaluated, transaction, {
        endsOthers: true,
      });
      await this.limits.unlock(id, transaction);
      await this.record(transaction, auditContext, 'change-password', id, { endedApiKeys });
    });
  }

  /** Unlocks a user. */
  async unlock(auditContext: AuditContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.limits.unlock(id, transaction);
      await this.record(transaction, auditContext, 'unlock', id);
    });
  }

  /**
   * Creates a one-time code for a first or a new password, and revokes an older one. The code can take an account
   * over, so this requires a recent proof, unless the account is unused and has no rights of its own.
   * @throws ApiError 403, 409 when the user is neither active nor invited
   */
  async invite(caller: Caller, auditContext: AuditContext, id: string): Promise<Invitation> {
    const { representation } = await this.reader.get(users, caller, id);
    if (!(await this.isUnused(representation))) requireRecentProof(caller);
    const code = makeSecret();
    return this.database.transaction(async (transaction) => {
      const [invitation] = await transaction.query<{ expiration: string }>({
        text: `INSERT INTO invitations (user_id, hash, expiration)
          SELECT id, $2, now() + make_interval(hours => $3) FROM users WHERE id = $1 AND status = ANY ($4)
          ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expiration = excluded.expiration
          RETURNING expiration`,
        values: [id, hashSecret(code), INVITATION_HOURS, INVITABLE],
      });
      if (!invitation) throw conflict('Only an active or invited user can get an invitation');
      await this.record(transaction, auditContext, 'invite', id);
      return { code, ...invitation };
    });
  }

  /** Whether an invited user has never been able to sign in and has no rights of its own. */
  private async isUnused(user: Record<string, unknown>): Promise<boolean> {
    if (
      user.status !== USER_STATUS.invited ||
      user.administrator === true ||
      user.processEngine === true
    )
      return false;
    const [unused] = await this.database.query({
      text: `SELECT id FROM users WHERE id = $1 AND
        (SELECT last_login_date FROM sign_ins WHERE user_id = $1) IS NULL AND
        NOT EXISTS (SELECT 1 FROM passwords WHERE user_id = $1) AND
        NOT EXISTS (SELECT 1 FROM api_keys WHERE user_id = $1) AND
        NOT EXISTS (SELECT 1 FROM identities WHERE user_id = $1)`,
      values: [user.id],
    });
    return unused !== undefined;
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
      const rows = await transaction.query<{ issuer: string; subject: string }>({
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

  /** Revokes the open invitation of a user, if there is one. */
  async revokeInvitation(auditContext: AuditContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const revoked = await transaction.execute({
        text: 'DELETE FROM invitations WHERE user_id = $1',
        values: [id],
      });
      if (revoked > 0) await this.record(transaction, auditContext, 'revoke-invitation', id);
    });
  }

  /**
   * Uses an invitation: sets the password and activates an invited user. For an active user this is a reset,
   * which deletes the API keys.
   * @throws ApiError 400 naming `code`, or a PasswordError (the code then stays valid); 429 when the address has
   * failed too often
   */
  async useInvitation(auditContext: AuditContext, code: string, password: string): Promise<void> {
    const address = auditContext.address ?? '';
    await this.limits.count(undefined, address);
    const [invited] = await this.database.query<{ id: string; login: string }>({
      text: `SELECT u.id, u.login FROM invitations i JOIN users u ON u.id = i.user_id
        WHERE u.status = ANY ($2) AND i.hash = $1 AND i.expiration > now()`,
      values: [hashSecret(code), INVITABLE],
    });
    if (!invited) throw unknownInvitation();
    await this.limits.refund(address);
    const { id, login } = invited;
    const evaluated = await this.evaluate(password, id);
    await this.database.transaction(async (transaction) => {
      const used = await transaction.execute({
        text: `DELETE FROM invitations i USING users u
          WHERE u.id = i.user_id AND u.status = ANY ($2) AND i.hash = $1 AND i.expiration > now()`,
        values: [hashSecret(code), INVITABLE],
      });
      if (used === 0) throw unknownInvitation();
      const endedApiKeys = await this.passwords.set(id, evaluated, transaction, {
        endsOthers: true,
      });
      await transaction.execute({
        text: 'UPDATE users SET status = $2, revision = revision + 1, modification_date = now() WHERE id = $1 AND status = $3',
        values: [id, USER_STATUS.active, USER_STATUS.invited],
      });
      const user = { ...auditContext, caller: { id, login } };
      await this.record(transaction, user, 'use-invitation', id, { endedApiKeys });
    });
    await this.notifications.waitUntilDelivered();
  }

  /** @throws ApiError 400 PasswordError with all failing codes */
  private async evaluate(password: string, id: string): Promise<NewPassword> {
    const evaluated = await this.passwords.evaluate(password, id);
    if (evaluated.codes.length > 0) throw badPassword(evaluated.codes);
    return evaluated;
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
