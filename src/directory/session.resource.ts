import { text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';

/** A user's sessions: start, expiration and address, never the token. */
export const sessions = resource({
  name: 'tokens',
  schemaName: 'Session',
  uri: '/directory/tokens',
  withoutUri: true,
  labelColumn: 'address',
  attributes: {
    creationDate: timestamp({ readOnly: true }),
    expiration: timestamp({ readOnly: true }),
    address: text({ readOnly: true }),
  },
});
