import { Rights } from '../base/rights/rights.js';
import { Injectable } from '@nestjs/common';
import { directoryOf } from '../auth/credentials/directory-passwords.service.js';
import { Invitation } from '../auth/credentials/invitation.entity.js';
import { PasswordReset } from '../auth/credentials/password-reset.entity.js';
import { PasswordsService } from '../auth/credentials/passwords.service.js';
import { hashSecret, makeSecret } from '../auth/credentials/secret.js';
import { PasswordSignIn } from '../auth/credentials/password-sign-in.service.js';
import { SignInLimits } from '../auth/credentials/sign-in-limits.service.js';
import { Config } from '../base/config/config.js';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { conflict, unknownInvitation } from '../base/errors/api-errors.js';
import type { AccountMailKind, Mail } from '../mail/mail.js';
import { Outbox, type QueuedMail } from '../mail/outbox.service.js';
import { NEXT_REVISION } from '../resources/base.entity.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import { hasRecentProof, requireRecentProof } from '../security/recent-proof.js';
import { brandingOf } from '../security/parameters/branding.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import { type Addressee, mailTo } from './account-mail.js';
import { User } from './user.entity.js';
import {
  type Delivery,
  findInvitees,
  INVITABLE,
  problemOf,
  type InvitationProblem,
} from './invitees.js';
import { reason } from '../base/errors/reason.js';

/** Validity of an invitation in hours. */
const INVITATION_HOURS = 72;

/** How long the server retries the mail of an invitation, in minutes. */
const MAIL_MINUTES = 24 * 60;

/** A one-time code, shown once; the database stores its hash. */
export interface InvitationCode {
  code: string;
  expiration: string;
}

/** Users to invite; `caller` is undefined at the command line. */
export interface InvitationOrder {
  caller?: Caller;
  auditContext: AuditContext;
  /** None twice. */
  ids: string[];
  delivery: Delivery;
}

/** The result of the invitation of one user. */
export interface InvitationResult {
  id: string;
  login: string | null;
  /** The code to hand over; null for a mail. */
  code: string | null;
  expiration: string | null;
  mailedTo: string | null;
  problem: InvitationProblem | null;
}

/** The person who holds a valid one-time code. */
export interface CodeHolder {
  purpose: AccountMailKind;
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
    private readonly passwords: PasswordsService,
    private readonly limits: SignInLimits,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly config: Config,
    private readonly passwordSignIn: PasswordSignIn,
  ) {
    outbox.register('invitation', {
      minutes: MAIL_MINUTES,
      write: (mail, transaction) => this.writeMail(mail, transaction),
    });
  }

  /**
   * Creates a one-time code for a first or a new password, and revokes an older one.
   * @throws ApiError 403, 409 when the user is neither active nor invited, or a directory checks the password
   */
  async create(caller: Caller, auditContext: AuditContext, id: string): Promise<InvitationCode> {
    const [result] = await this.createMany({ caller, auditContext, ids: [id], delivery: 'link' });
    const { code, expiration, problem } = result!;
    if (problem === 'directory-password') throw conflict(reason(problem));
    if (code === null || expiration === null) throw conflict(reason('not-invitable'));
    return { code, expiration };
  }

  /**
   * Creates a one-time code for each of these users, and revokes older ones. A code can take an account over, so this
   * requires a recent proof, unless the accounts are unused and have no rights of their own. The command line has no
   * caller, and needs none.
   * @returns a result for each id, in their order
   * @throws ApiError 401 or 403 without a recent proof; 409 for mails where this server sends none, and while passwords are
   * switched off
   */
  async createMany(order: InvitationOrder): Promise<InvitationResult[]> {
    const { caller, auditContext, ids, delivery } = order;
    if (delivery === 'mail' && !this.outbox.isEnabled) throw conflict(reason('no-mail'));
    await this.passwordSignIn.require();
    const { accounts, problems, codes, expirations } = await this.database.transaction(
      async (transaction) => {
        // Locks in the order of the outbox: the users, then the mail, then the invitation.
        const accounts = await findInvitees(transaction, ids);
        if (caller && [...accounts.values()].some(({ isUnused }) => !isUnused))
          requireRecentProof(caller);
        const problems = new Map(
          ids.map((id) => [
            id,
            problemOf(accounts.get(id), delivery, caller?.rights ?? Rights.ofSysadmin),
          ]),
        );
        const invitees = ids.filter((id) => problems.get(id) === null);
        const codes = new Map(invitees.map((id) => [id, makeSecret()]));
        if (delivery === 'mail') await this.outbox.queue('invitation', invitees, transaction);
        else await this.outbox.cancel('invitation', invitees, transaction);
        const expirations = await this.store(codes, transaction);
        if (delivery === 'mail' && (!caller || hasRecentProof(caller)))
          await this.trustAddresses(invitees, transaction);
        await this.recordInvitations(auditContext, [...expirations.keys()], delivery, transaction);
        return { accounts, problems, codes, expirations };
      },
    );
    if (delivery === 'mail') this.outbox.wake();
    return ids.map((id) => {
      const expiration = expirations.get(id) ?? null;
      return {
        id,
        login: accounts.get(id)?.login ?? null,
        // The code of a mail is made when the mail is sent.
        code: delivery === 'link' && expiration !== null ? codes.get(id)! : null,
        expiration,
        mailedTo: delivery === 'mail' && expiration !== null ? accounts.get(id)!.email : null,
        problem: expiration === null ? (problems.get(id) ?? 'status') : null,
      };
    });
  }

  /** Revokes the open invitation of a user, if there is one, and voids open password resets. */
  async revoke(auditContext: AuditContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const revoked = await transaction.of(Invitation).delete({ userId: id });
      await transaction.of(PasswordReset).delete({ userId: id });
      if (revoked.affected !== 0)
        await this.audit.record(transaction, auditContext, {
          action: 'revoke-invitation',
          objectUri: userUri(id),
        });
    });
  }

  /**
   * Finds the holder of a code, which stays valid. A page greets the holder and shows the expiration.
   * @throws ApiError 400 naming `code`; 409 while passwords are switched off,
   * or a directory checks the holder's; 429 when the address has failed too often
   */
  async check({ address = '' }: AuditContext, code: string): Promise<CodeHolder> {
    const { id: _id, ...holder } = await this.holderOf(code, address);
    return holder;
  }

  /**
   * Uses a code: sets the password, activates an invited user and unlocks the account. Like a reset by an
   * administrator, it deletes the API keys and unbinds the identities.
   * @throws ApiError 400 naming `code`, or a PasswordError (the code then stays valid); 429 when the address has failed
   * too often
   */
  async use(auditContext: AuditContext, code: string, password: string): Promise<void> {
    const holder = await this.holderOf(code, auditContext.address ?? '');
    const { id, login, purpose } = holder;
    const accepted = await this.passwords.accept(password, id);
    await this.database.transaction(async (transaction) => {
      await this.consume(holder, code, transaction);
      // A passkey is a second step too, which who hands out the code must not be able to remove.
      const endedApiKeys = await this.passwords.set(id, accepted, transaction, {
        endsOthers: true,
        keepsPasskeys: true,
      });
      await this.limits.unlock(id, transaction);
      await transaction
        .of(User)
        .update(
          { id, status: USER_STATUS.invited },
          { status: USER_STATUS.active, ...NEXT_REVISION },
        );
      await this.audit.record(
        transaction,
        { ...auditContext, caller: { id, login } },
        { action: `use-${purpose}`, objectUri: userUri(id), after: { endedApiKeys } },
      );
    });
    await this.notifications.waitUntilDelivered();
  }

  /** Guesses count like failed sign-ins of the address. */
  private async holderOf(code: string, address: string): Promise<CodeHolder & { id: string }> {
    await this.limits.count(undefined, address);
    const [holder] = await this.database.query<CodeHolder & { id: string }>({
      text: `SELECT c.purpose, u.id, u.login, u.title, u.locale, c.expiration FROM (
          SELECT 'invitation' AS purpose, user_id, expiration FROM invitations WHERE hash = $1 UNION ALL
          SELECT 'password-reset', user_id, expiration FROM password_resets WHERE hash = $1) c
        JOIN users u ON u.id = c.user_id WHERE u.status = ANY ($2) AND c.expiration > now()`,
      values: [hashSecret(code), INVITABLE],
    });
    if (!holder) throw unknownInvitation();
    await this.limits.refund(address);
    await this.passwordSignIn.requireStored(holder.id);
    return holder;
  }

  /** Ends a code within the transaction that uses it, so that only one of several parallel uses succeeds. */
  private async consume(
    { id, purpose }: Pick<CodeHolder, 'purpose'> & { id: string },
    code: string,
    transaction: Reader,
  ): Promise<void> {
    const table = purpose === 'invitation' ? 'invitations' : 'password_resets';
    const used = await transaction.execute({
      text: `WITH holder AS (SELECT id FROM users WHERE id = $1 AND status = ANY ($3) FOR NO KEY UPDATE)
        DELETE FROM ${table} WHERE user_id IN (SELECT id FROM holder) AND hash = $2 AND expiration > now()`,
      values: [id, hashSecret(code), INVITABLE],
    });
    if (used === 0) throw unknownInvitation();
  }

  /**
   * Stores a code for each user.
   * @returns the expirations by id, without users who may no longer be invited
   */
  private async store(codes: Map<string, string>, reader: Reader): Promise<Map<string, string>> {
    const rows = await reader.query<{ id: string; expiration: string }>({
      text: `INSERT INTO invitations (user_id, hash, expiration)
        SELECT id, given.hash, now() + make_interval(hours => $3)
        FROM unnest($1::bigint[], $2::bytea[]) AS given (id, hash) JOIN users USING (id)
        WHERE status = ANY ($4) ORDER BY id
        ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expiration = excluded.expiration
        RETURNING user_id AS id, expiration`,
      values: [[...codes.keys()], [...codes.values()].map(hashSecret), INVITATION_HOURS, INVITABLE],
    });
    return new Map(rows.map(({ id, expiration }) => [id, expiration]));
  }

  /** Lets these people reset forgotten passwords: a caller with a proof has sent codes to their addresses. */
  private async trustAddresses(ids: string[], reader: Reader): Promise<void> {
    await reader.execute({
      text: 'DELETE FROM unproven_emails WHERE user_id = ANY ($1::bigint[])',
      values: [ids],
    });
  }

  private async recordInvitations(
    auditContext: AuditContext,
    ids: string[],
    delivery: Delivery,
    reader: Reader,
  ): Promise<void> {
    for (const id of ids)
      await this.audit.record(reader, auditContext, {
        action: 'invite',
        objectUri: userUri(id),
        after: delivery === 'mail' ? { delivery } : undefined,
      });
  }

  /** Writes the mail of an invitation that is still open, with a new code that replaces the stored one. */
  private async writeMail(
    { recipient }: QueuedMail,
    transaction: Transaction,
  ): Promise<Mail | undefined> {
    const code = makeSecret();
    const [invited] = await transaction.query<Addressee>({
      text: `UPDATE invitations i SET hash = $2, expiration = now() + make_interval(hours => $3) FROM users u
        WHERE i.user_id = $1 AND u.id = i.user_id AND u.status = ANY ($4) AND u.email IS NOT NULL AND ${directoryOf('u')} IS NULL
        RETURNING u.id, u.login, u.title, u.email, u.locale`,
      values: [recipient, hashSecret(code), INVITATION_HOURS, INVITABLE],
    });
    const branding = brandingOf(await this.parameters.current());
    return invited && mailTo(invited, 'invitation', code, this.config, branding);
  }
}
