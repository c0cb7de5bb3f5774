import { Column, Entity, Index } from 'typeorm';
import { Stored } from '../resources/stored.js';

@Entity('categories')
@Index('categories_reference_key', { synchronize: false })
@Index('categories_title_fold_idx', { synchronize: false })
export class Category extends Stored {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'integer', default: 0 })
  position!: number;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
