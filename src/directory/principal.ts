import { PrimaryColumn } from 'typeorm';
import { Written } from '../resources/stored.js';

/** What an audience can name; all kinds draw their ids from one sequence. */
export abstract class Principal extends Written {
  @PrimaryColumn({ type: 'bigint', default: () => `nextval('principal_ids')` })
  id!: string;
}
