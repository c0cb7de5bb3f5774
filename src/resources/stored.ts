import { Column, PrimaryGeneratedColumn } from 'typeorm';

/** The columns that every resource's table has. */
export abstract class Stored {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  /** Counts what was written; the ETag names it. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}
