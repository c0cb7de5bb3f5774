import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { badCode, conflict } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { SecretBox } from '../../base/encryption/secret-box.js';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { Notifications } from '../../database/notifications.js';
import { AuditService, type AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { lockUser } from '../../security/lock-user.js';
import { brandingOf } from '../../security/parameters/branding.js';
import { type HeldBy, namesHolder } from '../../security/parameters/holders.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { userUri } from '../../security/user-uri.js';
import { BrowserSessions } from './browser-sessions.service.js';
import {
  type CodeSecret,
  isTimeBasedCode,
  makeCodeSecret,
  presentSecret,
  stepOf,
} from './one-time-code.js';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-code.js';

/** What a person can present as a second step, in the order in which pages offer it. */
export type SecondStepKind = (typeof KINDS)[number];

const KINDS = ['passkey', 'authenticator-app', 'recovery-code'] as const;

/** How long an app waits for its first code, in hours. */
const CONFIRMATION_HOURS = 1;

/** Who counts in lists of second steps: those that a code has confirmed. */
export const CONFIRMED = 'confirmation_date IS NOT NULL';

/** SQL of whether a user has a second step. */
export const secondStepExists = (userId: string): string =>
  `EXISTS (SELECT 1 FROM second_steps WHERE user_id = ${userId} AND ${CONFIRMED})`;

interface RemoveOptions {
  stepId?: string;
  /** The session that stays: that of the user who removes their own. */
  kept?: Caller;
}

/** The owner to which the sealed secret of an app is bound. */
const ownerOf = (userId: string): string => `user ${userId}`;

/** The second steps with which people complete a sign-in by password (docs/decisions/0053). */
@Injectable()
export class SecondSteps {
  private readonly box: SecretBox;
  private readonly logger = new Logger(SecondSteps.name);

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly parameters: ParametersService,
    private readonly browserSessions: BrowserSessions,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    this.box = new SecretBox(config.env.SECRETS_KEY);
    housekeeping.register(
      'second_steps',
      `confirmation_date IS NULL AND creation_date < now() - interval '${CONFIRMATION_HOURS} hours'`,
    );
  }

  /** Whether the server parameter demands a second step of a user with these attributes. */
  async areDemandedOf(user: HeldBy): Promise<boolean> {
    return namesHolder((await this.parameters.current()).text('secondStepOf'), user);
  }

  /**
   * Makes the secret of an authenticator app, which waits for its first code. The app of the person so far, if there is
   * one, stays valid until then.
   * @throws ApiError 409 without SECRETS_KEY
   */
  async begin({ id, login }: Caller): Promise<CodeSecret> {
    if (!this.box.isOpen) throw conflict(reason('no-secrets-key'));
    const secret = makeCodeSecret();
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, id);
      await transaction.execute({
        text: `DELETE FROM second_steps WHERE user_id = $1 AND NOT ${CONFIRMED}`,
        values: [id],
      });
      await transaction.execute({
        text: `INSERT INTO second_steps (user_id, kind, sealed) VALUES ($1, 'authenticator-app', $2)`,
        values: [id, this.box.seal(secret, ownerOf(id))],
      });
    });
    return presentSecret(secret, await this.issuer(), login);
  }

  /**
   * Confirms the waiting app by a code. It replaces the app of the person so far, ends the person's other sessions, and
   * gives this one its full rights.
   * @returns recovery codes; null for a person who has some
   * @throws ApiError 400 naming `code`
   */
  async confirm(
    caller: Caller,
    auditContext: AuditContext,
    code: string,
  ): Promise<string[] | null> {
    const { id } = caller;
    const codes = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, id);
      const used = await this.useCode(id, code, transaction, `NOT ${CONFIRMED}`);
      if (used === undefined) throw badCode();
      await transaction.execute({
        text: `DELETE FROM second_steps WHERE user_id = $1 AND kind = 'authenticator-app' AND ${CONFIRMED}`,
        values: [id],
      });
      await transaction.execute({
        text: 'UPDATE second_steps SET confirmation_date = now() WHERE id = $1',
        values: [used],
      });
      return this.complete(caller, auditContext, transaction);
    });
    await this.notifications.waitUntilDelivered();
    return codes;
  }

  /**
   * Completes the addition of a second step: ends the person's other sessions, and gives this one its full rights.
   * @returns recovery codes; null for a person who has some
   */
  async complete(
    caller: Caller,
    auditContext: AuditContext,
    transaction: Transaction,
  ): Promise<string[] | null> {
    const { id, tokenId } = caller;
    await this.browserSessions.endOthers(id, caller, transaction);
    await transaction.execute({
      text: 'UPDATE tokens SET adds_second_step = false WHERE id = $1',
      values: [tokenId],
    });
    await this.record(transaction, auditContext, 'add-second-step', id);
    const [any] = await transaction.rows({
      text: 'SELECT 1 FROM recovery_codes WHERE user_id = $1 LIMIT 1',
      values: [id],
    });
    return any ? null : this.storeRecoveryCodes(id, transaction);
  }

  /**
   * Replaces the recovery codes of a person.
   * @throws ApiError 409 for a person without a second step
   */
  async renewRecoveryCodes({ id }: Caller, auditContext: AuditContext): Promise<string[]> {
    return this.database.transaction(async (transaction) => {
      await lockUser(transaction, id);
      const [row] = await transaction.rows({
        text: `SELECT ${secondStepExists('$1')}`,
        values: [id],
      });
      if (row?.[0] !== true) throw conflict(reason('no-second-step'));
      const codes = await this.storeRecoveryCodes(id, transaction);
      await this.record(transaction, auditContext, 'renew-recovery-codes', id);
      return codes;
    });
  }

  /**
   * Removes the second steps of a user, or one; with the last one the recovery codes too. It ends the user's sessions.
   * @returns the number of removed ones
   */
  async remove(
    auditContext: AuditContext,
    userId: string,
    options: RemoveOptions = {},
  ): Promise<number> {
    const removed = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      return this.removeWithin(transaction, auditContext, userId, options);
    });
    await this.notifications.waitUntilDelivered();
    return removed;
  }

  /** Removes within a transaction that has locked the user. */
  async removeWithin(
    transaction: Transaction,
    auditContext: AuditContext,
    userId: string,
    { stepId, kept }: RemoveOptions = {},
  ): Promise<number> {
    const count = await transaction.execute({
      text: `DELETE FROM second_steps WHERE user_id = $1 AND ${CONFIRMED} AND ($2::bigint IS NULL OR id = $2)`,
      values: [userId, stepId ?? null],
    });
    if (count === 0) return 0;
    await endUnneededCodes(userId, transaction);
    await this.browserSessions.endOthers(userId, kept, transaction);
    await this.record(transaction, auditContext, 'remove-second-step', userId);
    return count;
  }

  /** What a user can present, in a fixed order. */
  async kindsOf(userId: string): Promise<SecondStepKind[]> {
    const rows = await this.database.rows({
      text: `SELECT DISTINCT kind FROM second_steps WHERE user_id = $1 AND ${CONFIRMED}
        UNION ALL (SELECT 'recovery-code' FROM recovery_codes WHERE user_id = $1 LIMIT 1)`,
      values: [userId],
    });
    return KINDS.filter((kind) => rows.some(([one]) => one === kind));
  }

  /**
   * Uses a code of a confirmed app, or a recovery code. None is accepted twice, also in parallel.
   * @returns the kind of the code; undefined when it is wrong or used
   */
  async use(userId: string, code: string): Promise<SecondStepKind | undefined> {
    const given = code.replace(/\s/g, '');
    if (isTimeBasedCode(given)) {
      const used = await this.useCode(userId, given, this.database, CONFIRMED);
      return used === undefined ? undefined : 'authenticator-app';
    }
    const used = await this.database.execute({
      text: 'DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2',
      values: [userId, hashRecoveryCode(given)],
    });
    return used > 0 ? 'recovery-code' : undefined;
  }

  /** @returns the id of the app whose code it is; undefined when the code is wrong or its time step has been used */
  private async useCode(
    userId: string,
    code: string,
    reader: Reader,
    condition: string,
  ): Promise<string | undefined> {
    const apps = await reader.query<{ id: string; sealed: Buffer }>({
      text: `SELECT id, sealed FROM second_steps WHERE user_id = $1 AND kind = 'authenticator-app' AND ${condition}`,
      values: [userId],
    });
    for (const { id, sealed } of apps) {
      const secret = this.box.open(sealed, ownerOf(userId));
      if (!secret)
        this.logger.warn(`SECRETS_KEY does not open the authenticator app of user ${userId}`);
      const step = secret && stepOf(code, secret);
      if (step === undefined) continue;
      // The condition makes one of several parallel uses succeed.
      const used = await reader.execute({
        text: 'UPDATE second_steps SET last_step = $2, last_use_date = now() WHERE id = $1 AND last_step < $2',
        values: [id, step],
      });
      if (used > 0) return id;
    }
    return undefined;
  }

  private async storeRecoveryCodes(userId: string, transaction: Transaction): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await transaction.execute({
      text: 'DELETE FROM recovery_codes WHERE user_id = $1',
      values: [userId],
    });
    await transaction.execute({
      text: 'INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])',
      values: [userId, codes.map(hashRecoveryCode)],
    });
    return codes;
  }

  /** The name of this server in authenticator apps. */
  private async issuer(): Promise<string> {
    const { name } = brandingOf(await this.parameters.current());
    const { PUBLIC_URL } = this.config.env;
    return name || (PUBLIC_URL === undefined ? 'Process Platform' : new URL(PUBLIC_URL).host);
  }

  private record(
    transaction: Transaction,
    auditContext: AuditContext,
    action: 'add-second-step' | 'remove-second-step' | 'renew-recovery-codes',
    userId: string,
  ): Promise<void> {
    return this.audit.record(transaction, auditContext, { action, objectUri: userUri(userId) });
  }
}

/** Ends the passkeys of a user, each of which signs in alone. */
export async function endPasskeys(userId: string, reader: Reader): Promise<void> {
  const text = `DELETE FROM second_steps WHERE user_id = $1 AND kind = 'passkey'`;
  if ((await reader.execute({ text, values: [userId] })) > 0)
    await endUnneededCodes(userId, reader);
}

/** Recovery codes replace a second step, so they end with the last one. */
async function endUnneededCodes(userId: string, reader: Reader): Promise<void> {
  const text = `DELETE FROM recovery_codes WHERE user_id = $1 AND NOT ${secondStepExists('$1')}`;
  await reader.execute({ text, values: [userId] });
}
