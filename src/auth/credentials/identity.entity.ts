import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** The identity of a user at the identity provider. */
@Entity('identities')
@Unique(['id'])
export class BoundIdentity {
  /** The database generates it. */
  @Column({ type: 'bigint', insert: false })
  id!: string;

  @PrimaryColumn({ type: 'text' })
  issuer!: string;

  @PrimaryColumn({ type: 'text' })
  subject!: string;

  @Column({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;
}
