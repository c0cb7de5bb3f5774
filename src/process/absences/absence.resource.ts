import {
  boolean,
  computed,
  dates,
  label,
  link,
  reference,
  timestamp,
} from '../../resources/attributes/attributes.js';
import { resource } from '../../resources/resource.js';
import { Absence } from './absence.entity.js';

const byOwner = { writableBy: 'owner' } as const;

/** Absences and who stands in (docs/api-contract.md#absences). Both people see a rule, and nobody else does. */
export const absences = resource({
  name: 'absences',
  uri: '/process/absences',
  entity: Absence,
  labelColumn: 'reference',
  attributes: {
    reference: reference(),
    label: label('reference'),
    // Of the caller, unless an administrator names somebody else.
    user: link('users', { neverEmpty: true, keptWhenBlank: true }),
    substitute: link('users', { required: true, ...byOwner }),
    application: link('applications', byOwner),
    // An application that the substitute does not see is no secret from the substitute, as with tasks (0028).
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
  visible: ({ administrator, idSql }, alias) =>
    administrator
      ? undefined
      : `(${alias}.user_id = ${idSql()}::bigint OR ${alias}.substitute_id = ${idSql()}::bigint)`,
});
