import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Reader } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { tooManyRequests } from '../../base/errors/api-errors.js';
import { Notifications } from '../../database/notifications.js';
import type { Change } from '../../journal/change.js';
import { LastChanges } from '../../journal/last-changes.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import type { Caller } from '../../security/caller.js';
import type { VerifiedBy } from './directory-passwords.service.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { PROOF_SECONDS } from '../../security/recent-proof.js';
import { Rights } from '../../base/rights/rights.js';
import { USER_STATUS } from '../../security/user-status.js';
import { cidrSet } from '../../security/cidr-set.js';
import { hashSecret, makeSecret } from './secret.js';
import { reason } from '../../base/errors/reason.js';

/** Maximum number of callers in the cache of a process. */
const MAX_REMEMBERED = 50_000;

/** How long a token of a person lasts that a service account gets, in seconds. */
const BEHALF_SECONDS = 300;

/** The shape of a token; anything else needs no look-up. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The row of a valid token and its user; times are numerics in milliseconds. */
interface CallerRow extends Omit<
  Caller,
  'provenUntil' | 'validUntil' | 'keyAddresses' | 'rights' | 'agent'
> {
  rights: string;
  keyPermissions: string[] | null;
  agentId: string | null;
  agentLogin: string | null;
  agentRights: string | null;
  remainingTime: string;
  proofAge: string | null;
  keyAddresses: string | null;
}

/** A caller, and when their look-up began. */
interface Remembered {
  caller: Caller;
  time: number;
}

/** The callers whose tokens are valid, for further conditions. */
const VALID_CALLERS = `SELECT u.id, u.login, u.title, u.rights::text, u.sysadmin, u.locale,
    t.id AS "tokenId", t.expiration, extract(epoch FROM t.expiration - now()) * 1000 AS "remainingTime",
    extract(epoch FROM now() - t.proof_date) * 1000 AS "proofAge", k.addresses AS "keyAddresses",
    t.api_key_id IS NOT NULL AS "isKey", t.browser_session_id AS "browserSessionId",
    t.adds_second_step AS "addsSecondStep", u.service AS "isService", k.permissions AS "keyPermissions",
    a.id AS "agentId", a.login AS "agentLogin", a.rights::text AS "agentRights",
    coalesce(a.calls_per_minute, u.calls_per_minute) AS "callsPerMinute"
  FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN api_keys k ON k.id = t.api_key_id
    LEFT JOIN users a ON a.id = t.agent_id
  WHERE t.expiration > now() AND u.status = ${USER_STATUS.active} AND (a.id IS NULL OR a.status = ${USER_STATUS.active})`;

/** Tokens: 256 random bits, of which the database stores the SHA-256. Their validity follows the clock of the database. */
@Injectable()
export class TokensService {
  private readonly remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  /** Hits and misses of the cache since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  /** Counts changes that may affect callers. A caller whose look-up began before the last one is looked up again. */
  private time = 0;
  private lastReset = 0;
  private readonly lastChanges = new LastChanges();

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly parameters: ParametersService,
    barrier: ReadBarrier,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('tokens', 'expiration < now()');
    housekeeping.register('invitations', 'expiration < now()');
    notifications.subscribe({
      channel: 'callers',
      changed: (userId) =>
        userId === '' ? this.forgetAll() : this.lastChanges.note(userId, ++this.time),
      reset: () => this.forgetAll(),
    });
    barrier.subscribe({
      changed: (changes) => this.note(changes),
      reset: () => this.forgetAll(),
    });
  }

  /**
   * The caller of a token; undefined when it is unknown, expired or revoked, or its user is not active.
   * @param fresh whether to bypass the cache
   */
  async find(token: string, { fresh = false } = {}): Promise<Caller | undefined> {
    if (!SHAPE.test(token)) return undefined;
    const hash = hashSecret(token);
    const key = hash.toString('base64');
    const known = this.remembered.get(key);
    if (known && !fresh && this.isCurrent(known)) {
      this.lookups.hits++;
      return known.caller;
    }
    this.lookups.misses++;
    return this.lookUp(hash, key);
  }

  /**
   * The callers of valid tokens by token id, in one statement.
   * @param tokenIds the ids of tokens, of which some may have ended
   */
  async findValid(tokenIds: string[], reader: Pick<Reader, 'query'>): Promise<Map<string, Caller>> {
    const asked = performance.now();
    const rows = await reader.query<CallerRow>({
      text: `${VALID_CALLERS} AND t.id = ANY ($1::bigint[])`,
      values: [tokenIds],
    });
    return new Map(rows.map((row) => [row.tokenId, presentCaller(row, asked)]));
  }

  /**
   * Recounts the tokens of a user, whose count of issued tokens includes those that have ended since.
   * @throws ApiError 429 when a user holds as many as the server parameter allows
   */
  async enforceLimit(userId: string): Promise<void> {
    const limit = (await this.parameters.current()).number('tokenLimit');
    const wait = await this.database.transaction(async (transaction) => {
      // Locks first, so that the count includes the tokens of every earlier sign-in.
      const user = { values: [userId] };
      await transaction.execute({
        text: 'SELECT 1 FROM sign_ins WHERE user_id = $1 FOR NO KEY UPDATE',
        ...user,
      });
      const [tokens] = await transaction.query<{ valid: number; wait: string }>({
        text: `SELECT count(*)::integer AS valid, extract(epoch FROM min(expiration) - now()) AS wait
          FROM tokens WHERE user_id = $1 AND expiration > now() AND agent_id IS NULL`,
        ...user,
      });
      const { valid, wait } = tokens!;
      await transaction.execute({
        text: 'UPDATE sign_ins SET issued_tokens = $2 WHERE user_id = $1',
        values: [userId, valid],
      });
      return valid < limit ? undefined : Number(wait);
    });
    if (wait !== undefined) throw tooManyRequests(wait, reason('too-many-tokens', { max: limit }));
  }

  /**
   * Records that the holder of a token has just presented the password of this hash, or a passkey.
   * @param proof the hash, the provider whose directory has verified the password, or the id of the passkey in Base64url
   * @returns false when the password or passkey has changed since, or the token is no longer valid
   */
  async confirm(
    { tokenId, id }: Caller,
    proof: VerifiedBy | { passkeyId: string },
  ): Promise<boolean> {
    const [table, value] =
      'passwordHash' in proof
        ? ['passwords WHERE hash', proof.passwordHash]
        : 'provider' in proof
          ? [
              '(SELECT id AS user_id, managed_by_id FROM users) u WHERE managed_by_id',
              proof.provider,
            ]
          : ['second_steps WHERE credential_id', Buffer.from(proof.passkeyId, 'base64url')];
    const confirmed = await this.database.execute({
      text: `UPDATE tokens SET proof_date = now() WHERE id = $1 AND api_key_id IS NULL
        AND EXISTS (SELECT 1 FROM ${table} = $3 AND user_id = $2)`,
      values: [tokenId, id, value],
    });
    await this.notifications.waitUntilDelivered();
    return confirmed > 0;
  }

  /**
   * Issues a short token of a person to a service account. It ends with the key of that account, and lasts no longer than the
   * token of the call.
   * @returns the token, and its lifetime in seconds
   * @throws ApiError 429 when the account holds as many tokens of this person as one may have
   */
  async issueFor(
    agent: Caller,
    { id, address }: { id: string; address: string },
    reader: Reader,
  ): Promise<{ token: string; expiration: string; lifetime: number }> {
    const max = (await this.parameters.current()).number('tokenLimit');
    const token = makeSecret();
    const [row] = await reader.query<{ expiration: string; lifetime: string }>({
      text: `INSERT INTO tokens (user_id, agent_id, api_key_id, hash, address, expiration)
        SELECT $1, t.user_id, t.api_key_id, $2, $3,
          least(date_trunc('second', now()) + make_interval(secs => ${BEHALF_SECONDS}), t.expiration)
        FROM tokens t WHERE t.id = $4 AND $5 >
          (SELECT count(*) FROM tokens o WHERE o.agent_id = t.user_id AND o.user_id = $1 AND o.expiration > now())
        RETURNING expiration, extract(epoch FROM expiration - now()) AS lifetime`,
      values: [id, hashSecret(token), address, agent.tokenId, max],
    });
    if (!row) throw tooManyRequests(BEHALF_SECONDS, reason('too-many-tokens', { max }));
    return {
      token,
      expiration: withoutMilliseconds(row.expiration),
      lifetime: Math.floor(Number(row.lifetime)),
    };
  }

  /** Ends the session of a caller: the browser session with all of its tokens, or the token alone. */
  async revoke({ tokenId, browserSessionId }: Caller, reader: Reader): Promise<void> {
    await reader.execute(
      browserSessionId === null
        ? { text: 'DELETE FROM tokens WHERE id = $1', values: [tokenId] }
        : { text: 'DELETE FROM browser_sessions WHERE id = $1', values: [browserSessionId] },
    );
  }

  private async lookUp(hash: Buffer, key: string): Promise<Caller | undefined> {
    const { time } = this;
    const asked = performance.now();
    const [row] = await this.database.query<CallerRow>({
      text: `${VALID_CALLERS} AND t.hash = $1`,
      values: [hash],
    });
    if (!row) return undefined;
    const caller = presentCaller(row, asked);
    this.remembered.set(key, { caller, time });
    return caller;
  }

  private isCurrent({ caller, time }: Remembered): boolean {
    if (!this.notifications.isLive || performance.now() >= caller.validUntil) return false;
    const accounts = caller.agent ? [caller.id, caller.agent.id] : [caller.id];
    return time >= this.lastReset && !this.lastChanges.isAfter(time, accounts);
  }

  /**
   * The journal shows a change of an account no later than its acknowledgement; a notification arrives a moment later.
   */
  private note(changes: Change[]): void {
    const time = ++this.time;
    for (const { kind, object } of changes) {
      if (kind !== 'users') continue;
      if (object === null) this.lastReset = time;
      else this.lastChanges.note(object, time);
    }
  }

  private forgetAll(): void {
    this.lastReset = ++this.time;
    this.remembered.clear();
  }
}

/** Turns a row into its caller; `asked` is the time of the query (performance.now()). */
function presentCaller(row: CallerRow, asked: number): Caller {
  const { remainingTime, proofAge, keyAddresses, expiration, rights, ...rest } = row;
  const { keyPermissions, agentId, agentLogin, agentRights, ...caller } = rest;
  // Who acts for a person may do what both may everywhere.
  const limit =
    agentRights === null
      ? keyPermissions
      : Rights.of(agentRights, false, keyPermissions).textsEverywhere;
  const own = Rights.of(rights, caller.sysadmin, limit);
  return {
    ...caller,
    agent: agentId === null ? null : { id: agentId, login: agentLogin! },
    rights: agentId === null ? own : own.everywhere,
    limit,
    expiration: withoutMilliseconds(expiration),
    // A wall clock can jump; a remaining duration cannot.
    validUntil: asked + Number(remainingTime),
    provenUntil: proofAge === null ? 0 : asked + PROOF_SECONDS * 1000 - Number(proofAge),
    keyAddresses: keyAddresses === null ? undefined : cidrSet(keyAddresses),
  };
}

/** Removes the milliseconds: only the expiration of a token has none (docs/api-contract.md#tokens). */
export const withoutMilliseconds = (timestamp: string): string =>
  timestamp.replace(/\.\d{3}Z$/, 'Z');
