import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { directoryOf } from '../auth/credentials/directory-passwords.service.js';
import { PasswordReset } from '../auth/credentials/password-reset.entity.js';
import { hashSecret, makeSecret } from '../auth/credentials/secret.js';
import { PasswordSignIn } from '../auth/credentials/password-sign-in.service.js';
import { SignInLimits } from '../auth/credentials/sign-in-limits.service.js';
import { Database, type Transaction } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { notFound } from '../base/errors/api-errors.js';
import type { Mail } from '../mail/mail.js';
import { Outbox, type QueuedMail } from '../mail/outbox.service.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import { brandingOf } from '../security/parameters/branding.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { type Addressee, mailTo } from './account-mail.js';

/** Validity of a code, and how long the server retries its mail, in minutes. */
export const RESET_MINUTES = 30;

/** Maximum number of valid codes of one account. An owner who reaches it has already received a usable code. */
const MAX_CODES = 3;

/** Mails one-time codes to people who have forgotten their password (docs/api-contract.md#accounts). */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly database: Database,
    private readonly limits: SignInLimits,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly config: Config,
    private readonly passwordSignIn: PasswordSignIn,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('password_resets', 'expiration < now()');
    outbox.register('password-reset', {
      minutes: RESET_MINUTES,
      write: (mail, transaction) => this.writeMail(mail, transaction),
    });
  }

  /**
   * Stores a request for a new password. It leaves the look-up of the account to the outbox, so that answer and time
   * are the same for every login.
   * @param login a login or an e-mail address
   * @throws ApiError 404 where this server sends no mail, or while passwords are switched off; 429 when the address has
   * asked or failed too often
   */
  async request(auditContext: AuditContext, login: string): Promise<void> {
    if (!this.outbox.isEnabled || !(await this.passwordSignIn.isOn())) throw notFound();
    await this.limits.count(undefined, auditContext.address ?? '');
    await this.database.transaction(async (transaction) => {
      await this.outbox.queue('password-reset', [login], transaction);
      await this.audit.record(transaction, auditContext, {
        action: 'request-password-reset',
        after: { login },
      });
    });
    this.outbox.wake();
  }

  /** Writes the mail of a request, if it names an account that may get one, with a new code. */
  private async writeMail(
    { id, recipient }: QueuedMail,
    transaction: Transaction,
  ): Promise<Mail | undefined> {
    // An earlier attempt to send this mail does not count.
    await transaction.of(PasswordReset).delete({ mailId: id });
    const account = await this.findAccount(recipient, transaction);
    if (!account) return undefined;
    const code = makeSecret();
    const stored = await transaction.execute({
      text: `INSERT INTO password_resets (hash, user_id, mail_id, expiration)
        SELECT $1, $2, $3, now() + make_interval(mins => $4)
        WHERE (SELECT count(*) FROM password_resets
          WHERE user_id = $2 AND expiration > now()) < $5`,
      values: [hashSecret(code), account.id, id, RESET_MINUTES, MAX_CODES],
    });
    if (stored === 0) return undefined;
    const branding = brandingOf(await this.parameters.current());
    return mailTo(account, 'password-reset', code, this.config, branding);
  }

  /**
   * The account of a login, or the only one of an e-mail address. It excludes accounts without a password, which sign
   * in at the identity provider, people whose directory checks it, and sysadmin, whose password is reset at the command
   * line. It also excludes addresses that another user wrote without a recent proof, because they could belong to an
   * intruder.
   */
  private async findAccount(
    login: string,
    transaction: Transaction,
  ): Promise<Addressee | undefined> {
    const accounts = await transaction.query<Addressee>({
      text: `SELECT u.id, u.login, u.title, u.email, u.locale FROM users u JOIN passwords p ON p.user_id = u.id
        WHERE (login_key(u.login) = login_key($1) OR lower(u.email) = lower($1))
          AND u.status = ${USER_STATUS.active} AND NOT u.sysadmin AND u.email IS NOT NULL AND ${directoryOf('u')} IS NULL
          AND NOT EXISTS (SELECT 1 FROM unproven_emails e WHERE e.user_id = u.id)
        ORDER BY login_key(u.login) = login_key($1) DESC, u.id LIMIT 2 FOR NO KEY UPDATE OF u`,
      values: [login],
    });
    const [first, second] = accounts;
    if (!first || second === undefined) return first;
    const isLogin = first.login.toLowerCase() === login.trim().toLowerCase();
    return isLogin ? first : undefined;
  }
}
