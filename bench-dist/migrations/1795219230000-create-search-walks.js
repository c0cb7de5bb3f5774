import { addSearchWalk, dropSearchWalk } from './table-parts.js';
/** The five tables that are searched. */
const SEARCHED = [
    {
        table: 'users',
        title: 'title',
        found: 'status = 1 AND NOT sysadmin',
        deciding: [],
        otherTexts: ['description'],
    },
    {
        table: 'documents',
        title: 'title',
        found: 'status = 1',
        deciding: ['audience'],
        otherTexts: ['reference', 'mime_type', 'version', 'download_url'],
    },
    {
        table: 'news',
        title: 'title',
        found: 'status = 1',
        deciding: ['audience', 'publication_date', 'end_date'],
        otherTexts: ['reference'],
    },
    {
        table: 'faqs',
        title: 'question',
        found: 'status = 1',
        deciding: ['audience'],
        otherTexts: ['reference'],
    },
    {
        table: 'customers',
        title: 'name',
        found: 'status = 1',
        deciding: ['audience'],
        otherTexts: ['reference', 'web_site'],
    },
];
const WITH_AUDIENCE = SEARCHED.filter(({ deciding }) => deciding.includes('audience'));
/**
 * What keeps a page of search short among millions of rows (docs/decisions/0005): the order of
 * each search as an index that is read alone, and one GIN index over everything that narrows a
 * search down. On a million rows it takes minutes: each table is written anew once.
 */
export class CreateSearchWalks1795219230000 {
    name = 'CreateSearchWalks1795219230000';
    async up(runner) {
        // For this transaction only: indexes of a million rows are then sorted in memory.
        await runner.query(`SET LOCAL maintenance_work_mem = '256MB'`);
        await this.quickenFunctions(runner);
        for (const walk of SEARCHED)
            await addSearchWalk(runner, walk);
        // The audience is part of the GIN index of the search, which serves conditions on it alone too.
        for (const { table } of WITH_AUDIENCE)
            await runner.query(`DROP INDEX ${table}_audience_idx`);
    }
    /** The same results as before, in a fraction of the time: existing indexes stay right. */
    async quickenFunctions(runner) {
        // A text in ASCII has neither accents nor special letters; what has is rid of its combining
        // marks by one expression, where translate() compared every character with all 112 of them.
        await runner.query(`
      CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE
          replace(replace(replace(replace(
            translate(
              lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]+', '', 'g') COLLATE "und-x-icu"),
              'øłđıðħŧς', 'oldidhtσ'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C" END
      $$`);
        // A piece may come twice: an index keeps it once. COST says what evaluating it without the
        // index means, which is reading the row: it keeps the planner at the index.
        await runner.query(`
      CREATE OR REPLACE FUNCTION grams(value text) RETURNS text[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
        SELECT array_remove(string_to_array(value, NULL), ' ') || coalesce(
          (SELECT array_agg(one || next)
           FROM unnest(string_to_array(value, NULL), (string_to_array(value, NULL))[2:]) AS pairs(one, next)
           WHERE one <> ' ' AND next <> ' '), '{}')
      $$`);
    }
    async down(runner) {
        for (const { table } of WITH_AUDIENCE)
            await runner.query(`CREATE INDEX ${table}_audience_idx ON ${table} USING gin (audience)`);
        for (const { table } of SEARCHED)
            await dropSearchWalk(runner, table);
    }
}
//# sourceMappingURL=1795219230000-create-search-walks.js.map