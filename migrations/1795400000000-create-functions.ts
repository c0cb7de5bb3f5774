import type { MigrationInterface, QueryRunner } from 'typeorm';
import { baseFunctions } from './functions.js';

/** Creates the functions that tables need, and the record of all functions that this database has. */
export class CreateFunctions1795400000000 implements MigrationInterface {
  name = 'CreateFunctions1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE applied_functions (name text PRIMARY KEY, digest text NOT NULL)',
    );
    for (const { text } of baseFunctions) await runner.query(text);
  }

  /** Drops all functions, also those that were created after all migrations. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ DECLARE name text;
      BEGIN
        FOR name IN SELECT to_regproc(f.name)::oid::regprocedure FROM applied_functions f WHERE to_regproc(f.name) IS NOT NULL LOOP
          EXECUTE 'DROP FUNCTION ' || name;
        END LOOP;
      END $$`);
    await runner.query('DROP TABLE applied_functions');
  }
}
