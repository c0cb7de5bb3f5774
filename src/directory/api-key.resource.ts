import { computed, text, timestamp } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';

const always = { readOnly: true, neverEmpty: true };

/** A user's API keys, without the keys themselves: only the response to their creation shows them. */
export const apiKeys = resource({
  name: 'api-keys',
  schemaName: 'ApiKey',
  table: 'api_keys',
  uri: '/directory/api-keys',
  withoutUri: true,
  labelColumn: 'name',
  attributes: {
    name: text(always),
    prefix: text({ ...always, identity: AS_IS }),
    expiration: timestamp({ readOnly: true }),
    addresses: text({ readOnly: true }),
    permissions: computed({
      sql: (alias) => `${alias}.permissions`,
      make: (permissions) => permissions,
      schema: { type: ['array', 'null'], items: { type: 'string' } },
    }),
    creationDate: timestamp(always),
    lastUseDate: timestamp({ readOnly: true }),
    lastUseAddress: text({ readOnly: true }),
  },
});
