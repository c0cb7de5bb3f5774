import type { Reader } from '../../database/database.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { type GivenName, takesName } from '../../resources/names.js';
import type { Resource } from '../../resources/resource.js';
import { applications } from '../applications/application.resource.js';

/**
 * How the items of a push may name people, groups and applications: the `further` attributes with which a text is
 * compared after the resource's own name.
 */
const KINDS: Record<NamedKind, { resource: Resource; further: string[] }> = {
  users: { resource: users, further: ['externalId', 'email'] },
  groups: { resource: groups, further: ['externalId'] },
  applications: { resource: applications, further: [] },
};
export type NamedKind = 'users' | 'groups' | 'applications';

/** Users with these statuses can get tasks: active and invited. */
const CAN_WORK = 'l.status IN (1, 2)';

/** Stands for a user who cannot sign in. */
const INACTIVE = '-1';

/** A link of an item: an id or a name; a name without `by` is a text, which may be another identifier. */
export interface PushLink extends Partial<GivenName> {
  /** Equal for the same link. */
  key: string;
  /** The form in messages and reports. */
  text: string;
  id?: string;
}

/** The links of one call to look up, each once. */
export class WantedNames {
  private readonly links = new Map<NamedKind, Map<string, PushLink>>();

  add(kind: NamedKind, link: PushLink): void {
    const links = this.links.get(kind) ?? new Map<string, PushLink>();
    this.links.set(kind, links.set(link.key, link));
  }

  of(kind: NamedKind): PushLink[] {
    return [...(this.links.get(kind)?.values() ?? [])];
  }
}

/** The ids of objects by the names that a push gave them. */
export class KnownNames {
  private readonly ids = new Map<string, string>();
  /** The keys of links to users who cannot sign in. */
  private readonly inactive = new Set<string>();

  idOf(kind: NamedKind, link: PushLink): string | undefined {
    return this.ids.get(`${kind} ${link.key}`);
  }

  /** Whether a link names a user who cannot sign in, and so gets no tasks. */
  isInactive(link: PushLink): boolean {
    return this.inactive.has(link.key);
  }

  /**
   * Looks up links with one statement per kind. A text is a login or a reference, else an external id, else an e-mail
   * address; the first match decides. A text that matches two objects is unknown, and so is a user who cannot sign in.
   */
  async learn(reader: Reader, sourceId: string, wanted: WantedNames): Promise<void> {
    for (const kind of Object.keys(KINDS) as NamedKind[]) {
      const { resource } = KINDS[kind];
      const links = wanted.of(kind);
      if (links.length === 0) continue;
      const rows = await reader.rows({
        text: lookUp(kind),
        values: [
          links.map(({ name, by }) =>
            name !== undefined && takesName(resource, { name, by }) ? name : null,
          ),
          links.map(({ id }) => id ?? null),
          links.map(({ by }) => by === undefined),
          ...(kind === 'applications' ? [sourceId] : []),
        ],
      });
      for (const [place, id] of rows) {
        const { key } = links[Number(place) - 1]!;
        if (id === INACTIVE) this.inactive.add(key);
        else this.ids.set(`${kind} ${key}`, String(id));
      }
    }
  }
}

/** SQL of pairs: the index of a link and the id that it stands for. */
function lookUp(kind: NamedKind): string {
  const { resource, further } = KINDS[kind];
  const { table, referenceColumn, nameRule } = resource.ref;
  const ways = [
    nameRule.compare(`l.${referenceColumn}`, 'eq', 'n.name'),
    ...further.map((name) => {
      const { column, options } = resource.attributes.get(name)!;
      return `n.is_text AND ${options.identity!.compare(`l.${column}`, 'eq', 'n.name')}`;
    }),
    'l.id = n.id',
  ];
  const allowed = {
    users: CAN_WORK,
    groups: 'true',
    applications:
      'EXISTS (SELECT 1 FROM source_applications j WHERE j.source_id = $4 AND j.application_id = l.id)',
  }[kind];
  const otherwise = kind === 'users' ? `WHEN count(*) = 1 THEN ${INACTIVE}` : '';
  const found = ways.map(
    (way) =>
      `(SELECT CASE WHEN count(*) = 1 AND bool_and(${allowed}) THEN min(l.id) ${otherwise} ELSE 0 END FROM ${table} l WHERE ${way} HAVING count(*) > 0)`,
  );
  return `SELECT place, id FROM (
      SELECT n.place, coalesce(${found.join(', ')}) AS id
      FROM unnest($1::text[], $2::bigint[], $3::boolean[]) WITH ORDINALITY AS n (name, id, is_text, place)
    ) AS named WHERE id <> 0`;
}
