import type { TestServer } from './test-server.js';

/**
 * The id of an object of the demonstration portal, so that tests name objects as people do.
 *
 * @param resource also the name of its table, e.g. `users`
 * @param name the login of a user, the reference of anything else
 * @throws Error when there is no such object
 */
export async function idOf(
  { database }: Pick<TestServer, 'database'>,
  resource: string,
  name: string,
): Promise<string> {
  const column = resource === 'users' ? 'login' : 'reference';
  const [row] = await database.query<{ id: string }>(
    `SELECT id::text FROM ${resource} WHERE ${column} = $1`,
    [name],
  );
  if (!row) throw new Error(`There is no ${name} among the ${resource}`);
  return row.id;
}

/** The first segment of the URIs of each resource. */
export const FOLDERS = {
  users: 'directory',
  organizations: 'directory',
  groups: 'directory',
  categories: 'navigation',
  applications: 'navigation',
  sources: 'process',
  tasks: 'process',
  views: 'process',
  documents: 'content',
  news: 'content',
  faqs: 'content',
  customers: 'content',
} as const;

/**
 * The URI of an object of the demonstration portal, e.g. `/navigation/applications/1`.
 *
 * @param name the login of a user, the reference of anything else
 * @throws Error when there is no such object
 */
export const uriOf = async (
  server: Pick<TestServer, 'database'>,
  resource: keyof typeof FOLDERS,
  name: string,
): Promise<string> => `/${FOLDERS[resource]}/${resource}/${await idOf(server, resource, name)}`;
