import { Column, Entity, ForeignKey, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { User } from '../../directory/user.entity.js';

/** A file of a task; its content is in pieces, which have a table of their own. */
@Entity('task_files')
export class TaskFile {
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

  @Column({ type: 'text' })
  name!: string;

  /** In bytes. */
  @Column({ type: 'bigint', default: 0 })
  size!: string;

  /** SHA-256 of the content, from which the ETag is made; null until all of it is there. */
  @Column({ type: 'text', nullable: true })
  digest!: string | null;

  /** Whether all of it is there: only then it is a file of the task. */
  @Column({ type: 'boolean', default: false })
  stored!: boolean;

  /** When its last piece arrived, then when it was stored. */
  @Column({ name: 'date', type: 'timestamptz', precision: 3, default: () => 'now()' })
  creationDate!: Date;
}
