import type { QueryRunner } from 'typeorm';
import type { TestDatabase } from '../support/test-database.js';
import { CreateRooms1795500000000 } from './1795500000000-create-rooms.js';

/** Runs the migration of the example resource. */
export const createRooms = (database: TestDatabase): Promise<void> =>
  new CreateRooms1795500000000().up(database as unknown as QueryRunner);
