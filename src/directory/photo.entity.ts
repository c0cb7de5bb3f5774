import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A user's picture, re-encoded; in the database, since the server holds no state. */
@Entity('photos')
export class Photo {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'bytea' })
  content!: Buffer;

  @Column({ type: 'text' })
  mediaType!: string;

  /** SHA-256 of the content; the ETag names it. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}
