import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { KeyedLimiter } from '../../base/concurrency/keyed-limiter.js';
import { badCode, invalidField, unavailable, type ApiError } from '../../base/errors/api-errors.js';
import type { AuditContext } from '../../security/audit.service.js';
import { userUri } from '../../security/user-uri.js';
import {
  type DirectoryPerson,
  DirectoryPasswords,
  directoryOf,
  type VerifiedBy,
} from './directory-passwords.service.js';
import { ONE_AT_A_TIME, verifyPassword } from './password-hash.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { SecondSteps } from './second-steps.service.js';
import { type Counted, SignInLimits } from './sign-in-limits.service.js';
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
    private readonly directoryPasswords: DirectoryPasswords,
    private readonly secondSteps: SecondSteps,
  ) {}

  /**
   * Requires the current password of a user.
   * @param name the field of the body that holds it
   * @param code the code of a second step, where a person who has one must give it
   * @returns what it was verified against
   * @throws ApiError 400 naming the field when the password is missing or wrong, also while the account is locked, or `code`
   * when the code is; 429 when the address has failed too often, or too many attempts of the user wait; 503 when too many
   * evaluations wait, or the person's directory does not answer; 409 while passwords are switched off
   */
  async require(
    userId: string,
    password: string | null,
    name: string,
    { address = '' }: AuditContext,
    code?: string | null,
  ): Promise<VerifiedBy> {
    await this.passwordSignIn.require(userId);
    if (password === null) throw invalidField(name, reason('required'));
    return this.evaluations.run(userId, async () => {
      const [row] = await this.database.query<{
        hash: string | null;
        provider: string | null;
        externalId: string | null;
      }>({
        text: `SELECT p.hash, u.external_id AS "externalId", ${directoryOf('u')}::text AS provider
          FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.id = $1`,
        values: [userId],
      });
      const { hash, externalId, provider } = row ?? {
        hash: null,
        externalId: null,
        provider: null,
      };
      const counted = await this.limits.count(userId, address);
      if (!counted) throw notCurrentPassword(name);
      const isRight =
        provider === null
          ? await verifyPassword(hash ?? undefined, password)
          : await this.isDirectoryPassword(
              { provider, externalId: externalId ?? '' },
              password,
              () => this.limits.takeBack(userId, address, counted),
            );
      if (!isRight) throw notCurrentPassword(name);
      if (code !== undefined) await this.requireSecondStep(userId, code, address, counted);
      await this.limits.succeeded(userId, address, counted);
      return provider === null ? { passwordHash: hash! } : { provider };
    });
  }

  /** @throws ApiError 503 when the directory does not answer */
  private async isDirectoryPassword(
    person: DirectoryPerson,
    password: string,
    takeBack: () => Promise<void>,
  ): Promise<boolean> {
    const verdict = await this.directoryPasswords.verify(person, password, takeBack);
    if (verdict === 'unavailable') throw unavailable();
    return verdict === 'right';
  }

  private async requireSecondStep(
    userId: string,
    code: string | null,
    address: string,
    counted: Counted,
  ): Promise<void> {
    const secondSteps = await this.secondSteps.kindsOf(userId);
    if (secondSteps.length === 0) return;
    if (code === null) {
      await this.limits.takeBack(userId, address, counted);
      throw invalidField('code', reason('second-step-required', { secondSteps }));
    }
    if ((await this.secondSteps.use(userId, code)) === undefined) throw badCode(userUri(userId));
  }
}
