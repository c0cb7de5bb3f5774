import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { notFound } from '../../base/errors/api-errors.js';
import { Outbox } from '../../mail/outbox.service.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { userUri } from '../../security/user-uri.js';
import type { Stoppable } from './recipients.js';
import { StopLinks } from './stop-links.service.js';

/** Which mails about tasks a user gets. */
export type MailSettings = Record<Stoppable, boolean>;

/** The settings, and which of these mails the server sends at all. */
export interface PresentedSettings extends MailSettings {
  offered: Stoppable[];
}

/** The settings of a user who has never changed them. */
const USUAL: MailSettings = { digest: true, reminders: true };

/** Which mails about their tasks people get (docs/api-contract.md#mails-about-tasks). */
@Injectable()
export class MailSettingsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly stopLinks: StopLinks,
  ) {}

  /** The settings of a user who exists. */
  async get(userId: string): Promise<PresentedSettings> {
    return this.present(await stored(this.database, userId));
  }

  /** Replaces the settings of a user who exists. */
  async replace(
    auditContext: AuditContext,
    userId: string,
    { digest, reminders }: MailSettings,
  ): Promise<PresentedSettings> {
    const settings = { digest, reminders };
    await this.change(auditContext, userId, () => settings);
    return this.present(settings);
  }

  /**
   * Stops the mails that a link names, without a session.
   * @throws ApiError 404 for a token that this server has not signed, or whose user no longer exists
   */
  async stop(auditContext: AuditContext, token: string): Promise<void> {
    const stop = await this.stopLinks.read(token);
    if (!stop) throw notFound();
    await this.change(auditContext, stop.userId, (before) => ({ ...before, [stop.kind]: false }));
  }

  /** Stores the settings that `decide` returns for the present ones, and audits a change. */
  private async change(
    auditContext: AuditContext,
    userId: string,
    decide: (before: MailSettings) => MailSettings,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const before = await stored(transaction, userId);
      const after = decide(before);
      if (before.digest === after.digest && before.reminders === after.reminders) return;
      await transaction.execute({
        text: `INSERT INTO mail_settings (user_id, digest, reminders) VALUES ($1, $2, $3)
          ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, reminders = excluded.reminders`,
        values: [userId, after.digest, after.reminders],
      });
      await this.audit.record(transaction, auditContext, {
        action: 'set-mails',
        objectUri: userUri(userId),
        before,
        after,
      });
    });
  }

  private async present(settings: MailSettings): Promise<PresentedSettings> {
    return { ...settings, offered: await this.offered() };
  }

  private async offered(): Promise<Stoppable[]> {
    if (!this.outbox.isEnabled) return [];
    const parameters = await this.parameters.current();
    return [
      ...(parameters.flag('mailDigest') ? (['digest'] as const) : []),
      ...(parameters.flag('mailReminders') ? (['reminders'] as const) : []),
    ];
  }
}

/** @throws ApiError 404 */
async function lockUser(transaction: Transaction, id: string): Promise<void> {
  const found = await transaction.rows({
    text: 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE',
    values: [id],
  });
  if (found.length === 0) throw notFound();
}

async function stored(reader: Reader, userId: string): Promise<MailSettings> {
  const [row] = await reader.query<MailSettings>({
    text: 'SELECT digest, reminders FROM mail_settings WHERE user_id = $1',
    values: [userId],
  });
  return row ?? USUAL;
}
