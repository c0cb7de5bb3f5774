import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AUDIENCE_OWNERS } from './schema-helpers.js';

/**
 * Derives the audience of both owners where plain SQL moves a row of an audience table from one to another, and of all
 * owners where it empties the table.
 */
export class DeriveEveryAudience1809407000000 implements MigrationInterface {
  name = 'DeriveEveryAudience1809407000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, singular } of AUDIENCE_OWNERS) {
      await derive(runner, table, singular, `id IN (NEW.${singular}_id, OLD.${singular}_id)`);
      await runner.query(`
        CREATE FUNCTION empty_${singular}_audiences() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE ${table} SET audience = '{0}' WHERE audience <> '{0}';
          RETURN NULL;
        END $$`);
      await runner.query(`
        CREATE TRIGGER ${singular}_audiences_empty AFTER TRUNCATE ON ${singular}_audiences
          FOR EACH STATEMENT EXECUTE FUNCTION empty_${singular}_audiences()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, singular } of AUDIENCE_OWNERS) {
      await runner.query(`DROP TRIGGER ${singular}_audiences_empty ON ${singular}_audiences`);
      await runner.query(`DROP FUNCTION empty_${singular}_audiences()`);
      await derive(
        runner,
        table,
        singular,
        `id = coalesce(NEW.${singular}_id, OLD.${singular}_id)`,
      );
    }
  }
}

/** @param changed the condition of the owners whose audience may have changed */
const derive = (
  runner: QueryRunner,
  table: string,
  singular: string,
  changed: string,
): Promise<unknown> =>
  runner.query(`
    CREATE OR REPLACE FUNCTION derive_${singular}_audience() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE ${table} SET audience = coalesce(
        (SELECT array_agg(principal_id ORDER BY principal_id) FROM ${singular}_audiences
         WHERE ${singular}_id = ${table}.id), '{0}')
      WHERE ${changed};
      RETURN NULL;
    END $$`);
