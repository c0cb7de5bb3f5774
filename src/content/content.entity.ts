import { Column, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../directory/principal.entity.js';
import { IdentifiedEntity } from '../resources/base.entity.js';

/** The columns that documents, news, faqs and customers share. */
export abstract class Content extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'en' })
  locale!: string;

  @Column({ type: 'bigint', nullable: true })
  authorId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  author?: Principal | null;

  @Column({ type: 'smallint', default: 1 })
  status!: number;

  /** Derived by the database from the audience table. */
  @Column({ type: 'bigint', array: true, default: '{0}', insert: false, update: false })
  audience!: string[];

  /** Kept by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  quickSearch!: string;

  /** Kept by the database. */
  @Column({ type: 'text', default: '', insert: false, update: false })
  searchTitle!: string;
}
