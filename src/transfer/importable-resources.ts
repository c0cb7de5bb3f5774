import { Rights } from '../base/rights/rights.js';
import { customers } from '../content/customer.resource.js';
import { documents } from '../content/document.resource.js';
import { faqs } from '../content/faq.resource.js';
import { news } from '../content/news.resource.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { users } from '../directory/user.resource.js';
import { completeUser } from '../directory/user.rules.js';
import { isBlank } from '../base/validation/class-validation.js';
import type { InvalidField } from '../base/errors/api-errors.js';
import { applications } from '../process/applications/application.resource.js';
import { categories } from '../process/applications/category.resource.js';
import { sources } from '../process/tasks/source.resource.js';
import { tasks } from '../process/tasks/task.resource.js';
import { validateView } from '../process/tiles/parse-view.js';
import { views } from '../process/tiles/view.resource.js';
import { connectLinks } from '../resources/connect-links.js';
import type { Resource } from '../resources/resource.js';
import { reason } from '../base/errors/reason.js';
import { KINDS } from './kinds.js';

type Values = Record<string, unknown>;

/** The import and export of a resource, beyond its description. */
export interface ImportableResource {
  resource: Resource;
  /** The attribute that identifies the row of a line. */
  key: 'login' | 'reference' | 'externalId';
  /** SQL of the id of the row of a line `g`, null for none; by default it is found by the name of the resource. */
  row?: string;
  /** Columns without an attribute that lines give. */
  columns?: string[];
  /** Read-only attributes that an import writes nevertheless. */
  also: string[];
  /** A link to a resource that links back to this one; set after both have their rows. */
  mutual?: string;
  /** Completes a line, and checks rules across attributes. */
  complete?(values: Values, created: boolean): InvalidField[];
  /** SELECT of line, name, code, parameters: errors that only the database can find, once links are resolved. */
  faults?: string;
  /** A link within the resource that must be written row by row, parents first. */
  tree?: { column: string; attribute: string };
  /** Whether its writes can give others a right that outlives the session (`WriteHooks.asksForProof`). */
  givesRights?: true;
  /** Condition of the rows, with the alias `t`, that import and export ignore. */
  hidden?: string;
}

/** A tile opens only a view of its own application. */
const FOREIGN_VIEW = `
  SELECT s.line, 'view', 'foreign-view', '{}'::jsonb FROM import_lines s
  WHERE s.value ->> 'view_id' IS NOT NULL AND NOT EXISTS (
    SELECT FROM views v WHERE v.id = (s.value ->> 'view_id')::bigint AND v.application_id = s.id)`;

const OPENED_BY_ANOTHER = `
  SELECT s.line, 'application', 'opened-by-tile', jsonb_build_object('uri', '${applications.ref.uri}/' || a.id)
  FROM import_lines s JOIN applications a ON a.view_id = s.id
  WHERE s.value ? 'application_id' AND (s.value ->> 'application_id')::bigint IS DISTINCT FROM a.id`;

/** The account of sysadmin belongs to its installation, and service accounts are no people. */
const NO_PERSON = `
  SELECT s.line, 'login', CASE WHEN t.service THEN 'service-account-imported' ELSE 'sysadmin-imported' END, '{}'::jsonb
  FROM import_lines s JOIN users t ON t.id = s.id WHERE t.sysadmin OR t.service`;

/** What a provider manages is written there, and its groups have its members. */
const managedElsewhere = ({ ref, attributes, definition }: Resource): string => {
  const names = (definition.managed ?? []).map(
    (name) => `('${name}', '${attributes.get(name)!.column}')`,
  );
  return `
  SELECT s.line, '${ref.referenceColumn}', 'managed-by-provider',
    jsonb_build_object('provider', p.label, 'attributes', jsonb_agg(m.name))
  FROM import_lines s JOIN ${ref.table} t ON t.id = s.id JOIN providers p ON p.id = t.managed_by_id
    JOIN (VALUES ${names.join(', ')}) AS m (name, field)
      ON s.value ? m.field AND s.value ->> m.field IS DISTINCT FROM to_jsonb(t) ->> m.field
  GROUP BY s.line, p.label`;
};

const byReference = (
  resource: Resource,
  more: Partial<ImportableResource> = {},
): ImportableResource => ({
  resource,
  key: 'reference',
  also: [],
  ...more,
});

const BY_KIND: Record<(typeof KINDS)[number], ImportableResource> = {
  organizations: byReference(organizations, {
    tree: { column: 'parent_id', attribute: 'parent' },
    mutual: 'manager',
  }),
  groups: byReference(groups, { faults: managedElsewhere(groups) }),
  users: {
    resource: users,
    key: 'login',
    also: ['groups'],
    complete: completeUserLine,
    faults: `${NO_PERSON} UNION ALL ${managedElsewhere(users)}`,
    hidden: '(t.sysadmin OR t.service)',
    givesRights: true,
  },
  categories: byReference(categories),
  applications: byReference(applications, { faults: FOREIGN_VIEW, mutual: 'view' }),
  views: byReference(views, { complete: completeView, faults: OPENED_BY_ANOTHER }),
  sources: byReference(sources, { givesRights: true }),
  tasks: byReference(tasks),
  documents: byReference(documents),
  news: byReference(news),
  faqs: byReference(faqs),
  customers: byReference(customers),
};

/** The resources of these kinds, in their order. */
export const IMPORTABLE_RESOURCES = KINDS.map((kind) => BY_KIND[kind]);

/** Connects the links of these resources, which commands without the server's modules need. No file contains endpoints. */
export const connectImportable = (): void =>
  connectLinks(
    IMPORTABLE_RESOURCES.map(({ resource }) => resource),
    ['endpoints', 'providers'],
  );

/** The title defaults to the names, as in the API; a user without a password is invited. */
function completeUserLine(values: Values, created: boolean): InvalidField[] {
  const { title } = values;
  const isTitleBlank = title === null || (typeof title === 'string' && isBlank(title));
  if (isTitleBlank && !created && !('firstName' in values && 'lastName' in values))
    return [{ name: 'title', reason: reason('derived-title') }];
  if (created || isTitleBlank) Object.assign(values, completeUser(values, created));
  return [];
}

function completeView({ columns, filters, sorter }: Values): InvalidField[] {
  const view = {
    columns: textsOf(columns),
    filters: textsOf(filters),
    sorter: typeof sorter === 'string' ? sorter : null,
  };
  return validateView(view, { rights: Rights.ofAdministrator });
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
