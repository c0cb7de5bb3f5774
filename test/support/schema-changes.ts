import { DataSource, type QueryRunner } from 'typeorm';
import type { TestServer } from './test-server.js';

/** A generated column, whose expression TypeORM compares with a table of its own. */
const GENERATED = /completion_date"|"typeorm_metadata"/;

/**
 * The statements that would turn the schema into that of the entities. Entities declare no indexes, because
 * most are on expressions, which entities cannot express; query-plans.spec checks them.
 */
export async function schemaChanges({ app }: TestServer): Promise<string[]> {
  const dataSource = app.get(DataSource);
  const createRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => withoutMetadata(createRunner(mode));
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries
      .map(({ query }) => query)
      .filter((query) => !query.startsWith('DROP INDEX') && !GENERATED.test(query));
  } finally {
    dataSource.createQueryRunner = createRunner;
  }
}

/** TypeORM asks for the expressions of generated columns in a table of its own, which is not there. */
function withoutMetadata(runner: QueryRunner): QueryRunner {
  const ask = runner.query.bind(runner) as (...all: unknown[]) => Promise<unknown>;
  runner.query = ((...all: unknown[]) =>
    String(all[0]).includes('typeorm_metadata')
      ? Promise.resolve([])
      : ask(...all)) as QueryRunner['query'];
  return runner;
}
