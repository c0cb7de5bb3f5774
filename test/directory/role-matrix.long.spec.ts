import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertTokens } from '../support/tokens.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/**
 * Calls every route of the API description as every role of the server: everywhere, and confined to an organization, a
 * group and an application, with an object inside and one outside. What is expected follows from the permission that
 * the description names, from the permissions that the roles list, and from the tables below.
 */

const API = '/api/v2';
const ROLES = [
  ...['administrator', 'process-engine', 'people-administrator', 'helpdesk', 'editor'],
  ...['process-owner', 'auditor'],
];
const SCOPES = ['organization', 'group', 'application'] as const;
type Scope = (typeof SCOPES)[number];

/** The resources that a scope reaches; of all others a confined role gives nothing. */
const REACHED: Record<Scope, string[]> = {
  organization: ['organizations', 'users', 'absences', 'tasks'],
  group: ['users', 'absences', 'tasks'],
  application: ['applications', 'views', 'tasks', 'sources', 'endpoints'],
};

/** What everybody reads, as far as these objects go. */
const OPEN = [
  ...['users', 'organizations', 'groups', 'categories', 'applications', 'views', 'task-filters'],
  ...['documents', 'news', 'faqs', 'customers'],
];

/** The resources of which people write their own objects, so that a hidden one is a 404 rather than a 403. */
const CHANGED_BY_OWNERS = ['users', 'tasks', 'absences', 'task-filters'];
const DELETED_BY_OWNERS = ['absences', 'task-filters'];
const CREATED_BY_ALL = ['post /api/v2/process/absences', 'post /api/v2/process/task-filters'];

/** Calls for which a confined role does not suffice, although they name an object. */
const ONLY_EVERYWHERE = [
  / \/api\/v2\/directory\/groups\/{id}\/members/,
  / \/api\/v2\/directory\/(users|groups)\/{id}\/managed-by/,
  / \/api\/v2\/directory\/users\/{id}\/(rights|handover)/,
  / \/api\/v2\/directory\/providers\/{id}\/(connection-test|person-test|synchronizations)/,
  / \/api\/v2\/process\/endpoints\/{id}\/(fetch|complete|fail|refuse|unlock|extend)/,
  / \/engine-rest\/external-task\/{id}/,
];

/** Calls for which a confined role suffices, although they name no object. */
const SOMEWHERE = [
  'post /api/v2/authentication/token-exchange',
  'post /api/v2/directory/users/{id}/handover',
];

/** Calls of those whom a task concerns, and of those who may change it. */
const PARTS = ['post /api/v2/process/tasks/{id}/comments', 'post /api/v2/process/tasks/{id}/files'];

/** Calls with a further answer to those who may make them, and the reason of that answer. */
const REFUSED: Record<string, string> = {
  'post /api/v2/authentication/token-exchange': 'no-service-account',
};

/** One ends the caller's own session, the other takes a cookie instead of a token. */
const LEFT_OUT = ['delete /api/v2/authentication', 'post /api/v2/authentication/renewal'];

/** The bodies of calls that look at their body before the object. */
const BODIES: Record<string, object> = {
  'post /api/v2/process/tasks/{id}/comments': { text: 'Matrix' },
  'post /api/v2/authentication/token-exchange': {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'bruno.keller',
    subject_token_type: 'urn:process-platform:token-type:login',
  },
};

/** Calls about something behind the object that does not exist: a 404 says nothing. */
const isAboutMore = (path: string): boolean => /}.*{|\/photo$|\/second-step-reset/.test(path);

interface Route {
  name: string;
  method: string;
  path: string;
  permission: string | undefined;
}
interface Caller {
  name: string;
  token: string;
  permissions: string[];
  scope: Scope | undefined;
}
type Objects = Record<string, { inside: string; outside: string }>;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const objects: Objects = {};
let server: TestServer;
let admin: string;
let routes: Route[];
const callers: Caller[] = [];

async function create(resource: string, body: object): Promise<string> {
  const path = `${API}${uris[resource]}`;
  const made = await server.call(path, { method: 'POST', token: admin, body, agent });
  expect([resource, made.status, made.text]).toEqual([resource, 201, expect.anything()]);
  return made.body.id as string;
}

const uris: Record<string, string> = {
  users: '/directory/users',
  'service-accounts': '/directory/service-accounts',
  providers: '/directory/providers',
  organizations: '/directory/organizations',
  groups: '/directory/groups',
  roles: '/directory/roles',
  'role-assignments': '/directory/role-assignments',
  categories: '/navigation/categories',
  applications: '/navigation/applications',
  tasks: '/process/tasks',
  views: '/process/views',
  'task-filters': '/process/task-filters',
  absences: '/process/absences',
  sources: '/process/sources',
  endpoints: '/process/endpoints',
  documents: '/content/documents',
  news: '/content/news',
  faqs: '/content/faqs',
  customers: '/content/customers',
};

/** Makes an object of every resource that lies in the scopes, and one that lies in none. */
async function makeObjects(): Promise<Record<Scope, string>> {
  const place: Partial<Record<Scope, string>> = {};
  for (const where of ['inside', 'outside'] as const) {
    const keep = async (resource: string, body: object): Promise<string> => {
      const id = await create(resource, body);
      objects[resource] = { ...objects[resource]!, [where]: id };
      return id;
    };
    const label = `Matrix ${where}`;
    const above = await create('organizations', { label });
    const organization = await keep('organizations', { label, parent: above });
    const group = await keep('groups', { label });
    const user = await keep('users', { login: `matrix.${where}`, lastName: label, organization });
    const added = await server.call(`${API}${uris.groups}/${group}/members/${user}`, {
      method: 'PUT',
      token: admin,
    });
    expect(added.status).toBe(204);
    const application = await keep('applications', { title: label, type: 'PROCESS' });
    await keep('views', { label, application });
    await keep('tasks', { title: label, application, assignee: user, group });
    await keep('sources', { label, applications: [application] });
    await keep('endpoints', { label, mode: 'pull', applications: [application] });
    await keep('absences', {
      user,
      substitute: 'sophie.bohm',
      startDate: '3000-01-01T00:00:00Z',
      endDate: '3000-02-01T00:00:00Z',
    });
    await keep('categories', { title: label });
    await keep('roles', { label, permissions: ['news:read'] });
    await keep('role-assignments', { user: 'sophie.bohm', role: 'editor', organization });
    await keep('providers', { label, kind: 'ldap' });
    await keep('service-accounts', { login: `program.${where}`, title: label });
    await keep('task-filters', { label, filters: [], sharedWithEveryone: true });
    for (const [resource, name] of [
      ['documents', 'title'],
      ['news', 'title'],
      ['faqs', 'question'],
      ['customers', 'name'],
    ] as const)
      await keep(resource, { [name]: label });
    if (where === 'inside') Object.assign(place, { organization: above, group, application });
  }
  return place as Record<Scope, string>;
}

/** Signs in a person for each role, everywhere and in each scope. */
async function signIn(place: Record<Scope, string>): Promise<void> {
  const { body } = await server.call(`${API}/directory/roles?filters=shipped:eq:true`, {
    token: admin,
  });
  const roles = body as { id: string; reference: string; permissions: string[] }[];
  expect(roles.map(({ reference }) => reference).sort()).toEqual([...ROLES].sort());
  const people = await server.database.query<{ id: string }>(
    `SELECT id::text FROM users WHERE rights = '[]' AND status = 1 AND NOT service AND login NOT LIKE 'matrix.%'
      AND login <> 'sophie.bohm' ORDER BY id LIMIT ${roles.length * (1 + SCOPES.length)}`,
  );
  const tokens = await insertTokens(
    server.database,
    people.map(({ id }) => id),
  );
  await server.database.query('UPDATE tokens SET proof_date = now()');
  for (const role of roles)
    for (const scope of [undefined, ...SCOPES]) {
      const { id } = people.shift()!;
      await server.database.query(
        `INSERT INTO role_assignments (user_id, role_id, ${scope ?? 'organization'}_id) VALUES ($1, $2, $3)`,
        [id, role.id, scope ? place[scope] : null],
      );
      const token = tokens.shift()!;
      const { permissions, reference } = role;
      callers.push({ name: `${reference} ${scope ?? 'everywhere'}`, token, permissions, scope });
    }
}

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signInForLong('alice.martin');
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '100000')`,
  );
  await signIn(await makeObjects());
  const { body } = await server.call(`${API}/openapi.json`);
  const { paths } = body as Record<string, Record<string, Record<string, Json>>>;
  const all = Object.entries(paths!).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      method === 'parameters' || (operation.security as unknown[] | undefined)?.length === 0
        ? []
        : {
            name: `${method} ${path}`,
            method,
            path,
            permission: operation['x-permission'] as string,
          },
    ),
  );
  // SCIM serves the service accounts of providers alone, with errors of its own form.
  routes = all.filter(({ name, path }) => !LEFT_OUT.includes(name) && !path.startsWith('/scim/'));
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

type Json = Record<string, unknown>;

/** Whether permissions of a role stand for one, with every attribute. */
const stands = (text: string, permission: string, isComplete: boolean): boolean => {
  if (permission.startsWith('parameters:')) return false;
  const [resource, action, attribute] = text.split(':');
  const [itsResource, itsAction] = permission.split(':');
  return (
    (resource === '*' || resource === itsResource) &&
    (action === undefined || action === '*' || action === itsAction) &&
    (attribute === undefined || !isComplete)
  );
};

const grants = ({ permissions }: Caller, permission: string, isComplete: boolean): boolean =>
  permissions.some((text) => stands(text, permission, isComplete));

const TILE = `${API}/process/tiles/{id}`;

const resourceOf = (path: string): string | undefined =>
  path === TILE
    ? 'applications'
    : Object.keys(uris).find((name) => path.startsWith(`${API}${uris[name]}/{id}`));

/** What a caller gets: `passes`, `hidden` (404), or the reason of a 403 with its permission. */
function expected({ name, method, path, permission }: Route, caller: Caller, isInside: boolean) {
  const resource = resourceOf(path);
  const lacking = `missing-permission ${permission}`;
  const isWithin = (where: string): boolean =>
    caller.scope !== undefined && isInside && REACHED[caller.scope].includes(where);
  const mayIn = (wanted: string, where: string, isComplete: boolean): boolean =>
    grants(caller, wanted, isComplete) && (caller.scope === undefined || isWithin(where));
  const passes = REFUSED[name] ?? 'passes';
  if (!resource || ONLY_EVERYWHERE.some((one) => one.test(name))) {
    if (permission === undefined || CREATED_BY_ALL.includes(name)) return passes;
    // Whoever may create somewhere learns from the body whether the place is right.
    const isCreation = method === 'post' && Object.values(uris).includes(path.slice(API.length));
    const isAnywhere = isCreation || SOMEWHERE.includes(name);
    const isPermitted = grants(caller, permission, !isAnywhere);
    return isPermitted && (isAnywhere || caller.scope === undefined) ? passes : lacking;
  }
  const sees = OPEN.includes(resource) || mayIn(`${resource}:read`, resource, true);
  if (path.includes('/second-steps/')) return 'own-second-step';
  if (PARTS.includes(name) && sees)
    return mayIn('tasks:change', resource, false) ? passes : 'missing-permission tasks:change';
  if (permission === undefined) return sees ? passes : 'hidden';
  const isObject = path.endsWith('{id}') && path !== TILE;
  const isComplete = !(isObject && method !== 'delete');
  const isOwners = isObject
    ? (method === 'delete' ? DELETED_BY_OWNERS : CHANGED_BY_OWNERS).includes(resource)
    : !path.endsWith('/lock') && !['applications', 'endpoints'].includes(resource);
  if (!isOwners && !grants(caller, permission, isComplete)) return lacking;
  if (!sees) return 'hidden';
  return mayIn(permission, resource, isComplete) ? passes : lacking;
}

/** An id of no object. */
const MISSING = '999999';

/** Sends a call that changes nothing where it can: without a body, and for an ETag that no object has. */
async function outcome(
  { name, method, path }: Route,
  caller: Caller,
  id: string | undefined,
): Promise<string> {
  const isStream = path === '/navigation/workplace/events';
  const address = path
    .replace('{id}', id ?? MISSING)
    .replace('{key}', 'com.platform.security.Token.lifetime')
    .replace('{kind}', 'groups')
    .replace(/{\w+}/g, MISSING)
    .replace(/files$/, method === 'post' ? 'files?name=a.txt' : 'files');
  const answer = await server.call(address, {
    method: isStream ? 'HEAD' : method.toUpperCase(),
    token: caller.token,
    body: BODIES[name],
    headers: { ...(path.endsWith('{id}') && method !== 'get' && { 'If-Match': '"0"' }) },
    agent,
  });
  const { status } = answer;
  const { reason, parameters } = (answer.body ?? {}) as { reason?: string; parameters?: Json };
  if (status === 403) return [reason, parameters?.permission].flat().join(' ').trim();
  if (status === 401 || status >= 500) return `${status} ${answer.text}`;
  return status === 404 && id !== undefined ? 'hidden' : 'passes';
}

it('has an object of every resource', () => {
  const served = routes
    .filter(({ path, method }) => method === 'patch' && path.endsWith('/{id}'))
    .map(({ path }) => path.slice(API.length, -'/{id}'.length));
  expect(Object.values(uris).sort()).toEqual(served.sort());
  expect(routes.length).toBeGreaterThan(150);
});

describe('every route, everywhere, and inside and outside of each scope', () => {
  it.each(ROLES)('answers as the permissions of %s say', async (role) => {
    const wrong: string[] = [];
    const call = async (route: Route, caller: Caller, isInside: boolean): Promise<void> => {
      const resource = resourceOf(route.path);
      const id = resource && objects[resource]![isInside ? 'inside' : 'outside'];
      const found = await outcome(route, caller, id);
      const wanted = expected(route, caller, isInside);
      const saysNothing = found === 'hidden' && wanted === 'passes' && isAboutMore(route.path);
      if (found !== wanted && !saysNothing)
        wrong.push(`${route.name} as ${caller.name}, ${isInside}: ${found}, not ${wanted}`);
    };
    const work = callers
      .filter(({ name }) => name.startsWith(`${role} `))
      .map(async (caller) => {
        for (const route of routes) {
          const resource = resourceOf(route.path);
          // What is open to everybody does not depend on a scope.
          if (!resource && route.permission === undefined && caller.scope) continue;
          await call(route, caller, false);
          if (resource && caller.scope && REACHED[caller.scope].includes(resource))
            await call(route, caller, true);
        }
      });
    expect(work).toHaveLength(1 + SCOPES.length);
    await Promise.all(work);
    expect(wrong).toEqual([]);
  });
});
