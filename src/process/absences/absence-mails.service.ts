import { Injectable } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import type { Reader, Transaction } from '../../database/database.js';
import type { Addressee } from '../../directory/account-mail.js';
import { momentFormat, onOneLine } from '../../mail/formats.js';
import type { Mail } from '../../mail/mail.js';
import { Outbox, type QueuedMail } from '../../mail/outbox.service.js';
import { contentOf } from '../../mail/texts/texts.js';
import { translated } from '../../resources/attributes/translations-attribute.js';
import { brandingOf } from '../../security/parameters/branding.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { USER_STATUS } from '../../security/user-status.js';
import { userUri } from '../../security/user-uri.js';

/** How long the server retries the mail about an absence, in minutes. */
const MAIL_MINUTES = 24 * 60;

/** An absence, and the person who is away. */
interface AbsenceRow extends Addressee {
  substitute: string;
  application: string | null;
  startDate: string;
  endDate: string;
}

/**
 * Mails people about each new or changed absence of theirs, their own changes included. The substitute decides for
 * them, even after a new password, so a rule that an intruder entered must not stay unnoticed (docs/decisions/0044).
 */
@Injectable()
export class AbsenceMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {
    outbox.register('absence', {
      minutes: MAIL_MINUTES,
      write: (mail, transaction) => this.writeMail(mail, transaction),
    });
  }

  /** Stores the mail about an absence, where this server sends any. Call `wake` after the commit. */
  async queue(absenceId: string, reader: Reader): Promise<void> {
    if (this.outbox.isEnabled) await this.outbox.queue('absence', [absenceId], reader);
  }

  wake(): void {
    this.outbox.wake();
  }

  /** Writes the mail about an absence as it is then, unless it has ended. */
  private async writeMail(
    { recipient }: QueuedMail,
    transaction: Transaction,
  ): Promise<Mail | undefined> {
    const [row] = await transaction.query<AbsenceRow>({
      text: `SELECT u.id, u.login, u.title, u.email, u.locale, s.title AS substitute, ${translated('p', 'title', 'u.locale')} AS application,
          a.start_date AS "startDate", a.end_date AS "endDate"
        FROM absences a JOIN users u ON u.id = a.user_id JOIN users s ON s.id = a.substitute_id
          LEFT JOIN applications p ON p.id = a.application_id
        WHERE a.id = $1 AND a.end_date > now() AND u.status = ${USER_STATUS.active} AND u.email IS NOT NULL`,
      values: [recipient],
    });
    if (!row) return undefined;
    const parameters = await this.parameters.current();
    const branding = brandingOf(parameters);
    const { origin, host } = new URL(this.config.env.PUBLIC_URL!);
    const moment = momentFormat(row.locale, parameters.timeZone);
    const { application } = row;
    return {
      to: { name: row.title, address: row.email },
      locale: row.locale,
      content: contentOf('absence', row.locale, {
        name: onOneLine(row.title),
        place: branding.name || host,
        substitute: onOneLine(row.substitute),
        start: moment.format(new Date(row.startDate)),
        end: moment.format(new Date(row.endDate)),
        application: application === null ? null : onOneLine(application),
        address: `${origin}${this.config.env.BASE_PATH}/workplace/profile`,
      }),
      branding,
      objectUri: userUri(row.id),
    };
  }
}
