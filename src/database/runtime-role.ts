import type { DataSource } from 'typeorm';

/** Tables that a server reads alone: the functions of the database write the journal, migrations their histories. */
const READ_ONLY = ['changes', 'change_parts', 'migrations', 'applied_functions'];

/** Tables that a server appends to: a function of the database drops what is old. */
const APPEND_ONLY = ['audit'];

/**
 * Grants a role what a server needs, and revokes everything else. The role owns nothing, so an attacker who takes a server
 * over can neither disable the triggers of the audit trail nor empty the journal.
 */
export async function grantRuntime(dataSource: DataSource, role: string): Promise<void> {
  const [names] = await dataSource.query<[{ role: string; schema: string }]>(
    'SELECT quote_ident($1) AS role, quote_ident(current_schema()) AS schema',
    [role],
  );
  // Parts of a table are reached through it.
  const relations = await dataSource.query<{ name: string; isView: boolean }[]>(
    `SELECT relname AS name, relkind = 'v' AS "isView" FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p', 'v') AND NOT relispartition`,
  );
  const grants = relations.map(
    ({ name, isView }) =>
      `REVOKE ALL ON ${name} FROM ${names.role}; GRANT ${isView ? 'SELECT' : rightsOn(name)} ON ${name} TO ${names.role}`,
  );
  await dataSource.query(
    [
      `GRANT USAGE ON SCHEMA ${names.schema} TO ${names.role}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${names.schema} TO ${names.role}`,
      `GRANT EXECUTE ON FUNCTION erase_person(bigint) TO ${names.role}`,
      ...grants,
    ].join(';'),
  );
}

function rightsOn(table: string): string {
  if (READ_ONLY.includes(table)) return 'SELECT';
  return APPEND_ONLY.includes(table) ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
}
