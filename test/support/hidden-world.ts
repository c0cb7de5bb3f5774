import type { TestServer } from './test-server.js';
import { Random } from './random.js';

/** A portal with many hidden objects, and an in-memory oracle of who sees what. */

export interface Ref {
  id: string;
  uri: string;
  reference: string;
  label: string;
}
export type Item = Record<string, unknown> & { id: string };

/** The compared lists and the target of each link; null stands for principals of any kind. */
export const LINKS: Record<string, Record<string, string | null>> = {
  tasks: { application: 'applications', assignee: 'users', group: 'groups' },
  applications: { categories: 'categories', view: 'views', audience: null },
  categories: {},
  views: { application: 'applications' },
  documents: { author: 'users', audience: null },
  news: { author: 'users', audience: null },
  faqs: { author: 'users', audience: null },
  customers: { author: 'users', audience: null },
};

export const PATHS: Record<string, string> = {
  tasks: '/api/v2/process/tasks',
  views: '/api/v2/process/views',
  applications: '/api/v2/navigation/applications',
  categories: '/api/v2/navigation/categories',
  documents: '/api/v2/content/documents',
  news: '/api/v2/content/news',
  faqs: '/api/v2/content/faqs',
  customers: '/api/v2/content/customers',
  users: '/api/v2/directory/users',
  groups: '/api/v2/directory/groups',
};

/** Permissions of a role, as texts, and the URI of the object to which it is confined. */
export interface Grant {
  permissions: string[];
  scope?: string;
}

/** A caller, and what the oracle knows about them. */
export interface Person {
  login: string;
  token: string;
  uri: string;
  groups: string[];
  /** The URIs by which an audience can include the person. */
  principals: Set<string>;
  administrator: boolean;
  processEngine: boolean;
  /** The roles besides these two. */
  grants: Grant[];
}

/** All objects as an administrator sees them, by resource and id. */
export type World = Record<string, Map<string, Item>>;

const COUNTS = { categories: 12, applications: 45, views: 60, tasks: 220, content: 40 };
const WORDS = ['Falcon', 'Été', 'straße', 'Budget 50%', 'a_b', 'Layoffs', 'x:y', 'été'];

/** Fills the tables with random objects from a seed. */
export async function fillPortal({ database }: TestServer, seed: number): Promise<void> {
  const random = new Random(seed);
  const idsOf = async (text: string): Promise<string[]> =>
    (await database.query<{ id: string }>(text)).map(({ id }) => id);
  const insert = async (table: string, columns: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(columns);
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')}) RETURNING id`,
      Object.values(columns),
    );
    return row!.id;
  };
  const many = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    while (made.length < count) made.push(await make());
    return made;
  };
  const sometimes = <T>(value: () => T): T | null => (random.below(3) > 0 ? value() : null);
  const word = () => random.pick(WORDS);
  const title = () => `${word()} ${random.below(30)}`;
  const people = await idsOf(`SELECT id FROM users WHERE id BETWEEN 23 AND 32 ORDER BY id`);
  const groups = await idsOf('SELECT id FROM groups ORDER BY id');
  const organizations = await idsOf('SELECT id FROM organizations ORDER BY id');
  /** Half of all objects are for everybody. */
  const addAudience = async (singular: string, id: string): Promise<void> => {
    const kinds = { user_id: people, group_id: groups, organization_id: organizations };
    for (let n = random.below(2) * (1 + random.below(3)); n > 0; n--) {
      const [column, ids] = random.pick(Object.entries(kinds));
      await database.query(
        `INSERT INTO ${singular}_audiences (${singular}_id, ${column}) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [id, random.pick(ids)],
      );
    }
  };

  const categories = await many(COUNTS.categories, () =>
    insert('categories', {
      title: title(),
      position: random.below(4),
      active: random.below(2) > 0,
    }),
  );
  const applications = await many(COUNTS.applications, async () => {
    const id = await insert('applications', {
      title: title(),
      type: random.pick(['PROCESS', 'LINK']),
      link: sometimes(() => `https://x.example/${word()}`),
      keywords: sometimes(word),
      tile_color: sometimes(() => random.pick(['red', 'blue'])),
      position: random.below(5),
      active: random.below(4) > 0,
    });
    for (const category of random.sample(categories, random.below(4)))
      await database.query(
        'INSERT INTO application_categories (application_id, category_id) VALUES ($1, $2)',
        [id, category],
      );
    await addAudience('application', id);
    return id;
  });
  // The oracle does not evaluate the filters of views.
  await database.query(`UPDATE views SET filters = '{}', sorter = NULL`);
  const views = await many(COUNTS.views, () =>
    insert('views', { label: title(), application_id: random.pick(applications) }),
  );
  // Includes views of other applications, which the API rejects: the rule is the same for every link.
  for (const id of applications)
    await database.query('UPDATE applications SET view_id = $2 WHERE id = $1', [
      id,
      sometimes(() => random.pick(views)),
    ]);
  await many(COUNTS.tasks, () =>
    insert('tasks', {
      title: title(),
      description: random.pick([null, '', word()]),
      application_id: random.pick(applications),
      assignee_id: sometimes(() => random.pick(people)),
      group_id: random.below(3) === 0 ? random.pick(groups) : null,
      status: random.pick(['open', 'done', 'cancelled']),
      priority: random.below(4),
      due_date: sometimes(() => `2026-11-0${1 + random.below(9)}T00:00:00Z`),
    }),
  );
  const labels = { document: 'title', news: 'title', faq: 'question', customer: 'name' };
  for (const [singular, label] of Object.entries(labels))
    await many(COUNTS.content, async () => {
      const id = await insert(singular === 'news' ? 'news' : `${singular}s`, {
        [label]: title(),
        description: sometimes(word),
        author_id: sometimes(() => random.pick(people)),
        status: random.pick([0, 1, 1, 1, 2]),
      });
      await addAudience(singular, id);
    });
}

/** Reads everything as an administrator. */
export async function readWorld(server: TestServer, administrator: string): Promise<World> {
  const world: World = {};
  for (const [name, path] of Object.entries(PATHS)) {
    const items = new Map<string, Item>();
    for (let start = 0; start === items.size; start += 500) {
      const { body } = await server.call(`${path}?range=${start}-500`, { token: administrator });
      for (const item of body as Item[]) items.set(item.id, item);
    }
    world[name] = items;
  }
  const paths = await server.database.query<{ id: string; path: string[] }>(
    'SELECT u.id::text, o.path::text[] AS path FROM users u JOIN organizations o ON o.id = u.organization_id',
  );
  for (const { id, path } of paths)
    world.users!.get(id)!.organizations = path.map((one) => `/directory/organizations/${one}`);
  return world;
}

/** What the random roles of the oracle permit. */
const PERMISSIONS = [
  ...['tasks:read', 'tasks:*', 'tasks:change', 'views:read', 'views:*', 'applications:read'],
  ...['categories:read', 'documents:read', 'news:*', 'news:change', 'faqs:read', 'customers:read'],
  ...['*:change', '*:read'],
];

/** Objects to which roles can be confined, and the path of their URIs. */
const SCOPES = {
  organization: '/directory/organizations',
  group: '/directory/groups',
  application: '/navigation/applications',
};

/** Gives each person one or two random roles, mostly confined ones. */
export async function giveRoles(
  { database }: TestServer,
  seed: number,
  logins: string[],
): Promise<Map<string, Grant[]>> {
  const random = new Random(seed);
  const given = new Map<string, Grant[]>();
  for (const login of logins) {
    const grants: Grant[] = [];
    for (let n = 1 + random.below(2); n > 0; n--) {
      const permissions = random.sample(PERMISSIONS, 1 + random.below(4));
      const scope = random.pick([undefined, ...Object.keys(SCOPES)]) as
        keyof typeof SCOPES | undefined;
      const rows = await database.query<{ id: string }>(
        `SELECT id::text FROM ${scope ?? 'group'}s ORDER BY id`,
      );
      const id = scope && random.pick(rows).id;
      await database.query(
        `WITH role AS (INSERT INTO roles (label, permissions) VALUES ('Random', $1) RETURNING id)
         INSERT INTO role_assignments (user_id, role_id, ${scope ?? 'group'}_id)
         SELECT u.id, role.id, $2 FROM users u, role WHERE u.login = $3`,
        [permissions, id, login],
      );
      grants.push({ permissions, ...(scope && { scope: `${SCOPES[scope]}/${id}` }) });
    }
    given.set(login, grants);
  }
  return given;
}

export async function readPerson(
  server: TestServer,
  login: string,
  grants: Grant[] = [],
): Promise<Person> {
  const token = await server.signIn(login);
  const { body } = await server.call('/api/v2/directory/users/me', { token });
  const me = body as {
    uri: string;
    groups: Ref[];
    organizationPath: Ref[];
    administrator: boolean;
    processEngine: boolean;
  };
  const groups = me.groups.map(({ uri }) => uri);
  const principals = new Set([me.uri, ...groups, ...me.organizationPath.map(({ uri }) => uri)]);
  const { uri, administrator, processEngine } = me;
  return { login, token, uri, groups, principals, administrator, processEngine, grants };
}

const uriIn = (ref: unknown): string | undefined => (ref as Ref | null)?.uri;

const isMeantFor = ({ audience }: Item, { principals }: Person): boolean => {
  const refs = audience as Ref[];
  return refs.length === 0 || refs.some(({ uri }) => principals.has(uri));
};

/** Whether a task waits for the person or one of their groups. */
export const isOwnTask = ({ assignee, group }: Item, { uri, groups }: Person): boolean =>
  uriIn(assignee) === uri || groups.includes(uriIn(group) ?? '');

const reads = ({ permissions }: Grant, resource: string): boolean =>
  permissions.some((text) => {
    const [itsResource = '', action = '*'] = text.split(':');
    return ['*', resource].includes(itsResource) && ['*', 'read'].includes(action);
  });

/** Whether a role lets its holder read all objects of a resource. */
export const readsAll = ({ grants }: Person, resource: string): boolean =>
  grants.some((grant) => grant.scope === undefined && reads(grant, resource));

/** The objects in whose scope an object lies. */
function placesOf(resource: string, item: Item, world: World): (string | undefined)[] {
  switch (resource) {
    case 'applications':
      return [item.uri as string];
    case 'views':
      return [uriIn(item.application)];
    case 'tasks': {
      const assignee = world.users!.get((item.assignee as Ref | null)?.id ?? '');
      const above = (assignee?.organizations ?? []) as string[];
      return [uriIn(item.application), uriIn(item.group), ...above];
    }
    default:
      return [];
  }
}

/** Whether a role, everywhere or within its scope, lets a person read an object. */
const isGranted = (person: Person, resource: string, item: Item, world: World): boolean =>
  readsAll(person, resource) ||
  person.grants.some(
    (grant) =>
      reads(grant, resource) && placesOf(resource, item, world).some((uri) => uri === grant.scope),
  );

/** Whether a person may see an object. */
export const sees = (person: Person, resource: string, item: Item, world: World): boolean =>
  person.administrator ||
  isGranted(person, resource, item, world) ||
  seesWithoutRole(person, resource, item, world);

/** Whether a person sees an object that is for everybody or their own. */
export function seesWithoutRole(
  person: Person,
  resource: string,
  item: Item,
  world: World,
): boolean {
  switch (resource) {
    case 'users':
    case 'groups':
      return true;
    case 'categories':
      return item.active === true;
    case 'applications':
      return item.active === true && isMeantFor(item, person);
    case 'views': {
      const application = world.applications!.get((item.application as Ref).id)!;
      return seesWithoutRole(person, 'applications', application, world);
    }
    case 'tasks':
      return person.processEngine || isOwnTask(item, person);
    default: {
      const now = new Date().toISOString();
      const isOut =
        ((item.publicationDate as string | null) ?? '') <= now &&
        ((item.endDate as string | null) ?? '9') > now;
      return item.status === 1 && isOut && isMeantFor(item, person);
    }
  }
}

/** Whether a person sees a link to an object; a process engine sees the links of every task. */
export const isShown = (
  person: Person,
  link: { from: string; target: string },
  id: string,
  world: World,
): boolean =>
  (link.from === 'tasks' && (person.processEngine || readsAll(person, 'tasks'))) ||
  sees(person, link.target, world[link.target]!.get(id)!, world);

/** An item as a person sees it: hidden objects do not exist. */
export function shownTo(person: Person, resource: string, item: Item, world: World): Item {
  const shown = { ...item };
  for (const [name, target] of Object.entries(LINKS[resource]!)) {
    if (target === null) continue;
    const isOne = ({ id }: Ref) => isShown(person, { from: resource, target }, id, world);
    const value = item[name] as Ref | Ref[] | null;
    if (Array.isArray(value)) shown[name] = value.filter(isOne);
    else shown[name] = value !== null && isOne(value) ? value : null;
  }
  return shown;
}
