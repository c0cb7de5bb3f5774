import { Injectable } from '@nestjs/common';
import { PasswordsService } from '../credentials/passwords.service.js';
import { hashSecret, makeSecret } from '../credentials/secret.js';
import { SignInLimits } from '../credentials/sign-in-limits.service.js';
import { Database, type Reader } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { conflict, unknownInvitation } from '../errors/api-errors.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
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

/** The person who holds a valid one-time code. */
export interface CodeHolder {
  purpose: 'invitation';
  login: string;
  title: string;
  locale: string;
  expiration: string;
}

/** One-time codes with which people set a first or a new password (docs/api-contract.md#accounts). */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly reader: ResourceReader,
    private readonly passwords: PasswordsService,
    private readonly limits: SignInLimits,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a one-time code for a first or a new password, and revokes an older one. The code can take an account
   * over, so this requires a recent proof, unless the account is unused and has no rights of its own.
   * @throws ApiError 403, 409 when the user is neither active nor invited
   */
  async create(caller: Caller, auditContext: AuditContext, id: string): Promise<Invitation> {
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
      await this.audit.record(transaction, auditContext, {
        action: 'invite',
        objectUri: userUri(id),
      });
      return { code, ...invitation };
    });
  }

  /** Revokes the open invitation of a user, if there is one. */
  async revoke(auditContext: AuditContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const revoked = await transaction.execute({
        text: 'DELETE FROM invitations WHERE user_id = $1',
        values: [id],
      });
      if (revoked > 0)
        await this.audit.record(transaction, auditContext, {
          action: 'revoke-invitation',
          objectUri: userUri(id),
        });
    });
  }

  /**
   * Finds the holder of a code, which stays valid: a page greets them and shows until when they may use it.
   * @throws ApiError 400 naming `code`; 429 when the address has failed too often
   */
  async check({ address = '' }: AuditContext, code: string): Promise<CodeHolder> {
    const { id: _id, ...holder } = await this.holderOf(code, address);
    return holder;
  }

  /**
   * Uses a code: sets the password, activates an invited user and unlocks the account. For an active user this is
   * a reset, which deletes the API keys.
   * @throws ApiError 400 naming `code`, or a PasswordError (the code then stays valid); 429 when the address has
   * failed too often
   */
  async use(auditContext: AuditContext, code: string, password: string): Promise<void> {
    const { id, login } = await this.holderOf(code, auditContext.address ?? '');
    const accepted = await this.passwords.accept(password, id);
    await this.database.transaction(async (transaction) => {
      await this.consume(code, transaction);
      const endedApiKeys = await this.passwords.set(id, accepted, transaction, {
        endsOthers: true,
      });
      await this.limits.unlock(id, transaction);
      await transaction.execute({
        text: 'UPDATE users SET status = $2, revision = revision + 1, modification_date = now() WHERE id = $1 AND status = $3',
        values: [id, USER_STATUS.active, USER_STATUS.invited],
      });
      await this.audit.record(
        transaction,
        { ...auditContext, caller: { id, login } },
        { action: 'use-invitation', objectUri: userUri(id), after: { endedApiKeys } },
      );
    });
    await this.notifications.waitUntilDelivered();
  }

  /** Guesses count like failed sign-ins of the address. */
  private async holderOf(code: string, address: string): Promise<CodeHolder & { id: string }> {
    await this.limits.count(undefined, address);
    const [holder] = await this.database.query<CodeHolder & { id: string }>({
      text: `SELECT 'invitation' AS purpose, u.id, u.login, u.title, u.locale, i.expiration
        FROM invitations i JOIN users u ON u.id = i.user_id
        WHERE u.status = ANY ($2) AND i.hash = $1 AND i.expiration > now()`,
      values: [hashSecret(code), INVITABLE],
    });
    if (!holder) throw unknownInvitation();
    await this.limits.refund(address);
    return holder;
  }

  /** Ends a code within the transaction that uses it, so that of parallel uses only one succeeds. */
  private async consume(code: string, transaction: Reader): Promise<void> {
    const used = await transaction.execute({
      text: `DELETE FROM invitations i USING users u
        WHERE u.id = i.user_id AND u.status = ANY ($2) AND i.hash = $1 AND i.expiration > now()`,
      values: [hashSecret(code), INVITABLE],
    });
    if (used === 0) throw unknownInvitation();
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
}
