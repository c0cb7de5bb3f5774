import { Check, Column, Entity, ForeignKey } from 'typeorm';
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
  @ForeignKey('Application')
  applicationId!: string;

  @Column({ type: 'bigint', nullable: true })
  @ForeignKey('User')
  assigneeId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  @ForeignKey('Group')
  groupId!: string | null;

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
