import { DataSource, type QueryRunner } from 'typeorm';
import type { TestServer } from './test-server.js';

/** A generated column, whose expression TypeORM compares with a table of its own. */
const GENERATED = /completion_date"|"typeorm_metadata"/;

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
    return upQueries
      .map(({ query }) => query)
      .filter((query) => !query.startsWith('DROP INDEX') && !GENERATED.test(query));
  } finally {
    driver.createQueryRunner = createRunner;
  }
}

/** TypeORM reads several tables at once on one connection, which pg warns of. */
function oneAtATime(runner: QueryRunner): QueryRunner {
  const ask = runner.query.bind(runner) as (...all: unknown[]) => Promise<unknown>;
  const query = (...all: unknown[]) =>
    String(all[0]).includes('typeorm_metadata') ? Promise.resolve([]) : ask(...all);
  let last: Promise<unknown> = Promise.resolve();
  runner.query = ((...all: unknown[]) => {
    last = last.then(() => query(...all));
    return last;
  }) as QueryRunner['query'];
  return runner;
}
