import { Column, Entity } from 'typeorm';
import { Stored } from '../resources/stored.js';

@Entity('categories')
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
