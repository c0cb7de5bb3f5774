import { Injectable } from '@nestjs/common';
import { BrowserSessions, type Renewal } from './credentials/browser-sessions.service.js';
import { SessionSecret } from './credentials/session-secret.js';
import { SignInLimits } from './credentials/sign-in-limits.service.js';
import { badCredentials } from '../base/errors/api-errors.js';
import type { AuditContext } from '../security/audit.service.js';

/** Renews the sessions of browsers, within the limits of failed sign-ins. */
@Injectable()
export class RenewalService {
  constructor(
    private readonly browserSessions: BrowserSessions,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * @param value the value of the session cookie
   * @throws ApiError 401 when the session no longer exists; 429 when an unknown one comes from an address that has
   * failed too often, or the user already holds the maximum number of tokens
   */
  async renew(value: string | undefined, auditContext: AuditContext): Promise<Renewal> {
    const secret = value === undefined ? undefined : SessionSecret.parse(value);
    if (!secret) throw badCredentials('session');
    // A valid secret cannot be a guess, so failures from the same address do not block it.
    const renewal = await this.browserSessions.renew(secret, auditContext);
    if (typeof renewal !== 'string') return renewal;
    // Only guesses count: after a weekend, a whole office may return with sessions that have ended.
    if (renewal === 'unknown') await this.limits.count(undefined, auditContext.address ?? '');
    throw badCredentials(renewal === 'reused' ? 'copied session' : 'session');
  }
}
