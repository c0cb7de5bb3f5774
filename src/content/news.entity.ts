import { Check, Column, Entity, Index } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('news')
@Index('news_reference_key', { synchronize: false })
@Index('news_title_fold_idx', { synchronize: false })
@Index('news_quick_search_idx', { synchronize: false })
@Index('news_walk_idx', { synchronize: false })
@Index('news_long_walk_idx', { synchronize: false })
@Index('news_author_id_idx', { synchronize: false })
@Index('news_creation_date_idx', { synchronize: false })
@Index('news_modification_date_idx', { synchronize: false })
@Index('news_publication_date_idx', { synchronize: false })
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
