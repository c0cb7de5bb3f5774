import { PrimaryColumn } from 'typeorm';
import { RevisionedEntity } from '../resources/base.entity.js';

/** What an audience can name; all kinds draw their ids from one sequence. */
export abstract class Principal extends RevisionedEntity {
  @PrimaryColumn({ type: 'bigint', default: () => `nextval('principal_ids')` })
  id!: string;
}
