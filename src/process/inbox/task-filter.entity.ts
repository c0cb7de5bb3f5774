import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../directory/principal.entity.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** A filter of the inbox that a person has saved. */
@Entity('task_filters')
@Check('task_filters_filter_mode_check', `filter_mode IN ('and', 'or')`)
export class TaskFilter extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'bigint' })
  ownerId!: string;

  @ManyToOne('User', { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  owner?: Principal;

  @Column({ type: 'text', array: true, default: '{}' })
  filters!: string[];

  @Column({ type: 'text', default: 'and' })
  filterMode!: string;

  @Column({ type: 'text', nullable: true })
  sorter!: string | null;

  @Column({ type: 'integer', default: 0 })
  position!: number;

  @Column({ type: 'boolean', default: false })
  sharedWithEveryone!: boolean;
}
