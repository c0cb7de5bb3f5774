import { Column, PrimaryGeneratedColumn, type QueryPartialEntity } from 'typeorm';

/** The columns that the resource engine maintains: revision and timestamps. */
export abstract class RevisionedEntity {
  /** Incremented by every write; the ETag of the row. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}

/** What every update of a row sets beside its values. */
export const NEXT_REVISION = {
  revision: () => 'revision + 1',
  modificationDate: () => 'now()',
} satisfies QueryPartialEntity<RevisionedEntity>;

/** The columns of every resource's table: the id, and those that the engine maintains. */
export abstract class IdentifiedEntity extends RevisionedEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;
}
