import type { TestDatabase } from './test-database.js';

/** Translates the first category, application and view, with characters that files treat specially. */
export async function translateTiles(database: Pick<TestDatabase, 'query'>): Promise<void> {
  const texts = { categories: 'title', applications: 'title', views: 'label' };
  for (const [table, text] of Object.entries(texts))
    await database.query(
      `UPDATE ${table} SET translations = $1 WHERE id = (SELECT min(id) FROM ${table})`,
      [{ de: { [text]: '=Grün; "rot"' }, fr: { [text]: 'Été,\n1' } }],
    );
}
