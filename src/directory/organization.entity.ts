import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An organization; `path` holds the ids from the root to itself and is kept by the database. */
@Entity('organizations')
@Index('organizations_reference_key', { synchronize: false })
@Index('organizations_label_fold_idx', { synchronize: false })
@Index('organizations_external_id_fold_idx', { synchronize: false })
@Index('organizations_parent_id_idx', { synchronize: false })
@Index('organizations_manager_id_idx', { synchronize: false })
@Index('organizations_path_idx', { synchronize: false })
export class Organization {
  @PrimaryColumn({ type: 'bigint', default: () => `nextval('principal_ids')` })
  id!: string;

  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'bigint', nullable: true })
  @ForeignKey('Organization')
  parentId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  @ForeignKey('User')
  managerId!: string | null;

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'bigint', array: true, insert: false, update: false })
  path!: string[];

  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
}
