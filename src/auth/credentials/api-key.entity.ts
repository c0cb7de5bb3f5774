import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An API key of a user, of which only the hash is stored. */
@Entity('api_keys')
@Unique(['hash'])
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the key. */
  @Column({ type: 'bytea', select: false })
  hash!: Buffer;

  /** The first characters of the key, by which lists tell keys apart. */
  @Column({ type: 'text' })
  prefix!: string;

  /** The addresses from which it may be used; null for all. */
  @Column({ type: 'text', nullable: true })
  addresses!: string | null;

  /** What it permits at most; null for all that its account may do. */
  @Column({ type: 'text', array: true, nullable: true })
  permissions!: string[] | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiration!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUseDate!: Date | null;

  @Column({ type: 'text', nullable: true })
  lastUseAddress!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;
}
