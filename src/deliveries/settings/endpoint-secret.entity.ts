import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

/** A secret with which the server signs the events of an endpoint, or the credentials of its adapter. */
@Entity('endpoint_secrets')
export class EndpointSecret {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ type: 'bigint' })
  @ForeignKey('Endpoint', { onDelete: 'CASCADE' })
  endpointId!: string;

  /** The kind of signature; `credentials` for those of an adapter. */
  @Column({ type: 'text' })
  signature!: string;

  /** Encrypted with SECRETS_KEY. */
  @Column({ type: 'bytea', select: false })
  sealed!: Buffer;

  /** The receiver verifies signatures with it; null where both sides share the secret. */
  @Column({ type: 'text', nullable: true })
  publicKey!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  /** When it ends because a newer one has replaced it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiration!: Date | null;
}
