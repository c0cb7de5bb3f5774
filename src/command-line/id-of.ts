import { Database } from '../database/database.js';
import { isId } from '../resources/uri.js';
import { CommandError } from './output.js';
import type { Server } from './with-server.js';

/** What is named by a reference on the command line, by its table. */
const NOUNS = { endpoints: 'endpoint', tasks: 'task' } as const;

/**
 * The id of a row that the command line names by its reference or its id.
 * @throws CommandError when there is none
 */
export async function idOf(
  server: Server,
  table: keyof typeof NOUNS,
  name: string,
): Promise<string> {
  const key = (sql: string): string => `fold(${sql} COLLATE "C")`;
  const [row] = await server.get(Database).query<{ id: string }>({
    text: `SELECT id::text FROM ${table} WHERE ${key('reference')} = ${key('$1::text')}
      ${isId(name) ? 'OR id = $1::text::bigint' : ''} ORDER BY id LIMIT 1`,
    values: [name],
  });
  if (!row) throw new CommandError(`there is no ${NOUNS[table]} ${name}`);
  return row.id;
}
