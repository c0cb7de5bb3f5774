import { flag } from '../../http/body-rules.js';
import type { Stoppable } from './recipients.js';

/** `PUT /directory/users/{id}/mail-settings`: which mails about tasks a user gets. */
export class MailSettingsDto implements Record<Stoppable, boolean> {
  @flag()
  digest!: boolean;

  @flag()
  reminders!: boolean;
}
