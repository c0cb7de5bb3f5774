import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTitleBuckets, dropTitleBuckets } from './table-parts.js';

const TABLES = ['users', 'documents', 'news', 'faqs', 'customers'];

/**
 * The index of search tells what stands before a title, so that the first matches of a common word
 * are found without reading all of them (docs/decisions/0006). Titles are put into buckets by their
 * first three characters, in their order; a row is in the buckets of eight sizes, each four times as
 * wide as the one before, so that all that stands before a bucket is a few of them. On a million
 * rows it takes minutes: an index of each table is made anew.
 */
export class IndexTitleBuckets1795219800000 implements MigrationInterface {
  name = 'IndexTitleBuckets1795219800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL maintenance_work_mem = '256MB'`);
    // Five bits a character: 0 is before a, 27 behind z; the first one that is no letter ends it.
    await runner.query(`
      CREATE FUNCTION title_bucket(title text) RETURNS integer
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        bucket integer := 0;
        letter integer := 1;
      BEGIN
        FOR place IN 1..3 LOOP
          letter := CASE WHEN letter BETWEEN 1 AND 26
            THEN least(greatest(ascii(substr(title, place, 1)) - ascii('a') + 1, 0), 27) ELSE 0 END;
          bucket := bucket * 32 + letter;
        END LOOP;
        RETURN bucket;
      END $$`);
    await runner.query(`
      CREATE FUNCTION title_buckets(bucket integer) RETURNS integer[]
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
      BEGIN
        RETURN ARRAY[bucket, 100000 + bucket / 4, 200000 + bucket / 16, 300000 + bucket / 64,
          400000 + bucket / 256, 500000 + bucket / 1024, 600000 + bucket / 4096, 700000 + bucket / 16384];
      END $$`);
    await runner.query(`
      CREATE FUNCTION title_buckets_before(bucket integer) RETURNS integer[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT ARRAY(
          SELECT size * 100000 + own - own % 4 + sibling
          FROM generate_series(0, 7) AS size, LATERAL (SELECT bucket / (4 ^ size)::integer) AS sized(own),
            generate_series(0, own % 4 - 1) AS sibling)
      $$`);
    for (const table of TABLES) await addTitleBuckets(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await dropTitleBuckets(runner, table);
    await runner.query('DROP FUNCTION title_buckets_before(integer)');
    await runner.query('DROP FUNCTION title_buckets(integer)');
    await runner.query('DROP FUNCTION title_bucket(text)');
  }
}
