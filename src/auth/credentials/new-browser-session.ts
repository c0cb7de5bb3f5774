import type { Bind } from '../../database/bindings.js';
import type { SessionSecret } from './session-secret.js';

/** Maximum number of browser sessions of a user that have not ended; a sign-in beyond them gets a token alone. */
const MAX_SESSIONS = 100;

/** A browser that asked to stay signed in. */
export interface Browser {
  /** Its `User-Agent`, which the list of sessions shows; undefined when it sent none. */
  userAgent: string | undefined;
}

/** The secret of a browser session, and for how many seconds the browser keeps it. */
export interface SessionCookie {
  secret: SessionSecret;
  maxAge: number;
}

/** A browser session that a sign-in is about to store. */
export interface NewBrowserSession extends Browser {
  cookie: SessionCookie;
}

/**
 * The SQL that stores a browser session for the sign-in of the steps `given` and `signed_in` (issue-tokens.ts),
 * with the version of the credentials that was verified.
 */
export const insertBrowserSession = (
  { cookie: { secret, maxAge }, userAgent }: NewBrowserSession,
  bind: Bind,
): string =>
  `INSERT INTO browser_sessions (user_id, hash, current_hash, credential_version, address, provider_session, user_agent, expiration)
      SELECT user_id, ${bind(secret.hash)}::bytea, ${bind(secret.rotatingHash)}::bytea, version, address, provider_session,
        ${bind(userAgent ?? null)}::text, now() + make_interval(secs => ${bind(maxAge)})
      FROM given JOIN signed_in USING (user_id) WHERE version = credential_version
        AND (SELECT count(*) FROM browser_sessions b WHERE b.user_id = given.user_id
          AND b.credential_version = given.version AND b.expiration > now()) < ${MAX_SESSIONS}
      RETURNING id`;
