import { text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';

const always = { readOnly: true, neverEmpty: true };

/**
 * A user's sessions without their secrets. A browser that stays signed in is one session, whatever the number of its
 * tokens; every other token is a separate session.
 */
export const sessions = resource({
  name: 'tokens',
  schemaName: 'Session',
  uri: '/directory/tokens',
  table: 'sessions',
  withoutUri: true,
  labelColumn: 'address',
  attributes: {
    creationDate: timestamp(always),
    expiration: timestamp(always),
    address: text(always),
    /** The last renewal of a browser; null for another token. */
    lastUseDate: timestamp({ readOnly: true }),
    userAgent: text({ readOnly: true }),
  },
});
