import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The functions that every index over texts evaluates for each row that is written, with the results
 * that they have had before, so that existing indexes stay right. A function in SQL that is not
 * inlined starts an executor of its own at each call, which took most of an import's time;
 * expressions of PL/pgSQL do not.
 */
export class QuickenTextFunctions1795220000000 implements MigrationInterface {
  name = 'QuickenTextFunctions1795220000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        RETURN ${FOLDED};
      END $$`);
    // Of a text in ASCII the two forms are the text itself.
    await runner.query(`
      CREATE OR REPLACE FUNCTION login_key(login text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        RETURN CASE WHEN octet_length(login) = length(login) THEN lower(login COLLATE "C") ELSE ${LOGIN_KEY} END;
      END $$`);
    // All pieces of one, two and three characters without a blank, in one walk over the text.
    await runner.query(`
      CREATE OR REPLACE FUNCTION grams(value text) RETURNS text[]
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
      DECLARE
        pieces text[] := array_remove(string_to_array(value, NULL), ' ');
        pair text := '';
        last text := '';
        this text;
      BEGIN
        FOREACH this IN ARRAY string_to_array(value, NULL) LOOP
          IF this = ' ' THEN
            pair := '';
            last := '';
          ELSIF last = '' THEN
            last := this;
          ELSE
            IF pair <> '' THEN
              pieces := pieces || (pair || this);
            END IF;
            pair := last || this;
            pieces := pieces || pair;
            last := this;
          END IF;
        END LOOP;
        RETURN pieces;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT ${FOLDED}
      $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION login_key(login text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT ${LOGIN_KEY}
      $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION grams(value text) RETURNS text[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
        SELECT array_remove(string_to_array(value, NULL), ' ') || coalesce(
          (SELECT array_agg(one || two) || coalesce(array_agg(one || two || three) FILTER (WHERE three <> ' '), '{}')
           FROM unnest(string_to_array(value, NULL), (string_to_array(value, NULL))[2:],
             (string_to_array(value, NULL))[3:]) AS triples(one, two, three)
           WHERE one <> ' ' AND two <> ' '), '{}')
      $$`);
  }
}

const FOLDED = `CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE
          replace(replace(replace(replace(
            translate(
              lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]+', '', 'g') COLLATE "und-x-icu"),
              'øłđıðħŧς', 'oldidhtσ'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C" END`;

const LOGIN_KEY = `normalize(lower(normalize(login, NFKC) COLLATE "und-x-icu"), NFKC) COLLATE "C"`;
