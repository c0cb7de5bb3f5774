import type { Permission } from './permissions.js';

/** Those of the system administrator alone. */
const isReserved = (permission: Permission): boolean => permission.startsWith('parameters:');

const OF_PROCESS_ENGINE: ReadonlySet<Permission> = new Set<Permission>([
  'tasks:read',
  'tasks:create',
  'tasks:change',
  'tasks:delete',
  'endpoints:work',
  'limits:exceed',
]);

/** What each role that a user can have permits. */
const ROLES = {
  administrator: (permission) => !isReserved(permission),
  processEngine: (permission) => OF_PROCESS_ENGINE.has(permission),
  sysadmin: isReserved,
} satisfies Record<string, (permission: Permission) => boolean>;

type RoleName = keyof typeof ROLES;

/** Which roles a user has. */
export type Roles = Partial<Record<RoleName, boolean | null>>;

/**
 * What a person may do beyond what everybody may. The only place that derives a decision from a role: guards, writers,
 * lists, searches, the feed and the pages ask for a permission. Equal rights are one object.
 */
export class Rights {
  private static readonly known = new Map<string, Rights>();

  private constructor(
    /** Equal for equal rights; names the roles. */
    readonly key: string,
    private readonly roles: readonly RoleName[],
  ) {}

  static of(roles: Roles): Rights {
    const held = (Object.keys(ROLES) as RoleName[]).filter((role) => roles[role]);
    const key = held.join('+');
    let rights = this.known.get(key);
    if (!rights) this.known.set(key, (rights = new Rights(key, held)));
    return rights;
  }

  /** All rights that a person can have: the system administrator is an administrator. */
  static readonly all = [
    {},
    { administrator: true },
    { administrator: true, sysadmin: true },
  ].flatMap((roles) =>
    [false, true].map((processEngine) => Rights.of({ ...roles, processEngine })),
  );

  permits(permission: Permission): boolean {
    return this.roles.some((role) => ROLES[role](permission));
  }

  /** Whether they are those of an administrator, as the session of a caller says; it decides nothing. */
  get areOfAdministrator(): boolean {
    return this.roles.includes('administrator');
  }
}
