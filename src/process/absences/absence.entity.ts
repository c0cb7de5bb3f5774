import { Check, Column, Entity, Exclusion, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../directory/principal.entity.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** Who stands in for a person, from when to when. */
@Entity('absences')
@Check('absences_substitute_check', 'substitute_id <> user_id')
@Check('absences_dates_check', 'end_date > start_date')
@Exclusion(
  'absences_overlap',
  `USING gist (int8range(user_id, user_id, '[]') WITH &&, int8range(coalesce(application_id, 0), coalesce(application_id, 0), '[]') WITH &&, tstzrange(start_date, end_date) WITH &&)`,
)
export class Absence extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'bigint' })
  userId!: string;

  @ManyToOne('User', { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  user?: Principal;

  @Column({ type: 'bigint' })
  substituteId!: string;

  @ManyToOne('User', { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  substitute?: Principal;

  /** Null: the tasks of all applications. */
  @Column({ type: 'bigint', nullable: true })
  applicationId!: string | null;

  @ManyToOne('Application', { onDelete: 'CASCADE' })
  @JoinColumn()
  application?: IdentifiedEntity | null;

  @Column({ type: 'timestamptz', precision: 3 })
  startDate!: Date;

  /** Exclusive. */
  @Column({ type: 'timestamptz', precision: 3 })
  endDate!: Date;

  /** Whether it has an effect now; the database keeps it. */
  @Column({ type: 'boolean', default: false })
  active!: boolean;
}
