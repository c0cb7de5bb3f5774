import type { Reader } from '../../database/database.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { folded, foldedValue } from '../../resources/attributes/folded-text.js';
import { idIn } from '../../resources/uri.js';
import { applications } from '../application.resource.js';

/** How the items of a push may name people, groups and applications. */
const KINDS = {
  users: { ref: users.ref, names: ['login', 'external_id', 'email'] },
  groups: { ref: groups.ref, names: ['reference', 'external_id'] },
  applications: { ref: applications.ref, names: ['reference'] },
};
export type NamedKind = keyof typeof KINDS;

/** Users with these statuses can get tasks: active and invited. */
const CAN_WORK = 'l.status IN (1, 2)';

/** The ids of objects by the names that a push gave them. */
export class KnownNames {
  private readonly ids = new Map<string, string>();

  idOf(kind: NamedKind, name: string): string | undefined {
    return this.ids.get(`${kind} ${name}`);
  }

  /**
   * Looks names up: by login, external id or e-mail, by reference, by URI or by id. The first way in which the name
   * fits anything decides: a name that fits two objects is unknown, and so is a user who cannot sign in.
   */
  async learn(
    reader: Reader,
    sourceId: string,
    wanted: Record<NamedKind, ReadonlySet<string>>,
  ): Promise<void> {
    for (const kind of Object.keys(KINDS) as NamedKind[]) {
      const names = [...wanted[kind]];
      if (names.length === 0) continue;
      const rows = await reader.rows({
        text: lookUp(kind),
        values: [
          names,
          names.map((name) => idIn(name, KINDS[kind].ref.uri) ?? null),
          ...(kind === 'applications' ? [sourceId] : []),
        ],
      });
      for (const [name, id] of rows) this.ids.set(`${kind} ${String(name)}`, String(id));
    }
  }
}

/** SQL of the pairs of a name and the id that it stands for. */
function lookUp(kind: NamedKind): string {
  const { ref, names } = KINDS[kind];
  const ways = [
    ...names.map((column) => `${folded(`l.${column}`)} = ${foldedValue('n.name')}`),
    'l.id = n.id',
  ];
  const allowed = {
    users: CAN_WORK,
    groups: 'true',
    applications:
      'EXISTS (SELECT 1 FROM source_applications j WHERE j.source_id = $3 AND j.application_id = l.id)',
  }[kind];
  const found = ways.map(
    (way) =>
      `(SELECT CASE WHEN count(*) = 1 AND bool_and(${allowed}) THEN min(l.id) ELSE 0 END FROM ${ref.table} l WHERE ${way} HAVING count(*) > 0)`,
  );
  return `SELECT name, id FROM (
      SELECT n.name, coalesce(${found.join(', ')}) AS id FROM unnest($1::text[], $2::bigint[]) AS n (name, id)
    ) AS named WHERE id > 0`;
}
