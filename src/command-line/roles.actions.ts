import { SCOPES, type Scope } from '../base/rights/rights.js';
import { Database } from '../database/database.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { roleAssignments, roles } from '../roles/role.resource.js';
import { rightsOf } from '../roles/user-rights.js';
import { assignmentHooks } from '../roles/role.rules.js';
import { users } from '../directory/user.resource.js';
import { applications } from '../process/applications/application.resource.js';
import type { Resource } from '../resources/resource.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { ADMINISTRATOR } from './administrator.js';
import { idOf } from './id-of.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { PROCESS_MODULES } from './process-modules.js';
import { type Server, withServer } from './with-server.js';

type Place = PrintOptions & Partial<Record<Scope, string>>;

const SCOPED: Record<Scope, Resource> = {
  organization: organizations,
  group: groups,
  application: applications,
};

/** What a person may do, and which roles give it. */
export const rights = (login: string, options: PrintOptions): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const id = await idOf(server.get(Database), users, login);
    const given = await rightsOf(server.get(ResourceReader), ADMINISTRATOR, id);
    const rows = given.map(({ permission, attributes, role, ...place }) => ({
      permission,
      attributes,
      role: role.reference,
      ...Object.fromEntries(SCOPES.map((scope) => [scope, place[scope]?.reference ?? null])),
    }));
    print(rows, options);
  });

export const assign = (login: string, role: string, place: Place): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const body = { user: login, role, ...scopesOf(place) };
    await server.get(ResourceWriter).create(changeOf(server), assignmentHooks, body);
    print([{ login, role }], place, `${login} has the role ${role}`);
  });

export const remove = (login: string, role: string, place: Place): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const id = await find(server, login, role, place);
    await server.get(ResourceWriter).delete({ ...changeOf(server), id }, assignmentHooks);
    print([{ login, role }], place, `${login} has the role ${role} no more`);
  });

const changeOf = ({ auditContext }: Server) => ({
  resource: roleAssignments,
  caller: ADMINISTRATOR,
  auditContext,
});

const scopesOf = (place: Place): Partial<Record<Scope, string>> =>
  Object.fromEntries(SCOPES.flatMap((scope) => (place[scope] ? [[scope, place[scope]]] : [])));

/** @throws CommandError when the person does not have the role there */
async function find(server: Server, login: string, role: string, place: Place): Promise<string> {
  const database = server.get(Database);
  const scopes = await Promise.all(
    SCOPES.map(async (scope) =>
      place[scope] === undefined ? null : idOf(database, SCOPED[scope], place[scope]),
    ),
  );
  const [row] = await database.query<{ id: string }>({
    text: `SELECT id::text FROM role_assignments WHERE user_id = $1 AND role_id = $2
      AND (organization_id, group_id, application_id) IS NOT DISTINCT FROM ($3::bigint, $4::bigint, $5::bigint)`,
    values: [await idOf(database, users, login), await idOf(database, roles, role), ...scopes],
  });
  if (!row) throw new CommandError(`${login} does not have the role ${role} there`);
  return row.id;
}
