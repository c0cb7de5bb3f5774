import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../directory/principal.entity.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** A program that puts tasks in, such as a process engine. */
@Entity('sources')
export class Source extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'bigint', nullable: true })
  serviceAccountId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  serviceAccount?: Principal | null;

  @Column({ type: 'bigint', nullable: true })
  fallbackGroupId!: string | null;

  @ManyToOne('Group')
  @JoinColumn()
  fallbackGroup?: Principal | null;

  /** Percentage of its open tasks that a snapshot may cancel. */
  @Column({ type: 'integer', default: 20 })
  snapshotBrake!: number;
}
