import {
  dates,
  link,
  links,
  number,
  reference,
  text,
} from '../../resources/attributes/attributes.js';
import { resource } from '../../resources/resource.js';
import { faultOfDigits } from '../../resources/write/given-reference.js';
import { Source } from './source.entity.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Paths name a task by the reference of its source, a colon and an external id. */
const faultOfSource = (reference: string): Reason | undefined =>
  reference.includes(':') ? reason('colon-in-reference') : faultOfDigits(reference);

/** Whether an object has applications, and all of them are in the scope. */
export const reachOfApplications =
  (table: string, ownerColumn: string) =>
  (alias: string, ids: string): string =>
    `(SELECT bool_and(j.application_id = ANY (${ids})) FROM ${table} j WHERE j.${ownerColumn} = ${alias}.id)`;

/** The programs that put tasks in (docs/api-contract.md#sources). A service account sees its own sources. */
export const sources = resource({
  name: 'sources',
  uri: '/process/sources',
  reach: { application: reachOfApplications('source_applications', 'source_id') },
  entity: Source,
  labelColumn: 'label',
  attributes: {
    reference: reference({ fault: faultOfSource }),
    label: text({ required: true, max: 200 }),
    serviceAccount: link('users'),
    applications: links({
      targets: ['applications'],
      table: 'source_applications',
      ownerColumn: 'source_id',
      targetColumns: { applications: 'application_id' },
      idColumn: 'application_id',
    }),
    fallbackGroup: link('groups'),
    // Endpoints name their source. A caller who sees no endpoints, such as the service account, gets an empty list.
    endpoints: links({
      targets: ['endpoints'],
      table: 'endpoints',
      ownerColumn: 'source_id',
      targetColumns: { endpoints: 'id' },
      idColumn: 'id',
      readOnly: true,
      detailedOnly: true,
    }),
    snapshotBrake: number({ default: 20, min: 0, max: 100 }),
    ...dates(),
  },
  visible: ({ idSql }, alias) => `${alias}.service_account_id = ${idSql()}::bigint`,
});
