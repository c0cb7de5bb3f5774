import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The GIN index of each search, as the five tables have had it before. */
const INDEXES = [
  { table: 'users', otherTexts: ['description'], audience: false },
  {
    table: 'documents',
    otherTexts: ['reference', 'mime_type', 'version', 'download_url'],
    audience: true,
  },
  { table: 'news', otherTexts: ['reference'], audience: true },
  { table: 'faqs', otherTexts: ['reference'], audience: true },
  { table: 'customers', otherTexts: ['reference', 'web_site'], audience: true },
];

/**
 * The index of search holds pieces of three characters too: a word of common pairs is found by few
 * rows that have its triples (docs/decisions/0006). On a million rows it takes minutes: an index of
 * each table is made anew.
 */
export class WidenSearchGrams1795219600000 implements MigrationInterface {
  name = 'WidenSearchGrams1795219600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL maintenance_work_mem = '256MB'`);
    await this.replaceGrams(
      runner,
      `SELECT array_remove(string_to_array(value, NULL), ' ') || coalesce(
          (SELECT array_agg(one || two) || coalesce(array_agg(one || two || three) FILTER (WHERE three <> ' '), '{}')
           FROM unnest(string_to_array(value, NULL), (string_to_array(value, NULL))[2:],
             (string_to_array(value, NULL))[3:]) AS triples(one, two, three)
           WHERE one <> ' ' AND two <> ' '), '{}')`,
    );
    // What a text that is looked for must have: of each word at most seven of its longest pieces,
    // spread evenly. More say little more, and each costs reading where it occurs.
    await runner.query(`
      CREATE FUNCTION sought_grams(value text) RETURNS text[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT ARRAY(
          SELECT DISTINCT substr(word, place + 1, 3)
          FROM string_to_table(value, ' ') AS word, greatest(length(word) - 3, 0) AS last, generate_series(0, last) AS place
          WHERE word <> '' AND (place % (last / 6 + 1) = 0 OR place = last))
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION sought_grams(text)');
    await this.replaceGrams(
      runner,
      `SELECT array_remove(string_to_array(value, NULL), ' ') || coalesce(
          (SELECT array_agg(one || next)
           FROM unnest(string_to_array(value, NULL), (string_to_array(value, NULL))[2:]) AS pairs(one, next)
           WHERE one <> ' ' AND next <> ' '), '{}')`,
    );
  }

  /** The indexes over the function hold what it said before, so that they are made anew. */
  private async replaceGrams(runner: QueryRunner, body: string): Promise<void> {
    for (const { table } of INDEXES) await runner.query(`DROP INDEX ${table}_quick_search_idx`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION grams(value text) RETURNS text[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$ ${body} $$`);
    for (const { table, otherTexts, audience } of INDEXES) {
      const others = otherTexts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
      await runner.query(
        `CREATE INDEX ${table}_quick_search_idx ON ${table}
         USING gin (grams(quick_search), grams(fold(${others}))${audience ? ', audience' : ''})`,
      );
    }
  }
}
