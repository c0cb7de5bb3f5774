import { DataSource } from 'typeorm';
import type { TestServer } from './test-server.js';

/**
 * The statements that would turn the schema into that of the entities. Entities declare no indexes, because
 * most are on expressions, which entities cannot express; query-plans.spec checks them.
 */
export async function schemaChanges({ app }: TestServer): Promise<string[]> {
  const { upQueries } = await app.get(DataSource).driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query).filter((query) => !query.startsWith('DROP INDEX'));
}
