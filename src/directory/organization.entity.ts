import { Column, Entity, ForeignKey } from 'typeorm';
import { Principal } from './principal.entity.js';

/** An organization; `path` holds the ids from the root to itself and is kept by the database. */
@Entity('organizations')
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
