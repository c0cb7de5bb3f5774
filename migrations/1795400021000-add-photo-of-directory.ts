import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds of which picture of a directory a photo was made, so that a run encodes and writes only what has changed. */
export class AddPhotoOfDirectory1795400021000 implements MigrationInterface {
  name = 'AddPhotoOfDirectory1795400021000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE photos ADD COLUMN directory_digest text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE photos DROP COLUMN directory_digest');
  }
}
