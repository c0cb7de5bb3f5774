import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Principal } from './principal.entity.js';

/** An organization. The database maintains `path`, the ids from the root to the organization itself. */
@Entity('organizations')
export class Organization extends Principal {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'bigint', nullable: true })
  parentId!: string | null;

  @ManyToOne('Organization')
  @JoinColumn()
  parent?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  managerId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  manager?: Principal | null;

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'bigint', array: true, insert: false, update: false })
  path!: string[];
}
