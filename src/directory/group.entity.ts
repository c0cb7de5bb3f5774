import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('groups')
@Index('groups_reference_key', { synchronize: false })
@Index('groups_label_fold_idx', { synchronize: false })
@Index('groups_external_id_fold_idx', { synchronize: false })
export class Group {
  @PrimaryColumn({ type: 'bigint', default: () => `nextval('principal_ids')` })
  id!: string;

  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  modificationDate!: Date;
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
