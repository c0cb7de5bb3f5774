import { Injectable } from '@nestjs/common';
import { badCredentials } from '../base/errors/api-errors.js';
import { Database, type Reader } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { Notifications } from '../database/notifications.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import { userUri } from '../security/user-uri.js';
import type { Identity } from './id-token-verifier.service.js';
import type { ProviderLogout } from './logout-token-verifier.service.js';

/** How long a sign-out is kept, in seconds: longer than the server parameter `tokenAge` lets an older ID token sign in. */
const KEPT = 90_000;

/** What a sign-out ends: the session of a person, or all. */
type Ended = Pick<ProviderLogout, 'issuer' | 'subject' | 'session'>;

/**
 * Ends sessions here when they end at the identity provider (OpenID Connect Back-Channel Logout 1.0 section 2.7). A
 * sign-out also ends the ID tokens that the provider had issued before: otherwise such a token would sign in again.
 */
@Injectable()
export class ProviderLogouts {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('provider_logouts', 'expiration < now()');
  }

  /**
   * Ends the sessions of a sign-out at the provider, on every instance.
   * @returns false when its token was used before
   */
  async end(logout: ProviderLogout, auditContext: AuditContext): Promise<boolean> {
    const isNew = await this.database.transaction(async (transaction) => {
      const stored = await transaction.execute({
        text: `INSERT INTO provider_logouts (issuer, token_id, subject, session, issue_date, expiration)
          VALUES ($1, $2, $3, $4, to_timestamp($5), now() + make_interval(secs => ${KEPT}))
          ON CONFLICT DO NOTHING`,
        values: [logout.issuer, logout.tokenId, logout.subject, logout.session, logout.issued],
      });
      if (stored === 0) return false;
      for (const id of await endSessions(transaction, logout))
        await this.audit.record(transaction, auditContext, {
          action: 'end-sessions',
          objectUri: userUri(id),
          after: { reason: 'a sign-out at the identity provider' },
        });
      return true;
    });
    // A sign-in under way may have stored its session after these were ended, without seeing the sign-out.
    if (isNew) await endSessions(this.database, logout);
    await this.notifications.waitUntilDelivered();
    return isNew;
  }

  /**
   * Passes for an identity whose session at the provider has not ended since its token was issued.
   * @throws ApiError 401
   */
  async requireOpen({ issuer, subject, session, issued }: Identity): Promise<void> {
    const [ended] = await this.database.query<Ended>({
      text: `SELECT issuer, subject, session FROM provider_logouts
        WHERE issuer = $1 AND issue_date >= to_timestamp($4) AND
          (session = $3 OR subject = $2 AND (session IS NULL OR $3 = ''))
        ORDER BY session IS NOT NULL LIMIT 1`,
      values: [issuer, subject, session, issued],
    });
    if (!ended) return;
    await endSessions(this.database, ended);
    await this.notifications.waitUntilDelivered();
    throw badCredentials('identity provider: signed out there');
  }
}

/**
 * Ends sessions of browsers and tokens. A sign-out that names a session and a person also ends those of the person whose
 * session at the provider is unknown.
 * @returns the ids of their users
 */
async function endSessions(
  reader: Reader,
  { issuer, subject, session }: Ended,
): Promise<Set<string>> {
  const conditions = [
    subject === null
      ? 'user_id IN (SELECT user_id FROM identities WHERE issuer = $1 AND $2::text IS NULL)'
      : 'user_id IN (SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2)',
    session === null ? '$3::text IS NULL' : 'provider_session = ANY ($3)',
  ];
  const sessions = session === null ? null : [session, ...(subject === null ? [] : [''])];
  const users = new Set<string>();
  for (const table of ['browser_sessions', 'tokens'])
    for (const { id } of await reader.query<{ id: string }>({
      text: `DELETE FROM ${table} WHERE ${conditions.join(' AND ')} RETURNING user_id AS id`,
      values: [issuer, subject, sessions],
    }))
      users.add(id);
  return users;
}
