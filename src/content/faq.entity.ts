import { Check, Column, Entity } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('faqs')
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
