import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../directory/principal.entity.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';
import type { Outcome } from './outcomes.js';
import type { Variable } from './variables.js';

/** A task of a process application, assigned to a user or a group. */
@Entity('tasks')
@Check('tasks_status_check', `status IN ('open', 'done', 'cancelled')`)
@Check('tasks_confirmation_check', `confirmation IN ('pending', 'confirmed', 'refused')`)
@Check('tasks_external_id_check', 'external_id IS NULL OR source_id IS NOT NULL')
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

  /** When it was closed, where it is done: generated from `closedDate`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completionDate!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  followUpDate!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  sourceId!: string | null;

  @ManyToOne('Source')
  @JoinColumn()
  source?: IdentifiedEntity | null;

  /** The id that the source gave it; unique within the source. */
  @Column({ type: 'text', nullable: true })
  externalId!: string | null;

  @Column({ type: 'bigint', nullable: true })
  sourceVersion!: string | null;

  /** Of the last push of the task. */
  @Column({ type: 'bytea', nullable: true, select: false })
  sourceDigest!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  correlationId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  variables!: Variable[] | null;

  @Column({ type: 'jsonb', nullable: true })
  outcomes!: Outcome[] | null;

  /** The name of the outcome with which it was closed. */
  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  /** The comment of the person who closed it, or the reason of the source that cancelled it. */
  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  @Column({ type: 'bigint', nullable: true })
  closedById!: string | null;

  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  closedBy?: Principal | null;

  /** When it was last closed, by any way; a trigger sets it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  closedDate!: Date | null;

  /** Whether its source closed it, whatever its account was then; a trigger sets it. */
  @Column({ type: 'boolean', default: false, select: false })
  closedBySource!: boolean;

  /** The state of the confirmation by the engine; null where no engine confirms. */
  @Column({ type: 'text', nullable: true })
  confirmation!: string | null;

  /** Why the engine refused the last decision. */
  @Column({ type: 'text', nullable: true })
  refusalReason!: string | null;

  /** The id of the decision that the engine has to confirm. */
  @Column({ type: 'uuid', nullable: true, select: false })
  decision!: string | null;
  @Column({ type: 'bigint', nullable: true })
  closedForId!: string | null;

  /** The assignee, where a substitute has closed it. */
  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  closedFor?: Principal | null;
}
