import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The locks of tables that make other calls wait, weakest first (PostgreSQL manual, 13.3.1). */
const MODES = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;
type Mode = (typeof MODES)[number];

/**
 * Bytes of a table that PostgreSQL reads per second to build an index, and rows that it rewrites per second. Measured
 * on two shared processors with 200,000 tasks; a dedicated machine is faster.
 */
const INDEXED_PER_SECOND = 60_000_000;
const WRITTEN_PER_SECOND = 5_000;

/** The locks and the time of a pending migration on the existing tables. */
export interface MigrationCost {
  /** The strongest lock of each table, e.g. `tasks: SHARE UPDATE EXCLUSIVE`. */
  locks: string[];
  /** The estimated time; 0 for one that grows with no table. */
  seconds: number;
}

export const NO_COST: MigrationCost = { locks: [], seconds: 0 };

/** The effect of a statement on a table, or on the table of an index. */
interface Rule {
  /** The group is the name. */
  pattern: RegExp;
  mode: Mode;
  of?: 'index';
  work?: 'builds' | 'writes';
}

const RULES: Rule[] = [
  {
    pattern: /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?\w+ ON (\w+)/,
    mode: 'SHARE UPDATE EXCLUSIVE',
    work: 'builds',
  },
  {
    pattern: /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)\w+ ON (\w+)/,
    mode: 'SHARE',
    work: 'builds',
  },
  {
    pattern: /DROP INDEX CONCURRENTLY (?:IF EXISTS )?(\w+)/,
    mode: 'SHARE UPDATE EXCLUSIVE',
    of: 'index',
  },
  { pattern: /DROP INDEX (?!CONCURRENTLY)(\w+)/, mode: 'ACCESS EXCLUSIVE', of: 'index' },
  {
    pattern: /(?:ANALYZE|COMMENT ON TABLE|COMMENT ON COLUMN|CREATE STATISTICS [^;]* FROM) (\w+)/,
    mode: 'SHARE UPDATE EXCLUSIVE',
  },
  { pattern: /ALTER TABLE (\w+) SET \(/, mode: 'SHARE UPDATE EXCLUSIVE' },
  { pattern: /ALTER TABLE (\w+) (?:DIS|EN)ABLE TRIGGER/, mode: 'SHARE ROW EXCLUSIVE' },
  { pattern: /ALTER TABLE (\w+) (?!SET \(|DISABLE|ENABLE)/, mode: 'ACCESS EXCLUSIVE' },
  { pattern: /CREATE (?:OR REPLACE )?TRIGGER .*? ON (\w+)/, mode: 'SHARE ROW EXCLUSIVE' },
  { pattern: /execute_on_changes\('(\w+)'/, mode: 'SHARE ROW EXCLUSIVE' },
  { pattern: /DROP TRIGGER \w+ ON (\w+)/, mode: 'ACCESS EXCLUSIVE' },
  { pattern: /\bREFERENCES (\w+)/, mode: 'SHARE ROW EXCLUSIVE' },
  {
    pattern: /(?:UPDATE|DELETE FROM) (\w+)(?: \w+)? (?:SET|WHERE)/,
    mode: 'ROW EXCLUSIVE',
    work: 'writes',
  },
  { pattern: /INSERT INTO (\w+)/, mode: 'ROW EXCLUSIVE' },
];

interface Table {
  bytes: number;
  rows: number;
}

/**
 * Predicts the cost of a migration from its statements, without running any that changes data. Tables that do not exist
 * yet block no call.
 */
export async function costOf(
  runner: QueryRunner,
  Migration: new () => MigrationInterface,
): Promise<MigrationCost> {
  const migration = new Migration();
  const statements: string[] = [];
  await migration.up(recorder(runner, migration.transaction ?? true, statements));
  return costOfStatements(runner, statements);
}

/** The same for given statements, e.g. of a function with its triggers. */
export async function costOfStatements(
  runner: QueryRunner,
  statements: string[],
): Promise<MigrationCost> {
  const modes = new Map<string, number>();
  let seconds = 0;
  for (const statement of new Set(statements.map(withoutBodies)))
    for (const { pattern, mode, of, work } of RULES)
      for (const [, name] of statement.matchAll(new RegExp(pattern, 'g'))) {
        const table = of === 'index' ? await tableOf(runner, name!) : name!;
        const size = table === undefined ? undefined : await sizeOf(runner, table);
        if (table === undefined || !size) continue;
        modes.set(table, Math.max(modes.get(table) ?? 0, MODES.indexOf(mode)));
        if (work === 'builds') seconds += size.bytes / INDEXED_PER_SECOND;
        if (work === 'writes') seconds += size.rows / WRITTEN_PER_SECOND;
      }
  return {
    locks: [...modes].sort().map(([table, mode]) => `${table}: ${MODES[mode]}`),
    seconds: Math.ceil(seconds),
  };
}

/** A connection that executes only reads of the catalogue, so that nothing changes. */
function recorder(runner: QueryRunner, transaction: boolean, statements: string[]): QueryRunner {
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    if (/^\s*SELECT\b/.test(text))
      return /current_schema|pg_index/.test(text) ? runner.query(text, values) : [];
    statements.push(text);
    return [];
  };
  return { query, isTransactionActive: transaction } as unknown as QueryRunner;
}

/** The body of a function runs later; that of DO runs now. */
const withoutBodies = (text: string): string =>
  (/^\s*DO\b/.test(text) ? text : text.replace(/\$\$.*?\$\$/gs, '')).replace(/\s+/g, ' ');

async function tableOf(runner: QueryRunner, index: string): Promise<string | undefined> {
  const [row] = (await runner.query(
    'SELECT indrelid::regclass::text AS name FROM pg_index WHERE indexrelid = to_regclass($1)',
    [index],
  )) as { name: string }[];
  return row?.name;
}

async function sizeOf(runner: QueryRunner, table: string): Promise<Table | undefined> {
  const [size] = (await runner.query(
    `SELECT pg_table_size(oid) AS bytes, greatest(reltuples, 0) AS rows
      FROM pg_class WHERE oid = to_regclass($1) AND relkind IN ('r', 'p')`,
    [table],
  )) as { bytes: string; rows: number }[];
  return size && { bytes: Number(size.bytes), rows: size.rows };
}
