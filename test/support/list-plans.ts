import { expect } from '@jest/globals';
import pg from 'pg';
import { Rights } from '../../src/base/rights/rights.js';
import type { ListSql, Statement } from '../../src/resources/list/list-sql.js';
import { FIRST_PAGE, type ListRequest } from '../../src/resources/list/parse-list-request.js';
import { type ListPlan, planList } from '../../src/resources/list/plan-list.js';
import type { Resource } from '../../src/resources/resource.js';
import type { Caller } from '../../src/security/caller.js';
import { createRooms } from '../example-resource/create-rooms.js';
import { RoomsModule } from '../example-resource/rooms.module.js';
import { eventually } from './eventually.js';
import { connectListSql } from './list-sql.js';
import { listedResources } from './server-resources.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The rows of each large table. */
export const ROWS = 100_000;

/** How long loading the tables, and asking for its many lists, may take on a busy computer, in milliseconds. */
export const LOADING = 600_000;

/** The lists of which there may be millions of rows. */
export const LARGE = ['users', 'tasks', 'rooms', 'documents', 'audit'];

/** One step of a plan. */
export interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Parent Relationship'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Step[];
}

/** All resources that have lists, and rooms. */
export const resources = listedResources([RoomsModule]);
export const resourceNamed = (name: string): Resource =>
  resources.find((one) => one.name === name)!;

/** Sees everything. */
export const caller = {
  id: '2',
  rights: Rights.ofSysadmin,
  sysadmin: true,
} as Caller;

export const planFor = (resource: Resource, request: Partial<ListRequest>): ListPlan =>
  planList(resource, caller, { ...FIRST_PAGE, ...request });

const stepsIn = (step: Step): Step[] =>
  step['Parent Relationship'] === 'SubPlan' ? [] : [step, ...(step.Plans ?? []).flatMap(stepsIn)];

/** A statement with its values inlined, for a plan that depends on them. */
const written = ({ text, values }: Pick<Statement, 'text' | 'values'>): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => {
    const value = values[Number(number) - 1];
    return pg.escapeLiteral(
      Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one)).join()}}` : String(value),
    );
  });

/** Whether a plan reads the whole table of a resource, or of its parts one that is not nearly empty. */
export const scans = ({ ref }: Resource, steps: Step[]): boolean =>
  steps.some(
    ({ 'Node Type': type, 'Relation Name': relation = '', 'Plan Rows': rows }) =>
      type === 'Seq Scan' &&
      (relation === ref.table || (relation.startsWith(`${ref.table}_2`) && rows > 1)),
  );

/** How many rows a step has read. */
export const rowsRead = ({
  'Actual Rows': shown = 0,
  'Rows Removed by Filter': removed = 0,
}: Step) => shown + removed;

export const sorterOf = (name: string, descending = false) => [{ name, descending }];

/** The latest first. */
export const lateFirst = sorterOf('creationDate', true);

/** Explains lists on a database with 100,000 rows of each large resource. */
export interface ListPlans {
  database: TestDatabase;
  sql: ListSql;
  /** The steps of a statement's plan. */
  planOf(statement: Pick<Statement, 'text' | 'values'>, options?: string): Promise<Step[]>;
  /** The steps of a list's plan, without those that only compute a column of a row on the page. */
  stepsOf(resource: Resource, request: Partial<ListRequest>): Promise<Step[]>;
  /** Fills the large tables. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the database, with the tables as the demonstration fills them. */
export async function startListPlans(): Promise<ListPlans> {
  const database = await createTestDatabase();
  await createRooms(database);
  const { sql, dataSource } = await connectListSql(database.connection, resources);
  // As the server plans (src/database/connection-options.ts).
  await database.query(
    `SET max_parallel_workers_per_gather = 0; SET work_mem = '16MB'; SET random_page_cost = 1.1; SET jit = off`,
  );
  // The vendor is in the keys of server parameters.
  await database.query(`SET platform.vendor = 'platform'`);
  const planOf: ListPlans['planOf'] = async (statement, options = '') => {
    const [row] = await database.query<{ 'QUERY PLAN': { Plan: Step }[] }>(
      `EXPLAIN (${options}FORMAT JSON) ${written(statement)}`,
    );
    return stepsIn(row!['QUERY PLAN'][0]!.Plan);
  };
  return {
    database,
    sql,
    planOf,
    stepsOf: (resource, request) => planOf(sql.page(planFor(resource, request))),
    fill: () => fillLarge(database),
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

async function fillLarge(database: TestDatabase): Promise<void> {
  await fillTable(
    database,
    'users',
    `INSERT INTO users (login, first_name, last_name, nick_name, title, email, phone_number, mobile_phone_number,
         user_function, external_id, organization_id, manager_id, status, locale)
       SELECT 'p' || i, 'F' || i % 997, 'L' || i, 'N' || i, 'F' || i % 997 || ' L' || i, 'p' || i || '@x.example', '+1 ' || i,
         '+2 ' || i, 'Function ' || i % 500, 'E' || i, (SELECT id FROM organizations ORDER BY id LIMIT 1 OFFSET i % 5), people.ids[1 + i % 100], 1, CASE WHEN i::text LIKE '9%' THEN 'de' ELSE 'en' END
       FROM generate_series(1, ${ROWS}) AS i, (SELECT array_agg(id ORDER BY id) AS ids FROM users) AS people`,
  );
  await database.query(`INSERT INTO sources (label) VALUES ('Engine')`);
  await fillTable(
    database,
    'tasks',
    `INSERT INTO tasks (title, application_id, assignee_id, due_date, closed_date, priority, status,
         description, source_id, external_id, outcome)
       SELECT 'Task ' || i, (SELECT min(id) FROM applications), people.ids[1 + i % 100], now() + i * interval '1 minute',
         now() + i * interval '1 minute', i % 1000, 'open',
         CASE WHEN i % 10 > 0 THEN 'Étape ' || i END, CASE WHEN i % 20 = 0 THEN (SELECT min(id) FROM sources) END, CASE WHEN i % 20 = 0 THEN 'order ' || i END,
         CASE WHEN i % 20 = 0 THEN 'approve' END
       FROM generate_series(1, ${ROWS}) AS i, (SELECT array_agg(id ORDER BY id) AS ids FROM users) AS people`,
  );
  await fillTable(
    database,
    'rooms',
    `INSERT INTO rooms (reference, label, seats, organization_id, creation_date, modification_date)
       SELECT 'R' || i, 'Room ' || i, 1 + i % 1000, (SELECT id FROM organizations ORDER BY id LIMIT 1 OFFSET i % 5),
         now() + i * interval '1 minute', now() + i * interval '1 minute'
       FROM generate_series(1, ${ROWS}) AS i`,
  );
  await fillTable(
    database,
    'documents',
    `INSERT INTO documents (title, file_name, mime_type, size, version, category, keywords, download_url, author_id)
       SELECT 'Document ' || i, 'd' || i || '.pdf', 'application/x-' || i % 10, i, i % 100 || '.0', 'Category ' || i % 50, 'Word ' || i % 100,
         '/files/' || i, people.ids[1 + i % 100]
       FROM generate_series(1, ${ROWS}) AS i, (SELECT array_agg(id ORDER BY id) AS ids FROM users) AS people`,
  );
  await fillTable(
    database,
    'audit',
    `INSERT INTO audit (date, action, reason, actor_uri, actor_login, object_uri, address, request_id, caller_request_id, count)
       SELECT now() - (${ROWS} - i) * interval '1 minute', CASE i % 3 WHEN 0 THEN 'create' ELSE 'update' END, CASE WHEN i % 50 = 0 THEN 'reason ' || i END,
         '/directory/users/' || i % 100, 'p' || i % 100, '/directory/users/' || i, '10.0.' || i % 250 || '.' || i % 99, md5(i::text),
         'call-' || i, 1 + i % 3
       FROM generate_series(1, ${ROWS}) AS i`,
  );
}

/** Fills a table, and makes its indexes afterwards. */
export async function fillTable(
  database: TestDatabase,
  table: string,
  insert: string,
): Promise<void> {
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index i
       WHERE i.indrelid = '${table}'::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await database.query(insert);
  if (table === 'audit') await database.query('SELECT add_audit_parts()');
  for (const { definition } of indexes) await database.query(definition);
  // Until no snapshot of autovacuum is in the way: plans read indexes alone only where pages are visible to everybody.
  await eventually(async () => {
    await database.query(`VACUUM ANALYZE ${table}`);
    const [row] = await database.query<{ visible: number }>(
      `SELECT sum(relallvisible) / sum(relpages)::float8 AS visible FROM pg_class
         WHERE relkind = 'r' AND '${table}'::regclass IN (oid, (SELECT inhparent FROM pg_inherits WHERE inhrelid = oid))`,
    );
    expect(row!.visible).toBeGreaterThan(0.95);
  });
}
