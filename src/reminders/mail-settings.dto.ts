import { satisfies } from '../http/class-validation.js';
import type { Stoppable } from './recipients.js';
import { reason } from '../errors/reason.js';

const flag = (): PropertyDecorator =>
  satisfies((value) => (typeof value === 'boolean' ? undefined : reason('not-a-boolean')));

/** `PUT /directory/users/{id}/mail-settings`: which mails about tasks a user gets. */
export class MailSettingsDto implements Record<Stoppable, boolean> {
  @flag()
  digest!: boolean;

  @flag()
  reminders!: boolean;
}
