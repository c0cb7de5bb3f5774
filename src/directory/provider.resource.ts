import {
  boolean,
  computed,
  dates,
  enumeration,
  link,
  reference,
  text,
} from '../resources/attributes/attributes.js';
import {
  atLeast,
  flag,
  orNull,
  text as string,
  textOrNull,
  timestamp,
} from '../resources/openapi/schemas.js';
import { resource } from '../resources/resource.js';
import { ldapSettings } from './ldap-settings.js';
import { Provider, type ProviderKind } from './provider.entity.js';

/** Longest password of the account with which the server reads a directory, in characters. */
const MAX_BIND_PASSWORD = 1_000;

const KIND_LABELS = {
  scim: { en: 'SCIM', fr: 'SCIM', de: 'SCIM' },
  ldap: { en: 'LDAP', fr: 'LDAP', de: 'LDAP' },
} satisfies Record<ProviderKind, unknown>;

/**
 * The attributes that only the provider of a managed row writes (docs/api-contract.md#providers); the members of a
 * managed group are its own too.
 */
export const MANAGED = {
  users: [
    ...['login', 'firstName', 'lastName', 'title', 'email', 'phoneNumber', 'mobilePhoneNumber'],
    ...['userFunction', 'organization', 'manager', 'status', 'externalId', 'locale'],
  ],
  groups: ['label', 'externalId'],
};

/** Which provider manages a user or a group. Everybody sees it, because it says why an attribute cannot be changed. */
export const managedBy = () =>
  link('providers', { readOnly: true, detailedOnly: true, shownTo: () => true });

/** SQL of the last run of a provider that was no trial, as JSON: what the console warns of. */
const lastRun = (alias: string): string =>
  `(SELECT json_build_object('state', r.state, 'brake', r.brake, 'error', r.error, 'endDate', r.end_date)
    FROM provider_runs r WHERE r.provider_id = ${alias}.id AND NOT r.dry_run ORDER BY r.id DESC LIMIT 1)`;

interface LastRun {
  state: string;
  brake: boolean;
  error: string | null;
  endDate: string | null;
}

const presentRun = (run: LastRun | null): LastRun | null =>
  run && { ...run, endDate: run.endDate && new Date(run.endDate).toISOString() };

/** Most bytes of a run as JSON: its error is a message of the directory. */
const RUN_BYTES = 2_000;

/** The directories that keep users and groups here. Only administrators see and write them. */
export const providers = resource({
  name: 'providers',
  uri: '/directory/providers',
  entity: Provider,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    kind: enumeration(KIND_LABELS, { required: true }),
    active: boolean({ default: true }),
    dryRun: boolean({ default: false }),
    serviceAccount: link('users'),
    ldap: ldapSettings(),
    lastRun: computed({
      sql: lastRun,
      make: (run) => presentRun(run as LastRun | null),
      display: (run) => (run as LastRun | null)?.state ?? null,
      schema: orNull(
        atLeast({ state: string, brake: flag, error: textOrNull, endDate: orNull(timestamp) }),
      ),
      maxBytes: RUN_BYTES,
    }),
    bindPassword: text({ max: MAX_BIND_PASSWORD, writeOnly: true }),
    ...dates(),
  },
  visible: () => 'false',
});
