import { text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';

/**
 * A user's sessions, never their secrets: a browser that stays signed in is one session, whatever the number of
 * its tokens; every other token is a session of its own.
 */
export const sessions = resource({
  name: 'tokens',
  schemaName: 'Session',
  uri: '/directory/tokens',
  table: 'sessions',
  withoutUri: true,
  labelColumn: 'address',
  attributes: {
    creationDate: timestamp({ readOnly: true }),
    expiration: timestamp({ readOnly: true }),
    address: text({ readOnly: true }),
    /** The last renewal of a browser; null for another token. */
    lastUseDate: timestamp({ readOnly: true }),
    userAgent: text({ readOnly: true }),
  },
});
