import { text, timestamp } from '../resources/attributes/attributes.js';
import { AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';

/** A user's API keys, without the keys themselves: only the response to their creation shows them. */
export const apiKeys = resource({
  name: 'api-keys',
  schemaName: 'ApiKey',
  table: 'api_keys',
  uri: '/directory/api-keys',
  withoutUri: true,
  labelColumn: 'name',
  attributes: {
    name: text({ readOnly: true }),
    prefix: text({ readOnly: true, identity: AS_IS }),
    expiration: timestamp({ readOnly: true }),
    addresses: text({ readOnly: true }),
    creationDate: timestamp({ readOnly: true }),
    lastUseDate: timestamp({ readOnly: true }),
    lastUseAddress: text({ readOnly: true }),
  },
});
