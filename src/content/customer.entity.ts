import { Check, Column, Entity, Index } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('customers')
@Index('customers_reference_key', { synchronize: false })
@Index('customers_name_fold_idx', { synchronize: false })
@Index('customers_quick_search_idx', { synchronize: false })
@Index('customers_walk_idx', { synchronize: false })
@Index('customers_long_walk_idx', { synchronize: false })
@Index('customers_author_id_idx', { synchronize: false })
@Index('customers_creation_date_idx', { synchronize: false })
@Index('customers_modification_date_idx', { synchronize: false })
@Check('customers_status_check', 'status IN (0, 1, 2)')
export class Customer extends Content {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'text', nullable: true })
  taxNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  city!: string | null;

  @Column({ type: 'text', nullable: true })
  country!: string | null;

  @Column({ type: 'text', nullable: true })
  webSite!: string | null;

  @Column({ type: 'text', nullable: true })
  contactName!: string | null;
}
