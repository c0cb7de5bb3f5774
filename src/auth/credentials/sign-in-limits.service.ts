import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../base/config/parse-cidr-list.js';
import { Database, type Reader } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { tooManyRequests } from '../../base/errors/api-errors.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { lockEnd } from './lock-end.js';

/** Maximum duration of a lock in seconds. */
const MAX_LOCK = 86_400;

/** Maximum number of networks of earlier successes per user, and for how many days they are kept. */
const MAX_KNOWN = 20;
const KNOWN_DAYS = 90;

/** The counter that counted an attempt by password; its success resets only this counter. */
export type Counted = 'account' | 'known address';

/** Maximum number of throttled networks that a process remembers. */
const MAX_EXCEEDED = 10_000;

/** The limit of a network that is not throttled: its count cannot reach more. */
const UNLIMITED = 2 ** 31 - 1;

/** The result of counting an attempt. */
interface CountedRow {
  /** Whether the address has failed too often; `wait` is then in seconds. */
  exceeded: boolean;
  wait: string;
  /** The counter that counted it; neither while the account is locked. */
  known: boolean;
  account: boolean;
}

/** Increments the failure count; from `$3` on, locks the account, doubling the duration each time. */
const countFailure = (table: string) => `failures = ${table}.failures + 1,
  locked_until = CASE WHEN ${table}.failures + 1 >= $3::integer THEN
    now() + make_interval(secs => least(${MAX_LOCK}, $4::integer * 2 ^ least(${table}.failures + 1 - $3::integer, 30))) END`;
const notLocked = (table: string) =>
  `(${table}.locked_until IS NULL OR ${table}.locked_until <= now())`;

/**
 * Throttles addresses and locks accounts (docs/api-contract.md#sign-in). The database counts attempts before
 * they are evaluated (docs/decisions/0007), so that the limits hold across instances, restarts and parallel
 * guesses; a success decrements the count again. Failures from an address of an earlier success have a counter
 * of their own, so that an attacker elsewhere cannot lock the owner out.
 *
 * Overlapping sign-ins of one account write the same rows. To rule out deadlocks they all write in this order:
 * address_attempts, known_addresses, sign_ins, tokens; within each table in the order of its key.
 */
@Injectable()
export class SignInLimits {
  /** Seconds to wait, by network, for the networks that got a 429 within the last second. */
  private readonly exceeded = new LRUCache<string, number>({ max: MAX_EXCEEDED, ttl: 1_000 });

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.register('address_attempts', 'window_end < now()');
    housekeeping.register(
      'known_addresses',
      `last_login_date < now() - interval '${KNOWN_DAYS} days'`,
    );
    housekeeping.register(
      'known_addresses',
      `(user_id, address) IN (SELECT user_id, address FROM (SELECT user_id, address,
        row_number() OVER (PARTITION BY user_id ORDER BY last_login_date DESC) AS place
        FROM known_addresses) ranked WHERE place > ${MAX_KNOWN})`,
    );
  }

  /**
   * Rejects an address that has failed too often without asking the database, so that a flood of attempts
   * costs one statement per second.
   * @throws ApiError 429
   */
  refuseExceeded(address: string): void {
    const wait = this.exceeded.get(networkOf(address));
    if (wait !== undefined) throw tooManyRequests(wait);
  }

  /**
   * Counts an attempt. Other sessions see the count immediately; it reaches the disk within a second. Only a crash of
   * PostgreSQL could lose it, and a crashed server answers no guesses.
   * @param userId the account of the attempt; undefined when no account could sign in
   * @returns the counter for `succeeded`; undefined while the account is locked
   * @throws ApiError 429 when the address has failed too often
   */
  async count(userId: string | undefined, address: string): Promise<Counted | undefined> {
    this.refuseExceeded(address);
    const network = networkOf(address);
    const parameters = await this.parameters.current();
    const [row] = await this.database.query<CountedRow>({
      text: `WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
        address AS (
          INSERT INTO address_attempts AS a (address, attempts, window_end)
          SELECT $1::text, 1, now() + make_interval(secs => $6::integer) FROM unhurried
          ON CONFLICT (address) DO UPDATE SET
            attempts = CASE WHEN a.window_end <= now() THEN 1 ELSE a.attempts + 1 END,
            window_end = CASE WHEN a.window_end <= now() THEN excluded.window_end ELSE a.window_end END
          RETURNING attempts > $5::integer AS exceeded, extract(epoch FROM window_end - now()) AS wait),
        known AS (
          UPDATE known_addresses k SET ${countFailure('k')}
          WHERE k.user_id = $2::bigint AND k.address = $1 AND ${notLocked('k')} AND NOT (SELECT exceeded FROM address)
          RETURNING 1),
        account AS (
          INSERT INTO sign_ins AS s (user_id, failures) SELECT $2::bigint, 1
          WHERE $2::bigint IS NOT NULL AND NOT (SELECT exceeded FROM address)
            AND NOT EXISTS (SELECT 1 FROM known_addresses WHERE user_id = $2::bigint AND address = $1)
          ON CONFLICT (user_id) DO UPDATE SET ${countFailure('s')} WHERE ${notLocked('s')}
          RETURNING 1)
        SELECT exceeded, wait, EXISTS (SELECT 1 FROM known) AS known, EXISTS (SELECT 1 FROM account) AS account FROM address`,
      values: [
        network,
        userId ?? null,
        parameters.number('lockFailures'),
        parameters.number('lockDuration'),
        parameters.portals.has(address) ? UNLIMITED : parameters.number('throttleFailures'),
        parameters.number('throttleWindow'),
      ],
    });
    const { exceeded, wait, known, account } = row!;
    if (exceeded) {
      this.exceeded.set(network, Number(wait));
      throw tooManyRequests(Number(wait));
    }
    if (known) return 'known address';
    return account ? 'account' : undefined;
  }

  /** Decrements the count of an address after a successful attempt. */
  async refund(address: string): Promise<void> {
    await this.database.execute({ text: refundAttempts('$1'), values: [[networkOf(address)]] });
  }

  /** Decrements the counts after a successful attempt, and remembers its network. */
  async succeeded(userId: string, address: string, counted: Counted): Promise<void> {
    await this.database.execute({
      text: `WITH refund AS (${refundAttempts('$2')} RETURNING 1),
        remembered AS (
          ${rememberNetworks('SELECT $1::bigint, unnest($2::text[]) WHERE (SELECT count(*) FROM refund) >= 0', true)}
          RETURNING 1)
        UPDATE sign_ins SET failures = 0, locked_until = NULL
        WHERE user_id = $1 AND failures > 0 AND $3::boolean AND (SELECT count(*) FROM remembered) >= 0`,
      values: [userId, [networkOf(address)], counted === 'account'],
    });
  }

  /**
   * Decrements the counts after a right password whose second step is missing. Unlike `succeeded`, it forgives no earlier
   * failure: otherwise a guess of the code could follow each password.
   * @param refundsAddress whether that of the address too
   */
  async takeBack(
    userId: string,
    address: string,
    counted: Counted,
    { refundsAddress = true } = {},
  ): Promise<void> {
    const [table, condition] =
      counted === 'account'
        ? ['sign_ins', 'user_id = $1']
        : ['known_addresses', 'user_id = $1 AND address = ANY ($2)'];
    await this.database.execute({
      text: `WITH refund AS (${refundAttempts('$2')} AND $3::boolean RETURNING 1)
        UPDATE ${table} SET failures = failures - 1, locked_until = NULL
        WHERE ${condition} AND failures > 0 AND (SELECT count(*) FROM refund) >= 0`,
      values: [userId, [networkOf(address)], refundsAddress],
    });
  }

  /**
   * Unlocks a user and resets the failure counts, those of known addresses too.
   * @returns whether there was a lock
   */
  async unlock(userId: string, reader: Reader): Promise<boolean> {
    const [row] = await reader.rows({
      text: `SELECT ${lockEnd('$1::bigint')} IS NOT NULL`,
      values: [userId],
    });
    for (const table of ['known_addresses', 'sign_ins'])
      await reader.execute({
        text: `UPDATE ${table} SET failures = 0, locked_until = NULL WHERE user_id = $1 AND failures > 0`,
        values: [userId],
      });
    return row?.[0] === true;
  }
}

/**
 * SQL that decrements the count of each network by one.
 * @param networks the placeholder of an array
 */
export const refundAttempts = (networks: string): string =>
  `UPDATE address_attempts SET attempts = attempts - 1 WHERE address = ANY (${networks}::text[]) AND attempts > 0`;

/**
 * SQL that remembers the networks of successes. To spare a write per sign-in, it writes a row only when the
 * row is new, has failures to reset, or was last written an hour ago.
 * @param pairs a SELECT of user_id and network, without duplicates, in that order
 * @param resetsFailures whether the failures of these networks are forgotten: those of an attempt that was counted
 */
export const rememberNetworks = (pairs: string, resetsFailures: boolean): string =>
  `INSERT INTO known_addresses AS k (user_id, address) ${pairs}
  ON CONFLICT (user_id, address) DO UPDATE SET ${resetsFailures ? 'failures = 0, locked_until = NULL,' : ''} last_login_date = now()
  WHERE ${resetsFailures ? 'k.failures > 0 OR' : ''} k.last_login_date < now() - interval '1 hour'`;
