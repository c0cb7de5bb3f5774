import {
  boolean,
  computed,
  dates,
  label,
  link,
  reference,
  timestamp,
} from '../../resources/attributes/attributes.js';
import { reachOfUser } from '../../directory/user.resource.js';
import { resource } from '../../resources/resource.js';
import { Absence } from './absence.entity.js';

const byOwner = { writableBy: 'owner' } as const;

/**
 * Absences and their substitutes (docs/api-contract.md#absences). The absent person, the substitute and administrators
 * see a rule.
 */
export const absences = resource({
  name: 'absences',
  uri: '/process/absences',
  reach: reachOfUser('user_id'),
  entity: Absence,
  labelColumn: 'reference',
  attributes: {
    reference: reference(),
    label: label('reference'),
    // The caller, unless an administrator names another user.
    user: link('users', { neverEmpty: true, keptWhenBlank: true }),
    substitute: link('users', { required: true, ...byOwner }),
    application: link('applications', byOwner),
    // The substitute may know the application even without seeing its tile, as with tasks (0028).
    applicationTitle: computed({
      sql: (alias) => `(SELECT a.title FROM applications a WHERE a.id = ${alias}.application_id)`,
      make: (title) => title ?? null,
      schema: { type: ['string', 'null'], maxLength: 200 },
      maxBytes: 600,
    }),
    startDate: timestamp({ required: true, ...byOwner }),
    endDate: timestamp({ required: true, ...byOwner }),
    active: boolean({ readOnly: true, neverEmpty: true }),
    ...dates(),
  },
  visible: ({ idSql }, alias) =>
    `(${alias}.user_id = ${idSql()}::bigint OR ${alias}.substitute_id = ${idSql()}::bigint)`,
});
