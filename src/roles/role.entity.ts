import { Check, Column, Entity, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { IdentifiedEntity } from '../resources/base.entity.js';
import type { Principal } from '../directory/principal.entity.js';

/** A role: permissions under a name. */
@Entity('roles')
export class Role extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', array: true, default: [] })
  permissions!: string[];

  /** Whether it comes with the server, whose versions may change it. */
  @Column({ type: 'boolean', default: false })
  shipped!: boolean;
}

/** A role of a user, everywhere or confined to one object. */
@Entity('role_assignments')
@Check(
  'role_assignments_scope_check',
  'num_nonnulls(organization_id, group_id, application_id) <= 1',
)
@Unique('role_assignments_key', ['userId', 'roleId', 'organizationId', 'groupId', 'applicationId'])
export class RoleAssignment extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'bigint' })
  userId!: string;

  @ManyToOne('User', { onDelete: 'CASCADE' })
  @JoinColumn()
  user?: Principal;

  @Column({ type: 'bigint' })
  roleId!: string;

  @ManyToOne('Role')
  @JoinColumn()
  role?: Role;

  @Column({ type: 'bigint', nullable: true })
  organizationId!: string | null;

  @ManyToOne('Organization')
  @JoinColumn()
  organization?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: string | null;

  @ManyToOne('Group')
  @JoinColumn()
  group?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  applicationId!: string | null;

  @ManyToOne('Application')
  @JoinColumn()
  application?: IdentifiedEntity | null;
}
