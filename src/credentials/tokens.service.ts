import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Reader } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { tooManyRequests } from '../errors/api-errors.js';
import { Notifications } from '../database/notifications.js';
import { type Bindings, withParts } from '../database/bindings.js';
import type { Caller, Locale } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import { PROOF_SECONDS } from '../security/recent-proof.js';
import { cidrSet } from '../security/cidr-set.js';
import type { PresentedKey } from './api-keys.service.js';
import { hashSecret, makeSecret } from './secret.js';

/** Callers remembered by one process. */
const MAX_REMEMBERED = 50_000;

/** Sign-ins in one statement do not wait long for a row: each is then tried alone. */
const HURRIED = `SELECT set_config('lock_timeout', '50ms', true)`;

/** A token of the shape that this server makes; anything else needs no look-up. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Whom a token is issued to. */
export interface TokenHolder {
  userId: string;
  address: string;
  /** The version of the user's credentials that was verified. */
  version: number;
  /** How long ago they proved who they are, in seconds; undefined for an API key, which proves nothing. */
  proofAge: number | undefined;
  /** The API key that signed in: the token ends with it. */
  apiKey?: PresentedKey | undefined;
}

/** The SQL of what an issuing statement writes beside the tokens. */
interface IssuingParts {
  /** Reads `present`, the users that are there and active, in the order in which sign-ins may wait for each other. */
  before: Record<string, string>;
  signedIn: string;
  /** May read `issued`, which has the place of every holder that got a token. */
  after: Record<string, string>;
}

/** The response to a sign-in (docs/api-contract.md#tokens). */
export interface IssuedToken {
  token: string;
  expiration: string;
}

/** Tokens: 256 random bits, of which the database keeps the SHA-256; valid by database time. */
@Injectable()
export class TokensService {
  private readonly remembered = new LRUCache<string, { caller: Caller; deadline: number }>({
    max: MAX_REMEMBERED,
  });
  /** Tokens that were remembered, and those that the database was asked for, since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  /** Counts revocations, so that a look-up that one overtook is not remembered. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly parameters: ParametersService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('tokens', 'expiration < now()');
    housekeeping.register('invitations', 'expiration < now()');
    notifications.subscribe({
      channel: 'callers',
      changed: (userId) => this.forget(userId),
      reset: () => this.forget(),
    });
  }

  /**
   * Issues a token to each holder in one statement; the lifetime is fixed from now on. A token is
   * issued only for what is still true: the row of sign_ins that `signedIn` writes must hold the
   * version of the credentials that was verified. Every change of a credential raises it before it
   * ends the tokens, and both write that row, so one of them sees the other.
   * @param parts SQL of what else is written, so that signing in costs one way to the database;
   * `signedIn` writes those rows and returns user_id and credential_version
   * @param waited how long the holders waited before, in milliseconds
   * @param hurried to give up soon when a row is locked (55P03)
   * @returns in the order of the holders; undefined where a credential was changed meanwhile,
   * or the user holds as many tokens as allowed
   */
  async issue(
    holders: TokenHolder[],
    { bind, values }: Bindings,
    { signedIn, before, after }: IssuingParts,
    { waited, hurried }: { waited: number; hurried: boolean },
  ): Promise<(IssuedToken | undefined)[]> {
    const tokens = holders.map(() => makeSecret());
    const lifetime = (await this.parameters.current()).number('tokenLifetime');
    const columns = [
      `${bind(holders.map(({ userId }) => userId))}::bigint[]`,
      `${bind(tokens.map(hashSecret))}::bytea[]`,
      `${bind(holders.map(({ address }) => address))}::text[]`,
      `${bind(holders.map(({ apiKey }) => apiKey?.id ?? null))}::bigint[]`,
      `${bind(holders.map(({ apiKey }) => apiKey?.expiration ?? null))}::timestamptz[]`,
      `${bind(holders.map(({ version }) => version))}::integer[]`,
      `${bind(holders.map(({ proofAge }) => proofAge ?? null))}::double precision[]`,
    ];
    const parts = {
      ...(hurried ? { hurried: HURRIED } : {}),
      given: `SELECT * FROM unnest(${columns.join(', ')}) WITH ORDINALITY
        AS given (user_id, hash, address, api_key_id, key_expiration, version, proof_age, place)`,
      // The account first, as a deletion takes its locks: the other way round each would wait for the other.
      present: `SELECT id AS user_id FROM users WHERE id IN (SELECT user_id FROM given) AND status = 1
        ${hurried ? 'AND (SELECT count(*) FROM hurried) > 0' : ''} ORDER BY id FOR KEY SHARE`,
      ...before,
      signed_in: signedIn,
      token: `INSERT INTO tokens (user_id, hash, address, api_key_id, expiration, proof_date)
        SELECT user_id, hash, address, api_key_id,
          least(date_trunc('second', now()) + make_interval(secs => ${bind(lifetime)}),
            date_trunc('second', key_expiration)),
          now() - make_interval(secs => proof_age)
        FROM given JOIN signed_in USING (user_id) WHERE version = credential_version
        RETURNING hash, expiration`,
      issued: 'SELECT place, expiration FROM given JOIN token USING (hash)',
      ...after,
    };
    const rows = await this.database.rows(
      {
        text: `${withParts(parts)} SELECT place::integer, expiration FROM issued`,
        values,
      },
      waited,
    );
    const expirations = new Map(rows.map(([place, expiration]) => [place, String(expiration)]));
    return tokens.map((token, at) => {
      const expiration = expirations.get(at + 1);
      return expiration === undefined
        ? undefined
        : { token, expiration: withoutMilliseconds(expiration) };
    });
  }

  /** Who is behind a token; undefined when it is unknown, expired or revoked, or the user is not active. */
  async find(token: string): Promise<Caller | undefined> {
    if (!SHAPE.test(token)) return undefined;
    const hash = hashSecret(token);
    const key = hash.toString('base64');
    const known = this.remembered.get(key);
    if (known && this.notifications.isLive && performance.now() < known.deadline) {
      this.lookups.hits++;
      return known.caller;
    }
    this.lookups.misses++;
    return this.lookUp(hash, key);
  }

  /**
   * Compares the count of issued tokens with those that are valid: many may have ended since.
   * @throws ApiError 429 when a user holds as many as the server parameter allows
   */
  async requireRoom(userId: string): Promise<void> {
    const limit = (await this.parameters.current()).number('tokenLimit');
    const wait = await this.database.transaction(async (transaction) => {
      // Locked first, so that the count includes the tokens of every sign-in that came before.
      const user = { values: [userId] };
      await transaction.rows({
        text: 'SELECT 1 FROM sign_ins WHERE user_id = $1 FOR NO KEY UPDATE',
        ...user,
      });
      const [row] = await transaction.rows({
        text: `SELECT count(*)::integer, extract(epoch FROM min(expiration) - now())
          FROM tokens WHERE user_id = $1 AND expiration > now()`,
        ...user,
      });
      const [valid, next] = row!;
      await transaction.rows({
        text: 'UPDATE sign_ins SET issued_tokens = $2 WHERE user_id = $1',
        values: [userId, valid],
      });
      return Number(valid) < limit ? undefined : Number(next);
    });
    if (wait !== undefined) throw tooManyRequests(wait);
  }

  /**
   * Notes that the holder of a token has just proved who they are, by the password of this hash.
   * @returns whether that is still the password, and the token still valid
   */
  async confirm({ tokenId, id }: Caller, hash: string): Promise<boolean> {
    const [row] = await this.database.rows({
      text: `UPDATE tokens SET proof_date = now() WHERE id = $1 AND api_key_id IS NULL
        AND EXISTS (SELECT 1 FROM passwords WHERE user_id = $2 AND hash = $3) RETURNING 1`,
      values: [tokenId, id, hash],
    });
    await this.notifications.waitUntilDelivered();
    return row !== undefined;
  }

  /** Ends one token. */
  async revoke(tokenId: string, reader: Reader): Promise<void> {
    await reader.rows({ text: 'DELETE FROM tokens WHERE id = $1', values: [tokenId] });
  }

  private async lookUp(hash: Buffer, key: string): Promise<Caller | undefined> {
    const { generation } = this;
    const asked = performance.now();
    const [row] = await this.database.rows({
      text: `SELECT u.id, u.login, u.title, u.administrator, u.process_engine, u.sysadmin, u.locale,
          t.id, t.expiration, extract(epoch FROM t.expiration - now()) * 1000,
          extract(epoch FROM now() - t.proof_date) * 1000, k.addresses,
          t.api_key_id IS NOT NULL
        FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN api_keys k ON k.id = t.api_key_id
        WHERE t.hash = $1 AND t.expiration > now() AND u.status = 1`,
      values: [hash],
    });
    if (!row) return undefined;
    const caller = presentCaller(row, asked);
    // A wall clock can jump; the time that is left cannot.
    const deadline = asked + Number(row[9]);
    if (generation === this.generation && this.notifications.isLive)
      this.remembered.set(key, { caller, deadline });
    return caller;
  }

  private forget(userId?: string): void {
    this.generation++;
    if (userId === undefined) this.remembered.clear();
    for (const [key, { caller }] of this.remembered.entries())
      if (caller.id === userId) this.remembered.delete(key);
  }
}

const presentCaller = (row: unknown[], asked: number): Caller => ({
  id: String(row[0]),
  login: String(row[1]),
  title: String(row[2]),
  administrator: row[3] === true,
  processEngine: row[4] === true,
  sysadmin: row[5] === true,
  locale: row[6] as Locale,
  tokenId: String(row[7]),
  expiration: withoutMilliseconds(String(row[8])),
  provenUntil: typeof row[10] === 'string' ? asked + PROOF_SECONDS * 1000 - Number(row[10]) : 0,
  isKey: row[12] === true,
  keyAddresses: typeof row[11] === 'string' ? cidrSet(row[11]) : undefined,
});

/** The token's expiration alone has no milliseconds (docs/api-contract.md#tokens). */
const withoutMilliseconds = (timestamp: string): string => timestamp.replace(/\.\d{3}Z$/, 'Z');
