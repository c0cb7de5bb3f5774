import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what a run of a provider read and found, and from where the next one reads only changes. */
export class CreateProviderRunDetails1795400019000 implements MigrationInterface {
  name = 'CreateProviderRunDetails1795400019000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_runs
        -- As in every table whose rows are read one by one.
        ADD revision integer NOT NULL DEFAULT 1,
        ADD is_full boolean NOT NULL DEFAULT true,
        ADD read integer NOT NULL DEFAULT 0,
        -- Whether it failed because too many people would be deactivated.
        ADD brake boolean NOT NULL DEFAULT false,
        -- The first changes of a dry run, or people who were skipped.
        ADD changes jsonb,
        -- Where an incremental run begins.
        ADD cookie jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE provider_runs DROP revision, DROP is_full, DROP read, DROP brake, DROP changes, DROP cookie',
    );
  }
}
