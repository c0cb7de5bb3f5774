import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** The one-time code by which an administrator lets a user set a password. */
@Entity('invitations')
@Unique(['hash'])
export class Invitation {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256 of the code. */
  @Column({ type: 'bytea', select: false })
  hash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expiration!: Date;
}
