import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { KeyedLimiter } from '../../base/concurrency/keyed-limiter.js';
import { badPassword, conflict, type PasswordCode } from '../../base/errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { ApiKey } from './api-key.entity.js';
import { endPasskeys } from './second-steps.service.js';
import { BrowserSessions } from './browser-sessions.service.js';
import { BoundIdentity } from './identity.entity.js';
import { Invitation } from './invitation.entity.js';
import { PasswordReset } from './password-reset.entity.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { hashPassword, ONE_AT_A_TIME, verifyPassword } from './password-hash.js';
import { failedRules, type PasswordRules, presentRules } from './password-rules.js';
import { reason } from '../../base/errors/reason.js';

/** A new password, which is evaluated before the transaction that stores it. */
export interface NewPassword {
  /** Every rule that it fails. */
  codes: PasswordCode[];
  /** Its hash; undefined where it fails a rule. */
  hash: string | undefined;
  /** The stored hash at the time of the evaluation; undefined when there was none. */
  replaces: string | undefined;
}

/** How a password is replaced. */
export interface Replacement {
  /** The session that stays: that of a user who changes their own password. */
  kept?: Pick<Caller, 'tokenId' | 'browserSessionId'> | undefined;
  /** Whether API keys, bound identities and passkeys end too: a reset by another person must lock an intruder out. */
  endsOthers: boolean;
  /** Whether passkeys stay all the same, as the second step of a person who asked for the new password by mail. */
  keepsPasskeys?: boolean;
}

/** Passwords of users. The server parameters set their rules. */
@Injectable()
export class PasswordsService {
  /** Limits the evaluations per account, so that a flood for one account does not delay other users. */
  private readonly evaluations = new KeyedLimiter(ONE_AT_A_TIME);

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly browserSessions: BrowserSessions,
    private readonly passwordSignIn: PasswordSignIn,
  ) {}

  async rules(): Promise<PasswordRules> {
    return presentRules(await this.parameters.current());
  }

  /**
   * Checks a new password against every rule and hashes it. Call it outside of transactions, because argon2
   * takes longer than a connection or a lock may be held.
   * @param userId the user whose former passwords count; undefined for a new user
   * @throws ApiError 409 while passwords are switched off, or when a directory checks that of the user; 429 when too many
   * evaluations for the user wait; 503 when too many wait altogether
   */
  async evaluate(password: string, userId?: string): Promise<NewPassword> {
    await this.passwordSignIn.requireStored(userId);
    const evaluate = () => this.evaluateNow(password, userId);
    return userId === undefined ? evaluate() : this.evaluations.run(userId, evaluate);
  }

  /**
   * The same for a password that must meet every rule.
   * @throws ApiError 400 PasswordError with all failing codes; 409, 429, 503 as above
   */
  async accept(password: string, userId: string): Promise<NewPassword> {
    const evaluated = await this.evaluate(password, userId);
    if (evaluated.codes.length > 0) throw badPassword(evaluated.codes);
    return evaluated;
  }

  /**
   * Stores an evaluated password, and ends one-time codes and every session of the user except `kept`.
   * @returns the number of deleted API keys
   * @throws ApiError 400 PasswordError with all failing codes; 409 when another password has been stored since
   * the evaluation
   */
  async set(
    userId: string,
    { codes, hash, replaces }: NewPassword,
    transaction: Transaction,
    { kept, endsOthers, keepsPasskeys = false }: Replacement,
  ): Promise<number> {
    if (hash === undefined) throw badPassword(codes);
    const stored = await transaction.execute({
      text: `INSERT INTO passwords AS p (user_id, hash) VALUES ($1, $2)
        ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, modification_date = now() WHERE p.hash = $3`,
      values: [userId, hash, replaces ?? null],
    });
    if (stored === 0) throw conflict(reason('password-changed-meanwhile'));
    await this.remember(userId, replaces, transaction);
    await transaction.of(Invitation).delete({ userId });
    await transaction.of(PasswordReset).delete({ userId });
    const ended = endsOthers ? await transaction.of(ApiKey).delete({ userId }) : undefined;
    if (endsOthers) await transaction.of(BoundIdentity).delete({ userId });
    if (endsOthers && !keepsPasskeys) await endPasskeys(userId, transaction);
    // After the password: its change makes every pending sign-in fail (docs/decisions/0019).
    await this.browserSessions.endOthers(userId, kept, transaction);
    return ended?.affected ?? 0;
  }

  private async evaluateNow(password: string, userId?: string): Promise<NewPassword> {
    const rules = await this.rules();
    const codes = failedRules(password, rules);
    const { current, former } = await this.hashesOf(userId, rules);
    const used = current === undefined ? former : [current, ...former];
    if (rules.history > 0 && (await isOneOf(used, password))) codes.push('history');
    const hash = codes.length > 0 ? undefined : await hashPassword(password);
    return { codes, hash, replaces: current };
  }

  /** Keeps the number of former passwords that the rule requires; the current password counts as one. */
  private async remember(userId: string, hash: string | undefined, reader: Reader): Promise<void> {
    const { history } = await this.rules();
    await reader.execute({
      text: 'INSERT INTO password_history (user_id, hash) SELECT $1, $2 WHERE $2::text IS NOT NULL',
      values: [userId, hash ?? null],
    });
    await reader.execute({
      text: `DELETE FROM password_history WHERE user_id = $1 AND id NOT IN
        (SELECT id FROM password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`,
      values: [userId, Math.max(history - 1, 0)],
    });
  }

  private async hashesOf(
    userId: string | undefined,
    { history }: PasswordRules,
  ): Promise<{ current: string | undefined; former: string[] }> {
    const rows = await this.database.query<{ isCurrent: boolean; hash: string }>({
      text: `SELECT true AS "isCurrent", hash FROM passwords WHERE user_id = $1 UNION ALL
        (SELECT false, hash FROM password_history WHERE user_id = $1 ORDER BY id DESC LIMIT $2)`,
      values: [userId ?? null, Math.max(history - 1, 0)],
    });
    const hashes = (current: boolean) =>
      rows.filter(({ isCurrent }) => isCurrent === current).map(({ hash }) => hash);
    return { current: hashes(true)[0], former: hashes(false) };
  }
}

async function isOneOf(hashes: string[], password: string): Promise<boolean> {
  for (const hash of hashes) if (await verifyPassword(hash, password)) return true;
  return false;
}
