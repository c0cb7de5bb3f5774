import { Column, Entity, ForeignKey } from 'typeorm';
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
  @ForeignKey('Organization')
  organizationId!: string | null;
}
