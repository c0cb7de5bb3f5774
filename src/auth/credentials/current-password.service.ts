import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { KeyedLimiter } from '../../base/concurrency/keyed-limiter.js';
import { invalidField, type ApiError } from '../../base/errors/api-errors.js';
import type { AuditContext } from '../../security/audit.service.js';
import { ONE_AT_A_TIME, verifyPassword } from './password-hash.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { SignInLimits } from './sign-in-limits.service.js';
import { reason } from '../../base/errors/reason.js';

/** 400 naming the field of the current password. */
export const notCurrentPassword = (name: string): ApiError =>
  invalidField(name, reason('wrong-current-password'));

/**
 * Verifies the caller's own password within a session. Attempts are counted, throttled and locked like
 * sign-ins, so that a stolen session gives no way to guess the password.
 */
@Injectable()
export class CurrentPassword {
  /** Limits the evaluations per account, so that a flood for one account does not delay other users. */
  private readonly evaluations = new KeyedLimiter(ONE_AT_A_TIME);

  constructor(
    private readonly database: Database,
    private readonly limits: SignInLimits,
    private readonly passwordSignIn: PasswordSignIn,
  ) {}

  /**
   * Requires the current password of a user.
   * @param name the field of the body that holds it
   * @returns the stored hash that it matched
   * @throws ApiError 400 naming the field when the password is missing or wrong, also while the account is locked; 429 when the address has
   * failed too often, or too many attempts of the user wait; 503 when too many evaluations wait; 409 while passwords
   * are switched off
   */
  async require(
    userId: string,
    password: string | null,
    name: string,
    { address = '' }: AuditContext,
  ): Promise<string> {
    await this.passwordSignIn.require(userId);
    if (password === null) throw invalidField(name, reason('required'));
    return this.evaluations.run(userId, async () => {
      const [row] = await this.database.query<{ hash: string }>({
        text: 'SELECT hash FROM passwords WHERE user_id = $1',
        values: [userId],
      });
      const stored = row?.hash;
      const counted = await this.limits.count(userId, address);
      if (!counted || !(await verifyPassword(stored, password)) || stored === undefined)
        throw notCurrentPassword(name);
      await this.limits.succeeded(userId, address, counted);
      return stored;
    });
  }
}
