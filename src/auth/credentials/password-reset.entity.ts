import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** The one-time code that a mail brings to a user who has forgotten the password. */
@Entity('password_resets')
@Unique(['mailId'])
export class PasswordReset {
  /** SHA-256 of the code. */
  @PrimaryColumn({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  /** The mail in the outbox that brings the code. */
  @Column({ type: 'bigint' })
  mailId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiration!: Date;
}
