import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Principal } from './principal.js';

/** A row of the directory's users. */
@Entity('users')
@Index('users_login_key', { synchronize: false })
@Index('users_sysadmin_key', { synchronize: false })
@Index('users_organization_id_idx', { synchronize: false })
@Index('users_manager_id_idx', { synchronize: false })
@Index('users_status_idx', { synchronize: false })
@Index('users_creation_date_idx', { synchronize: false })
@Index('users_modification_date_idx', { synchronize: false })
@Index('users_login_fold_idx', { synchronize: false })
@Index('users_first_name_fold_idx', { synchronize: false })
@Index('users_last_name_fold_idx', { synchronize: false })
@Index('users_title_fold_idx', { synchronize: false })
@Index('users_email_fold_idx', { synchronize: false })
@Index('users_user_function_fold_idx', { synchronize: false })
@Index('users_external_id_fold_idx', { synchronize: false })
@Index('users_quick_search_idx', { synchronize: false })
@Index('users_walk_idx', { synchronize: false })
@Index('users_long_walk_idx', { synchronize: false })
@Check('users_status_check', 'status IN (0, 1, 2, 3)')
@Check('users_sysadmin_check', 'NOT sysadmin OR (administrator AND status = 1)')
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
  @ForeignKey('Organization')
  organizationId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  @ForeignKey('User')
  managerId!: string | null;

  @Column({ type: 'smallint', default: 2 })
  status!: number;

  @Column({ type: 'boolean', default: false })
  administrator!: boolean;

  @Column({ type: 'boolean', default: false })
  processEngine!: boolean;

  @Column({ type: 'boolean', default: false })
  sysadmin!: boolean;

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  /** Kept by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  quickSearch!: string;

  /** Kept by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  searchTitle!: string;
}
