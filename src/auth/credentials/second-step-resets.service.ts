import { Injectable } from '@nestjs/common';
import { conflict, notFound } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { Notifications } from '../../database/notifications.js';
import { AuditService, type AuditContext } from '../../security/audit.service.js';
import { lockUser } from '../../security/lock-user.js';
import { userUri } from '../../security/user-uri.js';
import { secondStepExists, SecondSteps } from './second-steps.service.js';

/** For how long a reset waits for its confirmation, in minutes. */
const MINUTES = 60;

/** For how long a person with a new password takes no part in a reset, in hours. */
const HOURS = 24;

const OPEN = `creation_date > now() - interval '${MINUTES} minutes'`;

/** A reset that waits for its confirmation. */
export interface SecondStepReset {
  requester: { id: string; login: string; title: string };
  creationDate: Date;
  expiration: Date;
}

/**
 * Resets of second steps that their owner has lost. One person asks for a reset and another one confirms it, because who
 * resets a second step and can also invite the account takes it over (docs/decisions/0053).
 */
@Injectable()
export class SecondStepResets {
  constructor(
    private readonly database: Database,
    private readonly steps: SecondSteps,
    private readonly notifications: Notifications,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('second_step_resets', `NOT (${OPEN})`);
  }

  /** @throws ApiError 404 when no reset is open */
  async get(userId: string, reader: Reader = this.database): Promise<SecondStepReset> {
    const [row] = await reader.query<SecondStepReset>({
      text: `SELECT jsonb_build_object('id', u.id::text, 'login', u.login, 'title', u.title) AS requester,
          r.creation_date AS "creationDate", r.creation_date + interval '${MINUTES} minutes' AS expiration
        FROM second_step_resets r JOIN users u ON u.id = r.requester_id WHERE r.user_id = $1 AND r.${OPEN}`,
      values: [userId],
    });
    if (!row) throw notFound();
    return row;
  }

  /**
   * Asks for a reset, which waits for another person. Who has asked already gets a new hour.
   * @throws ApiError 409 for a user without a second step, when another person has asked, and with a new password
   */
  request(
    requesterId: string,
    auditContext: AuditContext,
    userId: string,
  ): Promise<SecondStepReset> {
    return this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      await requireOldPassword(transaction, requesterId);
      const [row] = await transaction.rows({
        text: `SELECT ${secondStepExists('$1')}`,
        values: [userId],
      });
      if (row?.[0] !== true) throw conflict(reason('no-second-step'));
      const stored = await transaction.execute({
        text: `INSERT INTO second_step_resets AS r (user_id, requester_id) VALUES ($1, $2)
          ON CONFLICT (user_id) DO UPDATE SET requester_id = $2, creation_date = now()
            WHERE r.requester_id = $2 OR NOT (r.${OPEN})`,
        values: [userId, requesterId],
      });
      const reset = await this.get(userId, transaction);
      if (stored === 0) throw conflict(reason('reset-requested', { login: reset.requester.login }));
      await this.record(transaction, auditContext, 'request-second-step-reset', userId);
      return reset;
    });
  }

  /**
   * Removes the second steps of a user for whom another person has asked, and ends the user's sessions.
   * @throws ApiError 404 when no reset is open; 409 for the person who asked, and with a new password
   */
  async confirm(confirmerId: string, auditContext: AuditContext, userId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const { requester } = await this.get(userId, transaction);
      if (requester.id === confirmerId) throw conflict(reason('own-reset'));
      await requireOldPassword(transaction, confirmerId);
      await this.end(transaction, userId);
      await this.steps.removeWithin(transaction, auditContext, userId);
    });
    await this.notifications.waitUntilDelivered();
  }

  /** Withdraws or rejects a reset, if one is open. */
  async withdraw(auditContext: AuditContext, userId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await this.end(transaction, userId)) > 0)
        await this.record(transaction, auditContext, 'withdraw-second-step-reset', userId);
    });
  }

  private end(transaction: Transaction, userId: string): Promise<number> {
    return transaction.execute({
      text: 'DELETE FROM second_step_resets WHERE user_id = $1',
      values: [userId],
    });
  }

  private record(
    transaction: Transaction,
    auditContext: AuditContext,
    action: 'request-second-step-reset' | 'withdraw-second-step-reset',
    userId: string,
  ): Promise<void> {
    return this.audit.record(transaction, auditContext, { action, objectUri: userUri(userId) });
  }
}

/**
 * One of the two may have invited the other one, and so have the other's password.
 * @throws ApiError 409 for somebody whose password is younger than a day
 */
async function requireOldPassword(reader: Reader, userId: string): Promise<void> {
  const [young] = await reader.rows({
    text: `SELECT 1 FROM passwords WHERE user_id = $1 AND modification_date > now() - interval '${HOURS} hours'`,
    values: [userId],
  });
  if (young) throw conflict(reason('recent-password', { hours: HOURS }));
}
