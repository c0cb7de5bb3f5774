const CRUD = ['read', 'create', 'change', 'delete'] as const;

/**
 * What a role permits: for each resource, what one may do with every object of it. Without a permission people read and
 * write what is open to all or their own: the condition `visible` of a resource, and the hook `isOwner` of its writes.
 */
export const ACTIONS = {
  /** `set-credentials`: passwords, API keys and linked identities of other people. */
  users: [...CRUD, 'invite', 'unlock', 'end-sessions', 'set-credentials'],
  organizations: CRUD,
  groups: CRUD,
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
  /** Files of many objects, which the writer of each resource then checks. */
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
