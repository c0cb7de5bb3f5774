import { Column, Entity } from 'typeorm';
import type { Translations } from '../../resources/attributes/translations-attribute.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

@Entity('categories')
export class Category extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'integer', default: 0 })
  position!: number;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  translations!: Translations | null;
}
