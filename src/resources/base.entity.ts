import { Column, PrimaryGeneratedColumn } from 'typeorm';

/** The columns that the resource engine maintains: revision and timestamps. */
export abstract class RevisionedEntity {
  /** Counts what was written; the ETag names it. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}

/** The columns that a resource's table has. */
export abstract class IdentifiedEntity extends RevisionedEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;
}
