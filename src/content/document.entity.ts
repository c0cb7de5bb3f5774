import { Check, Column, Entity, Index } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('documents')
@Index('documents_reference_key', { synchronize: false })
@Index('documents_title_fold_idx', { synchronize: false })
@Index('documents_quick_search_idx', { synchronize: false })
@Index('documents_walk_idx', { synchronize: false })
@Index('documents_long_walk_idx', { synchronize: false })
@Index('documents_author_id_idx', { synchronize: false })
@Index('documents_creation_date_idx', { synchronize: false })
@Index('documents_modification_date_idx', { synchronize: false })
@Check('documents_status_check', 'status IN (0, 1, 2)')
export class Document extends Content {
  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  fileName!: string | null;

  @Column({ type: 'text', nullable: true })
  mimeType!: string | null;

  @Column({ type: 'bigint', nullable: true })
  size!: string | null;

  @Column({ type: 'text', nullable: true })
  version!: string | null;

  @Column({ type: 'text', nullable: true })
  category!: string | null;

  @Column({ type: 'text', nullable: true })
  keywords!: string | null;

  @Column({ type: 'text', nullable: true })
  downloadUrl!: string | null;
}
