import { hash } from 'node:crypto';
import type { Transaction } from '../../database/database.js';
import { conflict, invalidField, unprocessable } from '../../base/errors/api-errors.js';
import type { Detailed } from '../resource-reader.js';
import type { Change } from './pending-write.js';
import { reason } from '../../base/errors/reason.js';

/** SQL of the rows that are too old. */
export const EXPIRED_KEYS = "creation_date < now() - interval '24 hours'";

/** A key has up to 255 visible characters, with or without the quotation marks of the IETF's draft. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The first half of a PostgreSQL advisory lock; the second is a hash of the caller and the key. */
const LOCK = 2_026_112_3;

/** A call that may be repeated. */
interface Repeatable {
  userId: string;
  key: string;
  /** Of the resource and the body, in hexadecimal digits. */
  digest: string;
}

/**
 * The call of a change with an Idempotency-Key (docs/api-contract.md#repeated-calls).
 * @returns undefined for a change without one, or of a resource that takes none
 * @throws ApiError 400 for a key that cannot be read
 */
export function repeatableOf(change: Change, body: unknown): Repeatable | undefined {
  const { resource, caller, idempotencyKey } = change;
  if (!resource.definition.takesIdempotencyKey || idempotencyKey === undefined) return undefined;
  const key = /^"(.*)"$/.exec(idempotencyKey)?.[1] ?? idempotencyKey;
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', reason('bad-idempotency-key'));
  const digest = hash('sha256', JSON.stringify([resource.name, body ?? null]), 'hex');
  return { userId: caller.id, key, digest };
}

/**
 * The earlier answer to the same call; undefined for the first call, which then holds a lock against concurrent ones.
 * @throws ApiError 409 while the same call is under way, 422 where the key belongs to another body
 */
export async function recall(
  transaction: Transaction,
  { userId, key, digest }: Repeatable,
): Promise<Detailed | undefined> {
  const [lock] = await transaction.rows({
    text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2))',
    values: [LOCK, `${userId} ${key}`],
  });
  if (lock?.[0] !== true) throw conflict(reason('key-under-way'));
  await transaction.execute({
    text: `DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND ${EXPIRED_KEYS}`,
    values: [userId, key],
  });
  const [known] = await transaction.rows({
    text: `SELECT encode(digest, 'hex'), answer FROM idempotency_keys WHERE user_id = $1 AND key = $2`,
    values: [userId, key],
  });
  if (!known) return undefined;
  if (known[0] !== digest) throw unprocessable(reason('key-of-another-body'));
  return known[1] as Detailed;
}

/** Keeps the answer of a call in the transaction of its work. */
export async function remember(
  transaction: Transaction,
  { userId, key, digest }: Repeatable,
  { representation, revision, warnings }: Detailed,
): Promise<void> {
  await transaction.execute({
    text: `INSERT INTO idempotency_keys (user_id, key, digest, answer) VALUES ($1, $2, decode($3, 'hex'), $4)`,
    values: [userId, key, digest, JSON.stringify({ representation, revision, warnings })],
  });
}
