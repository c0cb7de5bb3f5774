import { Column, Entity, ForeignKey, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { User } from '../../directory/user.entity.js';

/** A comment of a person on a task. Comments never change. */
@Entity('task_comments')
export class TaskComment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ type: 'bigint' })
  @ForeignKey('Task', { onDelete: 'CASCADE' })
  taskId!: string;

  @Column({ type: 'bigint', nullable: true })
  authorId!: string | null;

  /** Null for a user who was deleted. */
  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  author?: User | null;

  @Column({ type: 'bigint', nullable: true })
  onBehalfOfId!: string | null;

  /** The assignee, where the author stood in. */
  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  onBehalfOf?: User | null;

  @Column({ type: 'text' })
  text!: string;

  @Column({ name: 'date', type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;
}
