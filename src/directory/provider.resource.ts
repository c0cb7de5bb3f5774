import {
  boolean,
  dates,
  enumeration,
  link,
  reference,
  text,
} from '../resources/attributes/attributes.js';
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
    bindPassword: text({ max: MAX_BIND_PASSWORD, writeOnly: true }),
    ...dates(),
  },
  visible: () => 'false',
});
