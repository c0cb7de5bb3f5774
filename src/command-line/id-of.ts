import { Database } from '../database/database.js';
import { isId } from '../resources/uri.js';
import { CommandError } from './output.js';
import type { Server } from './with-server.js';

/** By what a row is named on the command line, and what it is called. */
const NAMED = {
  applications: { column: 'reference', noun: 'application' },
  endpoints: { column: 'reference', noun: 'endpoint' },
  sources: { column: 'reference', noun: 'source' },
  tasks: { column: 'reference', noun: 'task' },
  users: { column: 'login', noun: 'user' },
} as const;

/**
 * The id of a row that the command line names by its reference or login, or by the id itself.
 * @throws CommandError when there is none
 */
export async function idOf(
  server: Server,
  table: keyof typeof NAMED,
  name: string,
): Promise<string> {
  const { column, noun } = NAMED[table];
  const key = (sql: string): string =>
    column === 'login' ? `login_key(${sql})` : `fold(${sql} COLLATE "C")`;
  const [row] = await server.get(Database).query<{ id: string }>({
    text: `SELECT id::text FROM ${table} WHERE ${key(column)} = ${key('$1::text')}
      ${isId(name) ? 'OR id = $1::text::bigint' : ''} ORDER BY id LIMIT 1`,
    values: [name],
  });
  if (!row) throw new CommandError(`there is no ${noun} ${name}`);
  return row.id;
}
