import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Translations } from '../../resources/attributes/translations-attribute.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** A saved list of an application's tasks. */
@Entity('views')
@Check('views_filter_mode_check', `filter_mode IN ('and', 'or')`)
export class View extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'bigint' })
  applicationId!: string;

  @ManyToOne('Application', { nullable: false })
  @JoinColumn()
  application?: IdentifiedEntity;

  @Column({ type: 'text', array: true, default: '{}' })
  columns!: string[];

  @Column({ type: 'text', array: true, default: '{}' })
  filters!: string[];

  @Column({ type: 'text', default: 'and' })
  filterMode!: string;

  @Column({ type: 'text', nullable: true })
  sorter!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  translations!: Translations | null;
}
