import { computedLink, text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';
import { users } from './user.resource.js';

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
    /** The service account that got the token to act on behalf of the user (RFC 8693); null for every other session. */
    agent: computedLink({
      uri: users.ref.uri,
      // Tokens and browser sessions take their ids from one sequence.
      sql: (alias) =>
        `(SELECT jsonb_build_array(a.id::text, a.login, a.title)
          FROM tokens o JOIN users a ON a.id = o.agent_id WHERE o.id = ${alias}.id)`,
    }),
  },
});
