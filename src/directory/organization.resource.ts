import {
  boolean,
  count,
  dates,
  link,
  longText,
  computed,
  reference,
  text,
} from '../resources/attributes/attributes.js';
import { presentRef, type Ref } from '../resources/ref.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import { Organization } from './organization.entity.js';

const URI = '/directory/organizations';

/** Presents the organizations from the root to this one, as Refs. */
export const presentPath = {
  sql: (id: string) =>
    `(SELECT json_agg(json_build_array(o.id::text, o.reference, o.label) ORDER BY p.place)
      FROM organizations mine, unnest(mine.path) WITH ORDINALITY AS p(id, place)
      JOIN organizations o ON o.id = p.id WHERE mine.id = ${id})`,
  make: (value: unknown): Ref[] =>
    ((value ?? []) as string[][]).map(([id, ref, label]) =>
      presentRef({ uri: URI }, id, ref, label),
    ),
  schema: { type: 'array', items: { $ref: '#/components/schemas/Ref' } },
};

export const organizations = resource({
  name: 'organizations',
  uri: URI,
  reach: { organization: (alias, ids) => `${alias}.id = ANY (${ids})` },
  entity: Organization,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    description: longText({ max: 2000 }),
    parent: link('organizations'),
    manager: link('users'),
    externalId: text({ max: 100, identifying: true, identity: AS_IS }),
    active: boolean({ default: true, requiredInPut: true }),
    ...dates(),
    path: computed({
      sql: (alias) => presentPath.sql(`${alias}.id`),
      make: presentPath.make,
      schema: presentPath.schema,
      detailedOnly: true,
    }),
    userCount: count(
      (alias) => `(SELECT count(*) FROM users u WHERE u.organization_id = ${alias}.id)`,
    ),
    childCount: count(
      (alias) => `(SELECT count(*) FROM organizations o WHERE o.parent_id = ${alias}.id)`,
    ),
  },
});
