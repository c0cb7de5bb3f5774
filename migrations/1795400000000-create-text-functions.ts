import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The text comparison of filters, sorting and search: it ignores case and accents
 * (docs/api-contract.md#text-comparison). Every function is IMMUTABLE, so that indexes can store its results.
 * The ICU root collation and the "C" collation make the results independent of the locale. The functions are
 * in PL/pgSQL: an SQL function that is not inlined starts an executor at each call, which took most of the
 * time of an import.
 */
export class CreateTextFunctions1795400000000 implements MigrationInterface {
  name = 'CreateTextFunctions1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FOLD);
    await runner.query(LOGIN_KEY);
    await runner.query(NGRAMS);
    await runner.query(QUERY_NGRAMS);
    await runner.query(CUT_TITLE);
    await runner.query(TITLE_PREFIX);
    await runner.query(TITLE_PREFIX_RANGES);
    await runner.query(TITLE_PREFIX_RANGES_BEFORE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const signature of [
      'title_prefix_ranges_before(integer)',
      'title_prefix_ranges(integer)',
      'title_prefix(text)',
      'cut_title(text)',
      'query_ngrams(text)',
      'ngrams(text)',
      'login_key(text)',
      'fold(text)',
    ])
      await runner.query(`DROP FUNCTION ${signature}`);
  }
}

/** Folds a text. ASCII has neither accents nor special letters, so it takes a fast path. */
const FOLD = `
  CREATE FUNCTION fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE
      replace(replace(replace(replace(
        translate(
          lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]+', '', 'g') COLLATE "und-x-icu"),
          'øłđıðħŧς', 'oldidhtσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C" END;
  END $$`;

/** The key by which logins are compared: it ignores case and compatibility forms, but not accents. */
const LOGIN_KEY = `
  CREATE FUNCTION login_key(login text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    RETURN CASE WHEN octet_length(login) = length(login) THEN lower(login COLLATE "C") ELSE
      normalize(lower(normalize(login, NFKC) COLLATE "und-x-icu"), NFKC) COLLATE "C" END;
  END $$`;

/**
 * The n-grams of one, two and three characters of a folded text, without spaces, in one pass. A GIN index over
 * them finds every substring. The result may contain duplicates; the index stores each n-gram once. COST
 * accounts for reading the row, which evaluating the function outside the index requires; it makes the planner
 * prefer the index.
 */
const NGRAMS = `
  CREATE FUNCTION ngrams(value text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
  DECLARE
    found text[] := array_remove(string_to_array(value, NULL), ' ');
    pair text := '';
    previous text := '';
    current text;
  BEGIN
    FOREACH current IN ARRAY string_to_array(value, NULL) LOOP
      IF current = ' ' THEN
        pair := '';
        previous := '';
      ELSIF previous = '' THEN
        previous := current;
      ELSE
        IF pair <> '' THEN
          found := found || (pair || current);
        END IF;
        pair := previous || current;
        found := found || pair;
        previous := current;
      END IF;
    END LOOP;
    RETURN found;
  END $$`;

/**
 * The n-grams that a text must have to contain the value: at most seven of the longest of each word, spread
 * evenly. More n-grams would exclude few further rows, and the index reads the entries of each.
 */
const QUERY_NGRAMS = `
  CREATE FUNCTION query_ngrams(value text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
      SELECT DISTINCT substr(word, place + 1, 3)
      FROM string_to_table(value, ' ') AS word, greatest(length(word) - 3, 0) AS last, generate_series(0, last) AS place
      WHERE word <> '' AND (place % (last / 6 + 1) = 0 OR place = last))
  $$`;

/**
 * The part of a folded title that orders a search: at most 736 bytes, which 184 characters never exceed, so
 * that a paging cursor fits into 1 KiB (src/search/cursor.ts).
 */
const CUT_TITLE = `
  CREATE FUNCTION cut_title(folded text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(folded) <= 736 THEN folded ELSE left(folded, 184) END
  $$`;

/**
 * The first three characters of a title as a number in the same order: five bits per character, 0 before `a`,
 * 27 after `z`. The first character that is not a letter ends the prefix.
 */
const TITLE_PREFIX = `
  CREATE FUNCTION title_prefix(title text) RETURNS integer
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    prefix integer := 0;
    letter integer := 1;
  BEGIN
    FOR place IN 1..3 LOOP
      letter := CASE WHEN letter BETWEEN 1 AND 26
        THEN least(greatest(ascii(substr(title, place, 1)) - ascii('a') + 1, 0), 27) ELSE 0 END;
      prefix := prefix * 32 + letter;
    END LOOP;
    RETURN prefix;
  END $$`;

/** The ranges that contain a prefix, one for each of eight widths; each width is four times the previous one. */
const TITLE_PREFIX_RANGES = `
  CREATE FUNCTION title_prefix_ranges(prefix integer) RETURNS integer[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
  BEGIN
    RETURN ARRAY[prefix, 100000 + prefix / 4, 200000 + prefix / 16, 300000 + prefix / 64,
      400000 + prefix / 256, 500000 + prefix / 1024, 600000 + prefix / 4096, 700000 + prefix / 16384];
  END $$`;

/** The few ranges that together cover every prefix before this one. */
const TITLE_PREFIX_RANGES_BEFORE = `
  CREATE FUNCTION title_prefix_ranges_before(prefix integer) RETURNS integer[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
      SELECT size * 100000 + own - own % 4 + sibling
      FROM generate_series(0, 7) AS size, LATERAL (SELECT prefix / (4 ^ size)::integer) AS sized(own),
        generate_series(0, own % 4 - 1) AS sibling)
  $$`;
