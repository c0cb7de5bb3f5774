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

  /** Of what the source last said about it. */
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

  /** What the person who closed it said, or why the source cancelled it. */
  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  @Column({ type: 'bigint', nullable: true })
  closedById!: string | null;

  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  closedBy?: Principal | null;

  /** When it was last closed, in whatever way; a trigger keeps it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false })
  closedDate!: Date | null;

  /** Whether its source closed it, by whatever account the source then had; a trigger keeps it. */
  @Column({ type: 'boolean', default: false, select: false })
  closedBySource!: boolean;

  /** What the engine says about the decision; null where no engine has a say. */
  @Column({ type: 'text', nullable: true })
  confirmation!: string | null;

  /** Why the engine has refused the last decision. */
  @Column({ type: 'text', nullable: true })
  refusalReason!: string | null;

  /** Which decision the engine has to confirm. */
  @Column({ type: 'uuid', nullable: true, select: false })
  decision!: string | null;
  @Column({ type: 'bigint', nullable: true })
  closedForId!: string | null;

  /** The assignee, where somebody who stood in has closed it. */
  @ManyToOne('User', { onDelete: 'SET NULL' })
  @JoinColumn()
  closedFor?: Principal | null;
}
