import { PrimaryColumn } from 'typeorm';
import { RevisionedEntity } from '../resources/base.entity.js';

/** A user, group or organization, which an audience can name. All of them draw their ids from one sequence. */
export abstract class Principal extends RevisionedEntity {
  @PrimaryColumn({ type: 'bigint', default: () => `nextval('principal_ids')` })
  id!: string;
}
