import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Principal } from './principal.js';

@Entity('groups')
@Index('groups_reference_key', { synchronize: false })
@Index('groups_label_fold_idx', { synchronize: false })
@Index('groups_external_id_fold_idx', { synchronize: false })
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

/** Who is in which group. */
@Entity('group_members')
@Index('group_members_user_id_idx', { synchronize: false })
export class GroupMember {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('Group', { onDelete: 'CASCADE' })
  groupId!: string;

  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;
}
