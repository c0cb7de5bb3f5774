import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** An application that a user keeps at hand. */
@Entity('favourites')
export class Favourite {
  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'bigint' })
  @ForeignKey('Application', { onDelete: 'CASCADE' })
  applicationId!: string;

  @Column({ type: 'integer' })
  position!: number;
}
