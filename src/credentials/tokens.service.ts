import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Reader } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { Notifications } from '../database/notifications.js';
import { type Bindings, withParts } from '../listing/attribute.js';
import type { Caller, Locale } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import type { PresentedKey } from './api-keys.service.js';
import { hashSecret, makeSecret } from './secret.js';

/** The 51st token of a user ends the oldest (decisions: Tokens and credentials). */
const MAX_TOKENS = 50;

/** Callers remembered by one process. */
const MAX_REMEMBERED = 50_000;

/** A token of the shape that this server makes; anything else needs no look-up. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Whom a token is issued to. */
export interface TokenHolder {
  userId: string;
  address: string;
  /** The API key that signed in: the token ends with it. */
  apiKey?: PresentedKey | undefined;
}

/** interface: Authentication token. */
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
   * Issues a token to each; the lifetime is fixed from now on.
   * @param others SQL of what else is written, in one statement with them, so that signing in costs
   * one way to the database
   * @param turn which of them overlapping sign-ins of a user follow each other by: it returns rows
   * @param waited how long they waited before, in milliseconds
   */
  async issue(
    holders: TokenHolder[],
    { bind, values }: Bindings,
    others: Record<string, string>,
    turn: string,
    waited: number,
  ): Promise<IssuedToken[]> {
    const tokens = holders.map(() => makeSecret());
    const lifetime = (await this.parameters.current()).number('tokenLifetime');
    const columns = [
      `${bind(holders.map(({ userId }) => userId))}::bigint[]`,
      `${bind(tokens.map(hashSecret))}::bytea[]`,
      `${bind(holders.map(({ address }) => address))}::text[]`,
      `${bind(holders.map(({ apiKey }) => apiKey?.id ?? null))}::bigint[]`,
      `${bind(holders.map(({ apiKey }) => apiKey?.expiration ?? null))}::timestamptz[]`,
    ];
    const parts = {
      ...others,
      given: `SELECT user_id, hash, address, api_key_id, place,
          least(date_trunc('second', now()) + make_interval(secs => ${bind(lifetime)}),
            date_trunc('second', key_expiration)) AS expiration
        FROM unnest(${columns.join(', ')}) WITH ORDINALITY
          AS given (user_id, hash, address, api_key_id, key_expiration, place)`,
      token: `INSERT INTO tokens (user_id, hash, address, api_key_id, expiration)
        SELECT user_id, hash, address, api_key_id, expiration FROM given
        WHERE (SELECT count(*) FROM ${turn}) > 0
        RETURNING user_id`,
      ended: `SELECT end_excess_tokens(array_agg(user_id), ${MAX_TOKENS}) AS any FROM token`,
    };
    const rows = await this.database.rows(
      {
        text: `${withParts(parts)} SELECT expiration, ended.any FROM given, ended ORDER BY place`,
        values,
      },
      waited,
    );
    if (rows[0]![1] === true) await this.notifications.settle();
    return rows.map(([expiration], at) => ({
      token: tokens[at]!,
      expiration: withoutMilliseconds(String(expiration)),
    }));
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

  /** Ends one token; answers whether there was one. */
  async revoke(tokenId: string, reader: Reader): Promise<void> {
    await reader.rows({ text: 'DELETE FROM tokens WHERE id = $1', values: [tokenId] });
  }

  private async lookUp(hash: Buffer, key: string): Promise<Caller | undefined> {
    const { generation } = this;
    const asked = performance.now();
    const [row] = await this.database.rows({
      text: `SELECT u.id, u.login, u.title, u.administrator, u.process_engine, u.sysadmin, u.locale,
          t.id, t.expiration, extract(epoch FROM t.expiration - now()) * 1000
        FROM tokens t JOIN users u ON u.id = t.user_id
        WHERE t.hash = $1 AND t.expiration > now() AND u.status = 1`,
      values: [hash],
    });
    if (!row) return undefined;
    const caller = presentCaller(row);
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

const presentCaller = (row: unknown[]): Caller => ({
  id: String(row[0]),
  login: String(row[1]),
  title: String(row[2]),
  administrator: row[3] === true,
  processEngine: row[4] === true,
  sysadmin: row[5] === true,
  locale: row[6] as Locale,
  tokenId: String(row[7]),
  expiration: withoutMilliseconds(String(row[8])),
});

/** The token's expiration alone has no milliseconds (interface: Authentication token). */
const withoutMilliseconds = (timestamp: string): string => timestamp.replace(/\.\d{3}Z$/, 'Z');
