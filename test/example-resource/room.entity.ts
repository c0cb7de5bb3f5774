import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../src/directory/principal.entity.js';
import { IdentifiedEntity } from '../../src/resources/base.entity.js';

/** The resource of the guide in CONTRIBUTING.md, written by following it. */
@Entity('rooms')
export class Room extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'integer', nullable: true })
  seats!: number | null;

  @Column({ type: 'bigint', nullable: true })
  organizationId!: string | null;

  @ManyToOne('Organization')
  @JoinColumn()
  organization?: Principal | null;
}
