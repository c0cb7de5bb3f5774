const CRUD = ['read', 'create', 'change', 'delete'] as const;

/**
 * What a role permits: for each resource, what one may do with its objects. Without a permission people read and
 * write what is open to all or their own: the condition `visible` of a resource, and the hook `isOwner` of its writes.
 */
export const ACTIONS = {
  /**
   * `set-credentials`: passwords, API keys and linked identities of other people; `reset-second-step`: one of the two who
   * remove a lost one; `act-for`: tokens of other people for a service account.
   */
  users: [
    ...[...CRUD, 'invite', 'unlock', 'end-sessions', 'set-credentials'],
    ...['reset-second-step', 'act-for'],
  ],
  /** `set-credentials`: their API keys. */
  'service-accounts': [...CRUD, 'set-credentials'],
  /** The directories that keep users and groups here. */
  providers: CRUD,
  /** To keep users and groups by SCIM, for the service account of a provider; it permits nothing elsewhere. */
  scim: ['provision'],
  organizations: CRUD,
  groups: CRUD,
  roles: CRUD,
  'role-assignments': CRUD,
  categories: CRUD,
  applications: CRUD,
  views: CRUD,
  /** `set-reference`: references of the form that the server gives; `delete-files`: those of others. */
  tasks: [...CRUD, 'set-reference', 'delete-files'],
  /** Those that are shared: private ones are their owners'. */
  'task-filters': ['create', 'change', 'delete'],
  absences: CRUD,
  /** `push`: the tasks of every source; without it, those of the sources whose service account one is. */
  sources: [...CRUD, 'push'],
  /** `work`: fetch the deliveries of an endpoint with the mode pull; `work-for-others`: of another account's one. */
  endpoints: [...CRUD, 'work', 'work-for-others'],
  documents: CRUD,
  news: CRUD,
  faqs: CRUD,
  customers: CRUD,
  /** The workplace of another person, and the counts of a tile for that person. */
  workplaces: ['read'],
  /** The rule of the allowlist that matches an address. */
  'address-checks': ['read'],
  audit: ['read'],
  /** Files of many objects, for whom may create and change these; users only for administrators. */
  imports: ['create'],
  parameters: ['read', 'change'],
  /** To write without the limit of a minute, and files without that of a day. */
  limits: ['exceed'],
} as const satisfies Record<string, readonly string[]>;

type PermittedResource = keyof typeof ACTIONS;

/** A resource and an action, e.g. `users:change`. */
export type Permission = {
  [R in PermittedResource]: `${R}:${(typeof ACTIONS)[R][number]}`;
}[PermittedResource];

/** Stands for every resource, every action or both in a permission of a role: `news:*`, `*:read`, `*`. */
export const ANY = '*';

/** The permissions of the system administrator alone: no role has them. */
export const isReserved = (permission: Permission): boolean => permission.startsWith('parameters:');

const ALL = Object.entries(ACTIONS).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}:${action}` as Permission),
);

/** Those that a role can have. */
export const PERMISSIONS: readonly Permission[] = ALL.filter((one) => !isReserved(one));

/**
 * The attribute that a permission of a role lets write, if it stands for this permission; `*` for all: `news:*` stands for
 * all actions with news, `users:change:email` for one attribute. Undefined for any other text.
 */
export function attributeIn(text: string, permission: Permission): string | undefined {
  if (isReserved(permission)) return undefined;
  const [resource = ANY, action = ANY, attribute = ANY] = text.split(':');
  const [itsResource, itsAction] = permission.split(':');
  const stands = [ANY, itsResource].includes(resource) && [ANY, itsAction].includes(action);
  return stands ? attribute : undefined;
}

/** The attributes that these permissions of roles let write. */
export const attributesIn = (
  texts: readonly string[],
  permission: Permission,
): ReadonlySet<string> => new Set(texts.flatMap((text) => attributeIn(text, permission) ?? []));

/** Whether a limit leaves a permission with every attribute; null is none. */
export const isWithin = (limit: readonly string[] | null, permission: Permission): boolean =>
  limit === null || attributesIn(limit, permission).has(ANY);

/** The attributes that both of two permissions let write. */
export function commonAttributes(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): ReadonlySet<string> {
  if (one.has(ANY)) return other;
  return other.has(ANY) ? one : new Set([...one].filter((attribute) => other.has(attribute)));
}

/** Whether a text stands for at least one permission. */
export const isPermission = (text: string): boolean =>
  PERMISSIONS.some((permission) => attributeIn(text, permission) !== undefined);

/** The texts by which a role has a permission for every attribute; the inverse of `attributeIn`. */
export function textsFor(permission: Permission): string[] {
  const [resource, action] = permission.split(':');
  return [ANY, `${resource}:${ANY}`, `${ANY}:${action}`, permission];
}
