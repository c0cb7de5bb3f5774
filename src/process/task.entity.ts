import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../directory/principal.entity.js';
import { IdentifiedEntity } from '../resources/base.entity.js';

/** A task of a process application, assigned to a user or a group. */
@Entity('tasks')
@Check('tasks_status_check', `status IN ('open', 'done', 'cancelled')`)
export class Task extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'bigint' })
  applicationId!: string;

  @ManyToOne('Application', { nullable: false })
  @JoinColumn()
  application?: IdentifiedEntity;

  @Column({ type: 'bigint', nullable: true })
  assigneeId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  assignee?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: string | null;

  @ManyToOne('Group')
  @JoinColumn()
  group?: Principal | null;

  @Column({ type: 'text', default: 'open' })
  status!: string;

  @Column({ type: 'integer', default: 0 })
  priority!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueDate!: Date | null;

  @Column({ type: 'text', nullable: true })
  link!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completionDate!: Date | null;
}
