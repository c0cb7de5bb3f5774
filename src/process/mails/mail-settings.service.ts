import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { notFound } from '../../base/errors/api-errors.js';
import { Outbox } from '../../mail/outbox.service.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import { lockUser } from '../../security/lock-user.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { userUri } from '../../security/user-uri.js';
import { MailSettings } from './mail-settings.entity.js';
import type { Stoppable } from './recipients.js';
import { StopLinks } from './stop-links.service.js';

type Choice = Record<Stoppable, boolean>;

/** The settings, and which of these mails the server sends at all. */
export interface PresentedSettings extends Choice {
  offered: Stoppable[];
}

/** The settings of a user who has never changed them. */
const USUAL: Choice = { digest: true, reminders: true };

/** Which mails about their tasks people get (docs/api-contract.md#mails-about-tasks). */
@Injectable()
export class MailSettingsService {
  constructor(
    @InjectRepository(MailSettings) private readonly settings: Repository<MailSettings>,
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly stopLinks: StopLinks,
  ) {}

  /** The settings of a user who exists. */
  async get(userId: string): Promise<PresentedSettings> {
    return this.present(await stored(this.settings, userId));
  }

  /** Replaces the settings of a user who exists. */
  async replace(
    auditContext: AuditContext,
    userId: string,
    { digest, reminders }: Choice,
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
    decide: (before: Choice) => Choice,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await lockUser(transaction, userId))) throw notFound();
      const settings = transaction.of(MailSettings);
      const before = await stored(settings, userId);
      const after = decide(before);
      if (before.digest === after.digest && before.reminders === after.reminders) return;
      await settings.upsert({ userId, ...after }, ['userId']);
      await this.audit.record(transaction, auditContext, {
        action: 'set-mails',
        objectUri: userUri(userId),
        before,
        after,
      });
    });
  }

  private async present(settings: Choice): Promise<PresentedSettings> {
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

async function stored(settings: Repository<MailSettings>, userId: string): Promise<Choice> {
  const { digest, reminders } = (await settings.findOneBy({ userId })) ?? USUAL;
  return { digest, reminders };
}
