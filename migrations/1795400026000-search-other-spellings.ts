import type { MigrationInterface, QueryRunner } from 'typeorm';
import { functions } from './functions.js';
import { inBatches } from './schema-helpers.js';

const TABLES = ['users', 'documents', 'news', 'faqs', 'customers'];

/** Adds the other spellings of words with an umlaut to the searched texts (migrations/functions/base/search_text.sql). */
export class SearchOtherSpellings1795400026000 implements MigrationInterface {
  name = 'SearchOtherSpellings1795400026000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The rows get their texts from the functions, which are otherwise created after the migrations.
    const needed = new Set(['search_text', ...TABLES.map((table) => `set_search_of_${table}`)]);
    for (const { name, text } of functions) if (needed.has(name)) await runner.query(text);
    for (const table of TABLES)
      await inBatches(runner, table, async (batch) => {
        await runner.query(
          `UPDATE ${table} SET search_title = search_title WHERE ${batch}
             AND (quick_search ~ '[aou]e' OR ${table}::text ~ '[äöüøÄÖÜØ\u0308]')`,
        );
      });
  }

  /** The texts may keep the spellings: the former functions leave them out at the next change of a row. */
  async down(): Promise<void> {}
}
