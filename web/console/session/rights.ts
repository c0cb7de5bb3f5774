import {
  ANY,
  attributesIn,
  type Permission,
  PERMISSIONS,
} from '../../../src/base/rights/permissions.js';
import type { UserRights } from '../../api-client/types.js';
import { EDITABLE, RESOURCES, resourceOf } from '../resources.js';

/** A permission with the attributes that it lets write, null for all, and the objects to which it is confined. */
export type Right = Pick<
  UserRights['permissions'][number],
  'permission' | 'attributes' | 'organization' | 'group' | 'application'
>;

/** The resources of which a confined role reaches objects (docs/api-contract.md#roles). */
const REACHED = {
  organization: ['organizations', 'users', 'absences', 'tasks'],
  group: ['users', 'absences', 'tasks'],
  application: ['applications', 'views', 'tasks', 'sources', 'endpoints'],
};

const NOTHING: ReadonlySet<string> = new Set();

/** Attributes of users that need more than a change of the user. */
const ALSO_NEEDED: Record<string, Permission[]> = {
  'users.administrator': ['role-assignments:create', 'role-assignments:delete'],
  'users.processEngine': ['role-assignments:create', 'role-assignments:delete'],
};

/** What the menu offers and the forms unlock: what somebody may do by roles. The server decides about each call. */
export class ConsoleRights {
  /** The attributes that somebody may write in every object, and in some objects; `*` for all. */
  private readonly everywhere = new Map<string, Set<string>>();
  private readonly somewhere = new Map<string, Set<string>>();

  constructor(
    rights: Right[],
    readonly isSysadmin = false,
  ) {
    for (const { permission, attributes, ...scopes } of rights) {
      const [resource = ''] = permission.split(':');
      const confined = (Object.keys(REACHED) as (keyof typeof REACHED)[]).filter(
        (scope) => scopes[scope] !== null,
      );
      if (!confined.every((scope) => REACHED[scope].includes(resource))) continue;
      const places = confined.length > 0 ? [this.somewhere] : [this.somewhere, this.everywhere];
      for (const place of places)
        place.set(
          permission,
          new Set([...(place.get(permission) ?? []), ...(attributes ?? [ANY])]),
        );
    }
  }

  /** What a role permits where nothing confines it. @param texts its permissions */
  static ofRole(texts: string[], isSysadmin = false): ConsoleRights {
    return new ConsoleRights(
      PERMISSIONS.flatMap((permission) => {
        const found = attributesIn(texts, permission);
        if (found.size === 0) return [];
        const attributes = found.has(ANY) ? null : [...found];
        return [{ permission, attributes, organization: null, group: null, application: null }];
      }),
      isSysadmin,
    );
  }

  /** Whether they permit it with every object and every attribute. */
  permits(permission: Permission): boolean {
    return this.everywhere.get(permission)?.has(ANY) === true;
  }

  /** Whether they permit it with some object, as a whole. */
  permitsSomewhere(permission: Permission): boolean {
    return this.somewhere.get(permission)?.has(ANY) === true;
  }

  /** Whether they permit an action with some object of a resource, or a part of it. */
  permitsAny(resource: string, action: string): boolean {
    return this.attributes(resource, action).size > 0;
  }

  /** Whether they let write an attribute of a new object, or of some object. */
  writes(resource: string, action: 'create' | 'change', attribute: string): boolean {
    const attributes = this.attributes(resource, action);
    return (
      (attributes.has(ANY) || attributes.has(attribute)) &&
      (ALSO_NEEDED[`${resource}.${attribute}`] ?? []).every((one) => this.permits(one))
    );
  }

  /** Whether they include the permission to give open tasks to others (docs/api-contract.md#people-who-leave). */
  get assignsTasks(): boolean {
    return ['assignee', 'group'].every((name) => this.writes('tasks', 'change', name));
  }

  /** Whether they include an action with the objects of a resource, so that the console has a page for these. */
  shows(resource: string): boolean {
    return ['read', 'create', 'change', 'delete'].some((one) => this.permitsAny(resource, one));
  }

  /** Whether they let import files of a resource; one of users names administrators too. */
  imports(resource: string): boolean {
    if (resourceOf(resource).withoutFiles) return false;
    if (resource === 'users') return this.areComplete;
    return ['imports:create', `${resource}:create`, `${resource}:change`].every((one) =>
      this.permits(one as Permission),
    );
  }

  /** Whether they are those of an administrator. */
  get areComplete(): boolean {
    return PERMISSIONS.every((permission) => this.permits(permission));
  }

  /** Whether the console has a page for them beside the overview. */
  get openConsole(): boolean {
    return Object.keys(RESOURCES).some((name) => this.shows(name)) || this.mayOpen('/view-as');
  }

  /** Whether they open a page of the console; the overview and addresses without a page are open to all. */
  mayOpen(path: string): boolean {
    const [, name = '', part] = path.split('/');
    if (name === 'reorder') return this.permitsAny('applications', 'change');
    if (name === 'view-as') return this.permits('workplaces:read');
    if (!(name in RESOURCES)) return true;
    if (part === 'create') return this.permitsAny(name, 'create');
    // A resource without files has no such page.
    if (part === 'import') return this.imports(name) || resourceOf(name).withoutFiles === true;
    return this.shows(name);
  }

  private attributes(resource: string, action: string): ReadonlySet<string> {
    return this.somewhere.get(`${resource}:${action}`) ?? NOTHING;
  }
}

/** The resources whose records they may see. */
export const shownTo = (rights: ConsoleRights) => EDITABLE.filter((name) => rights.shows(name));
