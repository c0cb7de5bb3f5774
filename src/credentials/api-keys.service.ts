import { Injectable } from '@nestjs/common';
import { networkOf } from '../config/parse-cidr-list.js';
import { Batcher } from '../concurrency/batcher.js';
import { Database, type Row, type Transaction } from '../database/database.js';
import { conflict } from '../errors/api-errors.js';
import { cidrSet } from '../security/cidr-set.js';
import { hashSecret, makeSecret } from './secret.js';

/** What a key begins with, so that people and secret scanners recognise one. */
const PREFIX = 'ppk_';
const SHAPE = /^ppk_[A-Za-z0-9_-]{43}$/;

/** Characters of a key that are shown later, to tell keys apart. */
const SHOWN = 12;

/** Keys of one user. */
const MAX_KEYS = 20;

/** What a key is made with; null is no limit. */
export interface ApiKeyOptions {
  name: string;
  expiration: string | null;
  addresses: string | null;
}

/** A new key. */
export interface ApiKey extends ApiKeyOptions {
  id: string;
  prefix: string;
  creationDate: string;
  key: string;
}

/** What somebody shows who signs in with a key, and from where. */
interface Presented {
  login: string;
  key: string;
  address: string;
}

/** A key that may be used from the address where it was presented. */
export interface PresentedKey {
  id: string;
  expiration: string | null;
}

/** The user of a login, and their key when it is the one that was presented. */
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

/** Whether a password is an API key by its shape. */
export const isApiKey = (password: string): boolean => SHAPE.test(password);

/** API keys: 256 random bits behind a prefix, of which the database keeps the SHA-256. */
@Injectable()
export class ApiKeysService {
  private readonly finding = new Batcher((presented: Presented[], waited) =>
    this.findAll(presented, waited),
  );

  constructor(private readonly database: Database) {}

  /**
   * Makes a key.
   * @returns the key itself too, which is shown once
   * @throws ApiError 409 when the user has too many
   */
  async make(
    userId: string,
    { name, expiration, addresses }: ApiKeyOptions,
    transaction: Transaction,
  ): Promise<ApiKey> {
    const key = makeSecret(PREFIX);
    const prefix = key.slice(0, SHOWN);
    // Parallel calls take turns, so that each counts what the other made.
    await transaction.rows({
      text: 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE',
      values: [userId],
    });
    const [count] = await transaction.rows({
      text: 'SELECT count(*) FROM api_keys WHERE user_id = $1',
      values: [userId],
    });
    if (Number(count![0]) >= MAX_KEYS)
      throw conflict(`A user can have at most ${MAX_KEYS} API keys`);
    const [row] = await transaction.rows({
      text: `INSERT INTO api_keys (user_id, name, hash, prefix, expiration, addresses)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id, expiration, creation_date`,
      values: [userId, name, hashSecret(key), prefix, expiration, addresses],
    });
    const [id, ends, creationDate] = row as [unknown, string | null, string];
    return { id: String(id), name, prefix, expiration: ends, addresses, creationDate, key };
  }

  /** Whose key this is, when the login and the key belong together and the key has not expired. */
  find(presented: Presented): Promise<KeyOwner | undefined> {
    return this.finding.run(presented);
  }

  private async findAll(presented: Presented[], waited: number): Promise<(KeyOwner | undefined)[]> {
    const rows = await this.database.rows(
      {
        text: `SELECT given.place::integer, u.id, u.login, u.status, u.sysadmin, k.id, k.expiration, k.addresses,
            CASE WHEN a.user_id IS NULL THEN s.locked_until > now() ELSE a.locked_until > now() END,
            coalesce(s.credential_version, 0)
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
    const owners = new Map(rows.map(([place, ...owner]) => [Number(place), owner]));
    return presented.map(({ address }, at) => {
      const owner = owners.get(at + 1);
      return owner && ownerOf(owner, address);
    });
  }
}

function ownerOf(row: Row, address: string): KeyOwner {
  const [id, login, status, sysadmin, keyId, expiration, addresses, locked, version] = row;
  const listed = typeof addresses !== 'string' || cidrSet(addresses).has(address);
  return {
    id: String(id),
    login: String(login),
    isActive: status === 1,
    sysadmin: sysadmin === true,
    key:
      typeof keyId === 'string' && listed
        ? { id: keyId, expiration: expiration as string | null }
        : undefined,
    locked: locked === true,
    version: Number(version),
  };
}
