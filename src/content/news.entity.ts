import { Check, Column, Entity } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('news')
@Check('news_status_check', 'status IN (0, 1, 2)')
export class News extends Content {
  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  summary!: string | null;

  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  publicationDate!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endDate!: Date | null;

  @Column({ type: 'text', nullable: true })
  category!: string | null;
}
