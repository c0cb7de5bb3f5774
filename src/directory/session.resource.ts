import { text, timestamp } from '../resources/attributes.js';
import { resource } from '../resources/resource.js';

/** A user's API keys: the key itself is shown once, when it is made. */
export const apiKeys = resource({
  name: 'api-keys',
  table: 'api_keys',
  uri: '/directory/api-keys',
  withoutUri: true,
  labelColumn: 'name',
  attributes: {
    name: text({ readOnly: true }),
    prefix: text({ readOnly: true }),
    expiration: timestamp({ readOnly: true }),
    addresses: text({ readOnly: true }),
    creationDate: timestamp({ readOnly: true }),
    lastUseDate: timestamp({ readOnly: true }),
    lastUseAddress: text({ readOnly: true }),
  },
});

/** A user's sessions: since when, until when, from where; never the token. */
export const sessions = resource({
  name: 'tokens',
  uri: '/directory/tokens',
  withoutUri: true,
  labelColumn: 'address',
  attributes: {
    creationDate: timestamp({ readOnly: true }),
    expiration: timestamp({ readOnly: true }),
    address: text({ readOnly: true }),
  },
});

/** The identities of a user at the identity provider, by which they sign in. */
export const identities = resource({
  name: 'identities',
  uri: '/directory/identities',
  withoutUri: true,
  labelColumn: 'subject',
  attributes: {
    issuer: text({ readOnly: true }),
    subject: text({ readOnly: true }),
    creationDate: timestamp({ readOnly: true }),
  },
});
