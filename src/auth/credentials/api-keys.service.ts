import { Injectable } from '@nestjs/common';
import { networkOf } from '../../base/config/parse-cidr-list.js';
import { Batcher } from '../../base/concurrency/batcher.js';
import { ApiKey } from './api-key.entity.js';
import { hashSecret, makeSecret } from './secret.js';
import { Database, type Transaction } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { conflict, invalidField, notFound } from '../../base/errors/api-errors.js';
import { AuditService, type AuditContext } from '../../security/audit.service.js';
import { cidrSet } from '../../security/cidr-set.js';
import { USER_STATUS } from '../../security/user-status.js';
import { lockUser } from '../../security/lock-user.js';
import { userUri } from '../../security/user-uri.js';
import { reason } from '../../base/errors/reason.js';

/** The prefix of every key, by which people and secret scanners recognise one. */
const PREFIX = 'ppk_';
const SHAPE = /^ppk_[A-Za-z0-9_-]{43}$/;

/** Number of characters that lists show of a key, to tell keys apart. */
const SHOWN = 12;

/** Maximum number of keys of a user. */
const MAX_KEYS = 20;

/** The options of a new key; null means no limit. */
export interface ApiKeyOptions {
  name: string;
  expiration: string | null;
  addresses: string | null;
  /** Permissions as roles have them, within the rights of the account. */
  permissions: string[] | null;
}

/** A new API key as the list shows it, with the key itself. */
export interface NewApiKey extends Omit<ApiKeyOptions, 'expiration'> {
  id: string;
  expiration: Date | null;
  prefix: string;
  creationDate: Date;
  lastUseDate: null;
  lastUseAddress: null;
  key: string;
}

/** The credentials of a sign-in with a key, and its address. */
interface Presented {
  login: string;
  key: string;
  address: string;
}

/** A key that allows the address from which it was presented. */
export interface PresentedKey {
  id: string;
  expiration: string | null;
}

/** The user of a login, with the presented key if it belongs to this user. */
export interface KeyOwner {
  id: string;
  login: string;
  isActive: boolean;
  sysadmin: boolean;
  key: PresentedKey | undefined;
  locked: boolean;
  /** The version of the user's credentials. */
  version: number;
}

/** The options of a new key, and the prefix of the key that it replaces. */
interface Replaced extends ApiKeyOptions {
  replaces?: string;
}

/** A row of the look-up; `place` is the position of the presented key, from 1. */
interface KeyOwnerRow {
  place: number;
  id: string;
  login: string;
  status: number;
  sysadmin: boolean;
  keyId: string | null;
  expiration: string | null;
  addresses: string | null;
  locked: boolean | null;
  version: number;
}

/** Whether a password has the shape of an API key. */
export const isApiKey = (password: string): boolean => SHAPE.test(password);

/** API keys: 256 random bits after a prefix. The database stores their SHA-256. */
@Injectable()
export class ApiKeysService {
  private readonly finding = new Batcher((presented: Presented[], waited) =>
    this.findAll(presented, waited),
  );

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a key and audits it.
   * @returns the key itself too, which the server never shows again
   * @throws ApiError 400 for a key of a service account that does not expire; 409 when the account has `MAX_KEYS` keys
   */
  create(auditContext: AuditContext, userId: string, options: ApiKeyOptions): Promise<NewApiKey> {
    const expiration = options.expiration === null ? null : new Date(options.expiration);
    return this.database.transaction(async (transaction) => {
      await requireFewerKeys(transaction, userId);
      if (expiration === null) await requirePerson(transaction, userId);
      return this.insert(transaction, auditContext, userId, { ...options, expiration });
    });
  }

  /**
   * Replaces a key by a new one with the same name, addresses, permissions and lifetime, and audits it.
   * @param overlap hours for which the old key and its tokens stay valid at most
   * @throws ApiError 404, 409 when the account has `MAX_KEYS` keys
   */
  async rotate(
    auditContext: AuditContext,
    userId: string,
    { keyId, overlap }: { keyId: string; overlap: number },
  ): Promise<NewApiKey> {
    const key = await this.database.transaction(async (transaction) => {
      await requireFewerKeys(transaction, userId);
      const [old] = await transaction.query<Replaced>({
        text: `UPDATE api_keys k SET expiration = least(o.expiration, now() + make_interval(hours => $3))
          FROM api_keys o WHERE k.id = $2 AND k.user_id = $1 AND o.id = k.id
            AND (o.expiration IS NULL OR o.expiration > now())
          RETURNING k.name, k.addresses, k.permissions, k.prefix AS replaces, now() + (o.expiration - o.creation_date) AS expiration`,
        values: [userId, keyId, overlap],
      });
      if (!old) throw notFound();
      await transaction.execute({
        text: `UPDATE tokens SET expiration = now() + make_interval(hours => $2)
          WHERE api_key_id = $1 AND expiration > now() + make_interval(hours => $2)`,
        values: [keyId, overlap],
      });
      const { expiration, ...options } = old;
      const ends = expiration === null ? null : new Date(expiration);
      return this.insert(transaction, auditContext, userId, { ...options, expiration: ends });
    });
    await this.notifications.waitUntilDelivered();
    return key;
  }

  private async insert(
    transaction: Transaction,
    auditContext: AuditContext,
    userId: string,
    { replaces, name, ...limits }: Omit<Replaced, 'expiration'> & { expiration: Date | null },
  ): Promise<NewApiKey> {
    const key = makeSecret(PREFIX);
    const prefix = key.slice(0, SHOWN);
    const shown = { name, prefix, ...limits };
    const stored = { userId, hash: hashSecret(key), ...shown };
    const { generatedMaps } = await transaction.of(ApiKey).insert(stored);
    const { id, creationDate } = generatedMaps[0] as Pick<ApiKey, 'id' | 'creationDate'>;
    await this.audit.record(transaction, auditContext, {
      action: 'create-api-key',
      objectUri: userUri(userId),
      after: { ...shown, replaces },
    });
    return { id, ...shown, creationDate, lastUseDate: null, lastUseAddress: null, key };
  }

  /**
   * Deletes all keys of a user, or one, with the tokens issued for them, and audits it.
   * @returns the number of deleted keys
   */
  async delete(auditContext: AuditContext, userId: string, keyId?: string): Promise<number> {
    const deleted = await this.database.transaction(async (transaction) => {
      // Plain SQL, because a repository does not return the rows that it deletes.
      const keys = await transaction.query<Pick<ApiKey, 'name' | 'prefix'>>({
        text: `DELETE FROM api_keys WHERE user_id = $1 AND ($2::bigint IS NULL OR id = $2)
          RETURNING name, prefix`,
        values: [userId, keyId ?? null],
      });
      for (const before of keys)
        await this.audit.record(transaction, auditContext, {
          action: 'delete-api-key',
          objectUri: userUri(userId),
          before,
        });
      return keys.length;
    });
    await this.notifications.waitUntilDelivered();
    return deleted;
  }

  /** The login of the account of a key; undefined for an unknown key. */
  async loginOf(key: string): Promise<string | undefined> {
    const [row] = await this.database.rows({
      text: 'SELECT u.login FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.hash = $1',
      values: [hashSecret(key)],
    });
    return row && String(row[0]);
  }

  /** The user of a login; the key is undefined when it is not theirs, has expired or does not allow the address. */
  find(presented: Presented): Promise<KeyOwner | undefined> {
    return this.finding.run(presented);
  }

  private async findAll(presented: Presented[], waited: number): Promise<(KeyOwner | undefined)[]> {
    const rows = await this.database.query<KeyOwnerRow>(
      {
        text: `SELECT given.place::integer, u.id, u.login, u.status, u.sysadmin, k.id AS "keyId", k.expiration, k.addresses,
            CASE WHEN a.user_id IS NULL THEN s.locked_until > now() ELSE a.locked_until > now() END AS locked,
            coalesce(s.credential_version, 0) AS version
          FROM unnest($1::text[], $2::bytea[], $3::text[]) WITH ORDINALITY AS given (login, hash, network, place)
            JOIN users u ON login_key(u.login) = login_key(given.login)
            LEFT JOIN api_keys k ON k.user_id = u.id AND k.hash = given.hash
              AND (k.expiration IS NULL OR k.expiration > now())
            LEFT JOIN sign_ins s ON s.user_id = u.id
            LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = given.network`,
        values: [
          presented.map(({ login }) => login),
          presented.map(({ key }) => hashSecret(key)),
          presented.map(({ address }) => networkOf(address)),
        ],
      },
      waited,
    );
    const owners = new Map(rows.map((row) => [row.place, row]));
    return presented.map(({ address }, at) => {
      const owner = owners.get(at + 1);
      return owner && ownerOf(owner, address);
    });
  }
}

/** Serializes parallel calls for one user, so that each counts the keys of the others. */
async function requireFewerKeys(transaction: Transaction, userId: string): Promise<void> {
  await lockUser(transaction, userId);
  const count = await transaction.of(ApiKey).countBy({ userId });
  if (count >= MAX_KEYS) throw conflict(reason('too-many-keys', { max: MAX_KEYS }));
}

/** @throws ApiError 400 for a service account, whose keys expire */
async function requirePerson(transaction: Transaction, userId: string): Promise<void> {
  const [row] = await transaction.query<{ service: boolean }>({
    text: 'SELECT service FROM users WHERE id = $1',
    values: [userId],
  });
  if (row?.service) throw invalidField('expiration', reason('required'));
}

function ownerOf(row: KeyOwnerRow, address: string): KeyOwner {
  const { id, login, status, sysadmin, keyId, expiration, addresses, locked, version } = row;
  const mayBeUsedHere = addresses === null || cidrSet(addresses).has(address);
  return {
    id,
    login,
    isActive: status === USER_STATUS.active,
    sysadmin,
    key: keyId !== null && mayBeUsedHere ? { id: keyId, expiration } : undefined,
    locked: locked === true,
    version,
  };
}
