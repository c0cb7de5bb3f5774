import { Check, Column, Entity, Index } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('faqs')
@Index('faqs_reference_key', { synchronize: false })
@Index('faqs_question_fold_idx', { synchronize: false })
@Index('faqs_quick_search_idx', { synchronize: false })
@Index('faqs_walk_idx', { synchronize: false })
@Index('faqs_long_walk_idx', { synchronize: false })
@Index('faqs_author_id_idx', { synchronize: false })
@Index('faqs_creation_date_idx', { synchronize: false })
@Index('faqs_modification_date_idx', { synchronize: false })
@Check('faqs_status_check', 'status IN (0, 1, 2)')
export class Faq extends Content {
  @Column({ type: 'text' })
  question!: string;

  @Column({ type: 'text', nullable: true })
  answer!: string | null;

  @Column({ type: 'text', nullable: true })
  category!: string | null;

  @Column({ type: 'text', nullable: true })
  keywords!: string | null;
}
