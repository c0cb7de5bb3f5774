import { DataSource } from 'typeorm';
import { NamingStrategy } from '../../src/database/naming-strategy.js';
import { ListSql } from '../../src/resources/list/list-sql.js';
import type { Resource } from '../../src/resources/resource.js';

/** Builds the SQL of lists without a server, by a data source with the entities of these resources. */
export async function connectListSql(
  connection: { host: string; user: string; password?: string; database: string },
  resources: Resource[],
  extra: Record<string, unknown> = {},
): Promise<{ sql: ListSql; dataSource: DataSource }> {
  const { user: username, ...address } = connection;
  const entities = resources.flatMap(({ definition }) => definition.entity ?? []);
  const dataSource = new DataSource({
    type: 'postgres',
    ...address,
    extra,
    username,
    entities: entities as (new () => object)[],
    namingStrategy: new NamingStrategy(),
  });
  await dataSource.initialize();
  return { sql: new ListSql(dataSource), dataSource };
}
