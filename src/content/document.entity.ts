import { Check, Column, Entity } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('documents')
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
