import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The combining marks (U+0300 to U+036F) that fold() strips after decomposition. */
const COMBINING_MARKS = Array.from({ length: 0x70 }, (_, i) => String.fromCharCode(0x300 + i)).join(
  '',
);

/**
 * One rule of comparing text for filters, sorting and search: without case and without accents
 * (docs/api-contract.md#text-comparison). Everything is IMMUTABLE so that indexes can hold it; the
 * ICU root collation and the "C" collation keep the result the same whatever the locale of the
 * database.
 */
export class CreateTextFunctions1795219200000 implements MigrationInterface {
  name = 'CreateTextFunctions1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT replace(replace(replace(replace(
          translate(
            lower(translate(normalize(value, NFKD), '${COMBINING_MARKS}', '') COLLATE "und-x-icu"),
            'øłđıðħŧς', 'oldidhtσ'),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C"
      $$`);
    // The 1- and 2-character pieces of a folded text: what a GIN index needs to find any substring,
    // even one that is shorter than a trigram.
    await runner.query(`
      CREATE FUNCTION grams(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT coalesce(array_agg(DISTINCT piece), '{}')
        FROM generate_series(1, length(value)) AS start,
             LATERAL (VALUES (substr(value, start, 1)), (substr(value, start, 2))) AS pieces(piece)
        WHERE piece !~ '\\s'
      $$`);
    // Two logins are one when they differ by case or by compatibility form; accents keep them apart.
    await runner.query(`
      CREATE FUNCTION login_key(login text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT normalize(lower(normalize(login, NFKC) COLLATE "und-x-icu"), NFKC) COLLATE "C"
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION login_key(text)');
    await runner.query('DROP FUNCTION grams(text)');
    await runner.query('DROP FUNCTION fold(text)');
  }
}
