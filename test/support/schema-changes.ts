import { DataSource, type QueryRunner } from 'typeorm';
import type { TestServer } from './test-server.js';

/**
 * The statements that would turn the schema into that of the entities. Entities declare no indexes, because
 * most are on expressions, which entities cannot express; query-plans.spec checks them.
 */
export async function schemaChanges({ app }: TestServer): Promise<string[]> {
  const { driver } = app.get(DataSource);
  const createRunner = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => oneAtATime(createRunner(mode));
  try {
    const { upQueries } = await driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query).filter((query) => !query.startsWith('DROP INDEX'));
  } finally {
    driver.createQueryRunner = createRunner;
  }
}

/** TypeORM reads several tables at once on one connection, which pg warns of. */
function oneAtATime(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...all: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  runner.query = ((...all: unknown[]) => {
    last = last.then(() => query(...all));
    return last;
  }) as QueryRunner['query'];
  return runner;
}
