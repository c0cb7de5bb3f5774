import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Stoppable } from './recipients.js';

/** Which mails about tasks a user gets. Users without a row get all of them. */
@Entity('mail_settings')
export class MailSettings implements Record<Stoppable, boolean> {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'boolean', default: true })
  digest!: boolean;

  @Column({ type: 'boolean', default: true })
  reminders!: boolean;
}
