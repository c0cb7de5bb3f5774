import { LRUCache } from 'lru-cache';
import {
  ANY,
  attributesIn,
  commonAttributes,
  isReserved,
  type Permission,
  PERMISSIONS,
} from './permissions.js';

/** What a role can be confined to: an organization with all below it, a group, or an application. */
export const SCOPES = ['organization', 'group', 'application'] as const;
export type Scope = (typeof SCOPES)[number];

/** The permissions of a role that a user has, and the id of the object to which they are confined. */
export interface Grant extends Partial<Record<Scope, string>> {
  permissions: readonly string[];
}

/** The rights of people with unusual combinations of roles are made again when they are too many. */
const MAX_KNOWN = 10_000;

/**
 * What a person may do beyond what everybody may: the roles of the person, as `users.rights` holds them. The only place
 * that derives a decision from a role: guards, writers, lists, searches, the feed and the pages ask for a permission.
 */
export class Rights {
  private static readonly known = new LRUCache<string, Rights>({ max: MAX_KNOWN });

  /** The permissions by the scope and the id of its object, e.g. `organization 12`; everywhere by ''. */
  private readonly texts = new Map<string, string[]>();
  /** The attributes by place and permission, once they were asked for. */
  private readonly asked = new Map<string, ReadonlySet<string>>();
  private readonly scopes = new Map<Permission, readonly Scope[]>();
  /** Equal for rights that differ only in the objects to which they are confined: then all SQL is the same. */
  readonly shape: string;

  private constructor(
    /** Equal for equal rights. */
    readonly key: string,
    private readonly grants: readonly Grant[],
    readonly isSysadmin: boolean,
    /** All that they permit at most; null without a limit. */
    readonly limit: readonly string[] | null,
  ) {
    for (const { permissions, ...confined } of grants) {
      const scope = SCOPES.find((one) => confined[one] !== undefined);
      const place = scope === undefined ? '' : `${scope} ${confined[scope]}`;
      this.texts.set(place, [...(this.texts.get(place) ?? []), ...permissions]);
    }
    const shapes = [...this.texts].map(
      ([place, texts]) => `${place.split(' ')[0]} ${texts.join()}`,
    );
    this.shape = `${isSysadmin} ${limit?.join() ?? ''} ${[...new Set(shapes)].sort().join(' ')}`;
  }

  /**
   * @param grants `users.rights`, as JSON
   * @param isSysadmin whether the person is the system administrator
   * @param given the limit: permissions as a role has them, beyond which the rights do not go; null without a limit
   */
  static of(grants: string, isSysadmin = false, given: readonly string[] | null = null): Rights {
    // Without rights there is nothing to limit.
    return Rights.made(grants, isSysadmin, grants === '[]' && !isSysadmin ? null : given);
  }

  private static made(
    grants: string,
    isSysadmin: boolean,
    limit: readonly string[] | null,
  ): Rights {
    const isUnlimitedSysadmin = isSysadmin && limit === null;
    const key = `${isUnlimitedSysadmin} ${limit === null ? '' : JSON.stringify(limit)} ${grants}`;
    let rights = this.known.get(key);
    if (!rights) {
      rights = new Rights(key, JSON.parse(grants) as Grant[], isUnlimitedSysadmin, limit);
      this.known.set(key, rights);
    }
    return rights;
  }

  static readonly none = Rights.of('[]');
  static readonly ofAdministrator = Rights.of(JSON.stringify([{ permissions: [ANY] }]));
  static readonly ofSysadmin = Rights.of(JSON.stringify([{ permissions: [ANY] }]), true);

  /** The same without those that are confined to an object. What remains stays limited, so that it is not taken for all. */
  get everywhere(): Rights {
    const isConfined = (grant: Grant): boolean =>
      SCOPES.some((scope) => grant[scope] !== undefined);
    if (!this.grants.some(isConfined)) return this;
    const grants = this.grants.filter((grant) => !isConfined(grant));
    return Rights.made(JSON.stringify(grants), this.isSysadmin, this.limit);
  }

  /** Whether they permit it with every object and every attribute. */
  permits(permission: Permission): boolean {
    if (isReserved(permission)) return this.isSysadmin;
    return this.attributes(permission).has(ANY);
  }

  /** The attributes that they let write in every object; `*` for all. */
  attributes(permission: Permission): ReadonlySet<string> {
    return this.attributesAt('', permission);
  }

  /** The kinds of scope within which they permit it, completely or for some attributes; none where they permit it everywhere. */
  scopesOf(permission: Permission): readonly Scope[] {
    let scopes = this.scopes.get(permission);
    if (!scopes) {
      scopes = this.permits(permission)
        ? []
        : SCOPES.filter((scope) => this.reaches(scope, permission));
      this.scopes.set(permission, scopes);
    }
    return scopes;
  }

  /** Those of them within which they permit it with every attribute, as reading asks. */
  completeScopesOf(permission: Permission): readonly Scope[] {
    return this.scopesOf(permission).filter((scope) => this.reaches(scope, permission, ANY));
  }

  /** The attributes that they let write everywhere, and in each object to which they are confined. */
  attributesInPlaces(permission: Permission): ReadonlySet<string>[] {
    const everywhere = this.attributes(permission);
    return [...this.texts.keys()].map(
      (place) => new Set([...everywhere, ...this.attributesAt(place, permission)]),
    );
  }

  /** Whether they permit it with any object at all. */
  permitsSomewhere(permission: Permission): boolean {
    return (
      this.attributes(permission).size > 0 ||
      this.permits(permission) ||
      this.scopesOf(permission).length > 0
    );
  }

  /** What others permit and they do not, as a role would have it: who lacks it can neither give it nor take over an account that has it. */
  lackOf(others: Rights): string[] {
    const lacking = [...others.texts.keys()].flatMap((place) =>
      PERMISSIONS.flatMap((permission) => {
        const own = [this.attributesAt('', permission), this.attributesAt(place, permission)];
        return [...others.attributesAt(place, permission)]
          .filter((one) => !own.some((attributes) => attributes.has(ANY) || attributes.has(one)))
          .map((one) => (one === ANY ? permission : `${permission}:${one}`));
      }),
    );
    return [...new Set(lacking)];
  }

  /** Whether their holder may do all that others may. */
  covers(others: Rights): boolean {
    return (this.isSysadmin || !others.isSysadmin) && this.lackOf(others).length === 0;
  }

  private attributesAt(place: string, permission: Permission): ReadonlySet<string> {
    const key = `${place} ${permission}`;
    let attributes = this.asked.get(key);
    if (!attributes) {
      attributes = this.limited(attributesIn(this.texts.get(place) ?? [], permission), permission);
      this.asked.set(key, attributes);
    }
    return attributes;
  }

  /** Those of the attributes that are within the limit. */
  limited(attributes: ReadonlySet<string>, permission: Permission): ReadonlySet<string> {
    return this.limit === null
      ? attributes
      : commonAttributes(attributes, attributesIn(this.limit, permission));
  }

  /** What they permit with every object, as a role would have it. */
  get textsEverywhere(): string[] {
    return PERMISSIONS.flatMap((permission) =>
      [...this.attributes(permission)].map((one) =>
        one === ANY ? permission : `${permission}:${one}`,
      ),
    );
  }

  /** @param attribute which they have to let write there; any without it */
  private reaches(scope: Scope, permission: Permission, attribute?: string): boolean {
    return [...this.texts.keys()].some((place) => {
      if (!place.startsWith(`${scope} `)) return false;
      const attributes = this.attributesAt(place, permission);
      return attribute === undefined ? attributes.size > 0 : attributes.has(attribute);
    });
  }

  /** Whether they are those of an administrator, as the session of a caller says; it decides nothing. */
  get areOfAdministrator(): boolean {
    return PERMISSIONS.every((permission) => this.permits(permission));
  }
}
