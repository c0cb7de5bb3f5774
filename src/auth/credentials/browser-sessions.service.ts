import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Transaction } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { Notifications } from '../../database/notifications.js';
import { AuditService, type AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { USER_STATUS } from '../../security/user-status.js';
import { userUri } from '../../security/user-uri.js';
import type { IssuedToken } from './issue-tokens.js';
import type { Browser, NewBrowserSession, SessionCookie } from './new-browser-session.js';
import { hashSecret, makeSecret } from './secret.js';
import { makeSalt, SessionSecret } from './session-secret.js';
import { TokensService, withoutMilliseconds } from './tokens.service.js';

/**
 * Seconds for which the last replaced secret still renews: for tabs that renew at the same time, and for an answer that
 * did not arrive. All get the same successor.
 */
const GRACE = 30;

/** Maximum number of tries of a renewal, which repeats once after the tokens of the user have been recounted. */
const MAX_TRIES = 2;

/** A renewed session: a token for one tab, and the cookie that replaces the presented one. */
export interface Renewal {
  token: IssuedToken;
  cookie: SessionCookie;
}

/** Why there is no renewal; `full`: the user holds the maximum number of tokens. */
export type NoRenewal = 'unknown' | 'ended' | 'reused' | 'full';

/** The result of one try; the user is known unless the session is unknown. */
interface Attempt {
  userId: string;
  outcome: Renewal | NoRenewal;
}

interface Account {
  sessionId: string;
  userId: string;
  login: string;
  sysadmin: boolean;
}

/** A session at the moment of its renewal, to check the presented secret and the limits. */
interface SessionRow {
  isCurrent: boolean;
  isRecent: boolean;
  isOpen: boolean;
  salt: Buffer | null;
}

/** The limits in force, in seconds. */
interface Limits {
  idle: number;
  lifetime: number;
  tokenLifetime: number;
  tokenLimit: number;
}

/** The moment at which a session ends without a further renewal; `$2` and `$3` are the limits. */
const EXPIRATION = `least(now() + make_interval(secs => $2), b.creation_date + make_interval(secs => $3))`;

/**
 * Sessions of browsers (docs/decisions/0026). Each gives tokens to all tabs of one browser, until it stays without a
 * renewal for a while or reaches its maximum age. Every change of a credential ends it: it holds the version of the
 * credentials that were verified at its sign-in (docs/decisions/0019).
 *
 * To rule out deadlocks, every statement locks in this order: users, sign_ins, browser_sessions, tokens.
 */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly parameters: ParametersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register(
      'browser_sessions',
      `expiration < now() OR credential_version <>
        (SELECT s.credential_version FROM sign_ins s WHERE s.user_id = browser_sessions.user_id)`,
    );
  }

  /**
   * Renews a session: issues a token and replaces the second secret. A secret that was replaced before ends the
   * session, because it proves that the cookie was copied.
   * @throws ApiError 429 when the user already holds the maximum number of tokens
   */
  async renew(secret: SessionSecret, auditContext: AuditContext): Promise<Renewal | NoRenewal> {
    const limits = await this.limits();
    for (let tries = 1; ; tries++) {
      const attempt = await this.database.transaction((transaction) =>
        this.tryToRenew(secret, limits, auditContext, transaction),
      );
      if (attempt?.outcome === 'reused') await this.notifications.waitUntilDelivered();
      if (attempt?.outcome !== 'full' || tries === MAX_TRIES) return attempt?.outcome ?? 'unknown';
      await this.tokens.enforceLimit(attempt.userId);
    }
  }

  /**
   * Ends the sessions of a user after a change of credentials, except the session in which the user made it: that
   * one gets the new version of the credentials.
   * @param keptId the session that stays; null when all end
   */
  async keepAlone(userId: string, keptId: string | null, reader: Reader): Promise<void> {
    await reader.execute({
      text: 'DELETE FROM browser_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2',
      values: [userId, keptId],
    });
    await reader.execute({
      text: `UPDATE browser_sessions b SET credential_version = s.credential_version
        FROM sign_ins s WHERE s.user_id = b.user_id AND b.id = $1 AND b.user_id = $2`,
      values: [keptId, userId],
    });
  }

  /**
   * Ends all sessions of a user after a change of credentials, those of browsers and those of programs.
   * @param kept the session that stays: that of the user who made the change
   */
  async endOthers(
    userId: string,
    kept: Pick<Caller, 'tokenId' | 'browserSessionId'> | undefined,
    reader: Reader,
  ): Promise<void> {
    await this.keepAlone(userId, kept?.browserSessionId ?? null, reader);
    await reader.execute({
      text: `DELETE FROM tokens WHERE user_id = $1 AND id IS DISTINCT FROM $2
        AND ($3::bigint IS NULL OR browser_session_id IS DISTINCT FROM $3)`,
      values: [userId, kept?.tokenId ?? null, kept?.browserSessionId ?? null],
    });
  }

  /** A new session of a browser; the statement that issues its first token stores it. */
  async make({ userAgent }: Browser): Promise<NewBrowserSession> {
    const { idle, lifetime } = await this.limits();
    const cookie = { secret: SessionSecret.make(), maxAge: Math.min(idle, lifetime) };
    return { cookie, userAgent };
  }

  private async limits(): Promise<Limits> {
    const parameters = await this.parameters.current();
    return {
      idle: parameters.number('sessionIdle'),
      lifetime: parameters.number('sessionLifetime'),
      tokenLifetime: parameters.number('tokenLifetime'),
      tokenLimit: parameters.number('tokenLimit'),
    };
  }

  private async tryToRenew(
    secret: SessionSecret,
    limits: Limits,
    auditContext: AuditContext,
    transaction: Transaction,
  ): Promise<Attempt | undefined> {
    const account = await this.lockAccount(secret, auditContext, transaction);
    if (!account) return undefined;
    const { userId } = account;
    const [signIns] = await transaction.query<{ version: number }>({
      text: 'SELECT credential_version AS version FROM sign_ins WHERE user_id = $1 FOR NO KEY UPDATE',
      values: [userId],
    });
    const row =
      signIns && (await this.lockSession(account, signIns.version, secret, limits, transaction));
    if (!row?.isOpen) return { userId, outcome: 'ended' };
    if (!row.isCurrent && !row.isRecent) {
      await this.endReused(account, auditContext, transaction);
      return { userId, outcome: 'reused' };
    }
    const counted = await transaction.execute({
      text: 'UPDATE sign_ins SET issued_tokens = issued_tokens + 1 WHERE user_id = $1 AND issued_tokens < $2',
      values: [userId, limits.tokenLimit],
    });
    if (counted === 0) return { userId, outcome: 'full' };
    const cookie = await this.replaceSecret(account, row, secret, limits, transaction);
    const token = await this.issueToken(account, limits, auditContext, transaction);
    return { userId, outcome: { token, cookie } };
  }

  /** Finds and locks the account of a session if it may sign in from this address. */
  private async lockAccount(
    secret: SessionSecret,
    { address = '' }: AuditContext,
    transaction: Transaction,
  ): Promise<Account | undefined> {
    const [account] = await transaction.query<Account>({
      text: `SELECT b.id AS "sessionId", u.id AS "userId", u.login, u.sysadmin
        FROM browser_sessions b JOIN users u ON u.id = b.user_id
        WHERE b.hash = $1 AND u.status = ${USER_STATUS.active} FOR KEY SHARE OF u`,
      values: [secret.hash],
    });
    if (!account?.sysadmin) return account;
    const { sysadminAddresses } = await this.parameters.current();
    return sysadminAddresses.has(address) ? account : undefined;
  }

  private async lockSession(
    { sessionId }: Account,
    version: number,
    secret: SessionSecret,
    { idle, lifetime }: Limits,
    transaction: Transaction,
  ): Promise<SessionRow | undefined> {
    const [row] = await transaction.query<SessionRow>({
      text: `SELECT b.salt, b.current_hash = $4 AS "isCurrent",
          b.previous_hash IS NOT DISTINCT FROM $4 AND b.last_use_date > now() - interval '${GRACE} seconds' AS "isRecent",
          b.credential_version = $5 AND least(b.last_use_date + make_interval(secs => $2), b.creation_date + make_interval(secs => $3)) > now()
            AS "isOpen"
        FROM browser_sessions b WHERE b.id = $1 FOR NO KEY UPDATE`,
      values: [sessionId, idle, lifetime, secret.rotatingHash, version],
    });
    return row;
  }

  /** Replaces the secret, or recomputes the successor that a renewal has stored moments ago. */
  private async replaceSecret(
    { sessionId }: Account,
    { isCurrent, salt: lastSalt }: SessionRow,
    secret: SessionSecret,
    { idle, lifetime }: Limits,
    transaction: Transaction,
  ): Promise<SessionCookie> {
    const salt = isCurrent ? makeSalt() : lastSalt!;
    const next = secret.next(salt);
    const [renewed] = await transaction.query<{ maxAge: string }>({
      text: `UPDATE browser_sessions b SET last_use_date = CASE WHEN $4 THEN now() ELSE last_use_date END,
          expiration = ${EXPIRATION}, salt = $5, current_hash = $6, previous_hash = $7
        WHERE id = $1 RETURNING ceil(extract(epoch FROM expiration - now())) AS "maxAge"`,
      values: [sessionId, idle, lifetime, isCurrent, salt, next.rotatingHash, secret.rotatingHash],
    });
    return { secret: next, maxAge: Number(renewed!.maxAge) };
  }

  /** A token without a proof of identity, which only a sign-in or the password gives. */
  private async issueToken(
    { sessionId, userId }: Account,
    { lifetime, tokenLifetime }: Limits,
    { address = '' }: AuditContext,
    transaction: Transaction,
  ): Promise<IssuedToken> {
    const token = makeSecret();
    const [issued] = await transaction.query<{ expiration: string }>({
      text: `INSERT INTO tokens (user_id, browser_session_id, hash, address, expiration)
        SELECT $1, id, $4, $5, date_trunc('second', least(now() + make_interval(secs => $2),
          creation_date + make_interval(secs => $3)))
        FROM browser_sessions WHERE id = $6 RETURNING expiration`,
      values: [userId, tokenLifetime, lifetime, hashSecret(token), address, sessionId],
    });
    return { token, expiration: withoutMilliseconds(issued!.expiration) };
  }

  private async endReused(
    { sessionId, userId, login }: Account,
    auditContext: AuditContext,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.execute({
      text: 'DELETE FROM browser_sessions WHERE id = $1',
      values: [sessionId],
    });
    await this.audit.record(
      transaction,
      { ...auditContext, caller: { id: userId, login } },
      {
        action: 'end-sessions',
        objectUri: userUri(userId),
        after: { reason: 'a copied session cookie' },
      },
    );
  }
}
