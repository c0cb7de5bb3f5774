import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
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
