import type { Reader } from '../database/database.js';
import { isNamed } from '../resources/names.js';
import type { Resource } from '../resources/resource.js';
import { isId } from '../resources/uri.js';
import { CommandError } from './output.js';

/**
 * The id of an object that the command line names like paths do, by its id or its reference.
 * @throws CommandError for an unknown object
 */
export async function idOf(reader: Reader, resource: Resource, name: string): Promise<string> {
  const isWanted = isId(name) ? 't.id = $1::text::bigint' : isNamed(resource, 't', '$1::text');
  const [row] = await reader.query<{ id: string }>({
    text: `SELECT t.id::text FROM ${resource.ref.table} t WHERE ${isWanted}`,
    values: [name],
  });
  if (!row) throw new CommandError(`there is no ${resource.noun} ${name}`);
  return row.id;
}
