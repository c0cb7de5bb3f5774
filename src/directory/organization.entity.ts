import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Principal } from './principal.js';

/** An organization; `path` holds the ids from the root to itself and is kept by the database. */
@Entity('organizations')
@Index('organizations_reference_key', { synchronize: false })
@Index('organizations_label_fold_idx', { synchronize: false })
@Index('organizations_external_id_fold_idx', { synchronize: false })
@Index('organizations_parent_id_idx', { synchronize: false })
@Index('organizations_manager_id_idx', { synchronize: false })
@Index('organizations_path_idx', { synchronize: false })
export class Organization extends Principal {
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
}
