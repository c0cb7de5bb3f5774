import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A user's photo, re-encoded. It is in the database because the server itself keeps no state. */
@Entity('photos')
export class Photo {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'bytea' })
  content!: Buffer;

  @Column({ type: 'text' })
  mediaType!: string;

  /** SHA-256 of the content, from which the ETag is made. */
  @Column({ type: 'text' })
  digest!: string;

  /** SHA-256 of the picture in a directory that it was made of. */
  @Column({ type: 'text', nullable: true })
  directoryDigest!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}
