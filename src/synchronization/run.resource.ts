import {
  boolean,
  computed,
  enumeration,
  longText,
  number,
  timestamp,
} from '../resources/attributes/attributes.js';
import { atLeast, count, listOf, text } from '../resources/openapi/schemas.js';
import { resource } from '../resources/resource.js';
import { COUNTS } from './run-counts.js';

const STATES = {
  running: { en: 'running', fr: 'en cours', de: 'läuft' },
  done: { en: 'done', fr: 'terminée', de: 'fertig' },
  failed: { en: 'failed', fr: 'échouée', de: 'fehlgeschlagen' },
  interrupted: { en: 'interrupted', fr: 'interrompue', de: 'abgebrochen' },
};

const always = { readOnly: true, neverEmpty: true };

/** Size of the numbers of a run as JSON. */
const COUNTS_BYTES = 500;

/** The runs of an LDAP provider, with what they did. */
export const providerRuns = resource({
  name: 'provider-runs',
  schemaName: 'ProviderRun',
  uri: '/directory/provider-runs',
  table: 'provider_runs',
  withoutUri: true,
  labelColumn: 'state',
  referenceColumn: 'state',
  attributes: {
    state: enumeration(STATES, always),
    startDate: timestamp(always),
    endDate: timestamp({ readOnly: true }),
    dryRun: boolean(always),
    /** Whether it read everything, not only what had changed. */
    full: boolean({ ...always, sql: (alias) => `${alias}.is_full` }),
    /** Entries read so far. */
    read: number(always),
    /** Whether the brake ended it. */
    brake: boolean(always),
    error: longText({ readOnly: true }),
    counts: computed({
      sql: (alias) => `${alias}.counts`,
      make: (value) => value,
      schema: {
        oneOf: [atLeast(Object.fromEntries(COUNTS.map((name) => [name, count]))), { type: 'null' }],
      },
      maxBytes: COUNTS_BYTES,
    }),
    /** All changes of a dry run, and people who were skipped, up to 10,000. */
    changes: computed({
      sql: (alias) => `${alias}.changes`,
      make: (value) => value ?? [],
      schema: listOf(atLeast({ action: text, name: text, reason: text })),
      detailedOnly: true,
    }),
  },
});
