import { Column, Entity, ForeignKey, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { IdentifiedEntity } from '../resources/base.entity.js';
import { Principal } from './principal.entity.js';

@Entity('groups')
export class Group extends Principal {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  managedById!: string | null;

  @ManyToOne('Provider', { onDelete: 'SET NULL' })
  @JoinColumn()
  managedBy?: IdentifiedEntity | null;
}

/** The membership of a user in a group. */
@Entity('group_members')
export class GroupMember {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('Group', { onDelete: 'CASCADE' })
  groupId!: string;

  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;
}
