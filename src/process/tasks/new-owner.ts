import type { Reader } from '../../database/database.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { invalidField } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { satisfies } from '../../base/validation/class-validation.js';
import { faultOfNamedLink, namesKind } from '../../resources/attributes/link-input.js';
import { idsOfLinks } from '../../resources/write/resolve-links.js';
import { USER_STATUS } from '../../security/user-status.js';
import type { Caller } from '../../security/caller.js';

/** Gives each task back to those for whom it waited before. */
const FALLBACK = 'fallback';

/** Who gets tasks: a user, a group, or for each task those for whom it waits without an assignee. */
export type NewOwner = { kind: 'user' | 'group'; id: string } | { kind: 'fallback' };

const FORMS = ['a user', '{ "group": … }', FALLBACK] as const;

/** A user, an object with a group, or `fallback` in a body; `{ "login": "fallback" }` is the user of that name. */
export const newOwner = (): PropertyDecorator =>
  satisfies((value) => (partsOf(value) ? undefined : reason('not-an-owner')), {
    description: `who gets the tasks: ${FORMS.join(', ')}; a user and a group by id, URI or name`,
    type: ['string', 'object'],
    properties: Object.fromEntries(
      ['id', 'uri', 'login', 'reference', 'group'].map((name) => [name, {}]),
    ),
    additionalProperties: true,
  });

/** The kind of a new owner, and the link that names a user or a group. */
function partsOf(value: unknown): { kind: NewOwner['kind']; link: unknown } | undefined {
  if (value === FALLBACK) return { kind: 'fallback', link: undefined };
  const { group } = Object(value) as { group?: unknown };
  if (group !== undefined)
    return isLink(group, groups.ref.uri) ? { kind: 'group', link: group } : undefined;
  if (namesKind(value, groups.ref.uri)) return { kind: 'group', link: value };
  return isLink(value, users.ref.uri) ? { kind: 'user', link: value } : undefined;
}

const isLink = (value: unknown, prefix: string): boolean =>
  faultOfNamedLink(prefix)(value) === undefined;

/**
 * Finds the new owner that a body names in `to`.
 * @param given a value that `newOwner` allows
 * @throws ApiError 400 for one who does not exist, who cannot sign in, or for a group without an active member
 */
export async function findNewOwner(
  given: unknown,
  caller: Caller,
  reader: Reader,
): Promise<NewOwner> {
  const { kind, link } = partsOf(given)!;
  if (kind === 'fallback') return { kind };
  const target = kind === 'user' ? users : groups;
  const [id] = await idsOfLinks(target, 'to', [link], { caller, reader });
  const { table, referenceColumn, uri } = target.ref;
  const [row] = await reader.query<{ name: string; works: boolean }>({
    text: `SELECT p.${referenceColumn} AS name, ${WORKS[kind]} AS works FROM ${table} p WHERE p.id = $1`,
    values: [id],
  });
  if (!row) throw invalidField('to', reason('unknown-object', { uri: `${uri}/${id}` }));
  if (!row.works)
    throw invalidField(
      'to',
      kind === 'user'
        ? reason('inactive-user', { name: row.name })
        : reason('empty-group', { name: row.name }),
    );
  return { kind, id: id! };
}

/** SQL of whether somebody decides the tasks. An invited person will. */
const WORKS = {
  user: `p.status IN (${USER_STATUS.active}, ${USER_STATUS.invited})`,
  group: `EXISTS (SELECT 1 FROM group_members m JOIN users u ON u.id = m.user_id
    WHERE m.group_id = p.id AND u.status = ${USER_STATUS.active})`,
};
