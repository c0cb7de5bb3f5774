import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Grant } from '../base/rights/rights.js';
import type { IdentifiedEntity } from '../resources/base.entity.js';
import { Principal } from './principal.entity.js';

/** A user of the directory. */
@Entity('users')
@Check('users_status_check', 'status IN (0, 1, 2, 3)')
@Check('users_sysadmin_check', 'NOT sysadmin OR (administrator AND status = 1)')
@Check('users_service_check', 'NOT (service AND sysadmin)')
export class User extends Principal {
  @Column({ type: 'text' })
  login!: string;

  @Column({ type: 'text', nullable: true })
  firstName!: string | null;

  @Column({ type: 'text' })
  lastName!: string;

  @Column({ type: 'text', nullable: true })
  nickName!: string | null;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  mobilePhoneNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  userFunction!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'en' })
  locale!: string;

  @Column({ type: 'bigint', nullable: true })
  organizationId!: string | null;

  @ManyToOne('Organization')
  @JoinColumn()
  organization?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  managerId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  manager?: Principal | null;

  @Column({ type: 'smallint', default: 2 })
  status!: number;

  @Column({ type: 'boolean', default: false })
  administrator!: boolean;

  @Column({ type: 'boolean', default: false })
  processEngine!: boolean;

  @Column({ type: 'boolean', default: false })
  sysadmin!: boolean;

  /** Whether it is the account of a program. */
  @Column({ type: 'boolean', default: false })
  service!: boolean;

  /** The most calls of a service account in a minute; null without a limit. */
  @Column({ type: 'integer', nullable: true })
  callsPerMinute!: number | null;

  /** What the roles of the user permit; maintained by the database. */
  @Column({ type: 'jsonb', default: [], insert: false, update: false })
  rights!: Grant[];

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  managedById!: string | null;

  @ManyToOne('Provider', { onDelete: 'SET NULL' })
  @JoinColumn()
  managedBy?: IdentifiedEntity | null;

  /** Maintained by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  quickSearch!: string;

  /** Maintained by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  searchTitle!: string;
}
