import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Translations } from '../../resources/attributes/translations-attribute.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** A tile of the workplace: a process with tasks, or a link. */
@Entity('applications')
@Check('applications_type_check', `type IN ('PROCESS', 'LINK')`)
export class Application extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  tileColor!: string | null;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'text', nullable: true })
  link!: string | null;

  @Column({ type: 'text', nullable: true })
  icon!: string | null;

  @Column({ type: 'boolean', default: false })
  targetBlank!: boolean;

  @Column({ type: 'text', nullable: true, name: 'help_link_js' })
  helpLinkJS!: string | null;

  @Column({ type: 'text', nullable: true })
  keywords!: string | null;

  @Column({ type: 'integer', default: 0 })
  position!: number;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'bigint', nullable: true })
  viewId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  translations!: Translations | null;

  @ManyToOne('View')
  @JoinColumn()
  view?: IdentifiedEntity | null;

  /** Derived by the database from the audience table. */
  @Column({ type: 'bigint', array: true, default: '{0}', insert: false, update: false })
  audience!: string[];
}
