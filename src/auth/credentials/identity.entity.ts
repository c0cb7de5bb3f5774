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

  /** Whether the first sign-in made the user. */
  @Column({ type: 'boolean', default: false })
  made!: boolean;

  /** The issue of the token whose claims changed the user last; null while none has. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimsDate!: Date | null;
}
