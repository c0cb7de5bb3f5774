import { DataSource } from 'typeorm';
import type { TestServer } from './test-server.js';

/**
 * The statements that would make the schema what the entities say. Entities name no indexes: most
 * are on expressions, which they cannot say; plans.spec looks after them.
 */
export async function schemaChanges({ app }: TestServer): Promise<string[]> {
  const { upQueries } = await app.get(DataSource).driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query).filter((query) => !query.startsWith('DROP INDEX'));
}
