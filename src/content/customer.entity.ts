import { Check, Column, Entity } from 'typeorm';
import { Content } from './content.entity.js';

@Entity('customers')
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
