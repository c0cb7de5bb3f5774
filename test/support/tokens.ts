import { createHash, randomBytes } from 'node:crypto';
import type { TestDatabase } from './test-database.js';

/** Tokens for users, as sign-ins would issue them, without the time that passwords take. */
export async function insertTokens(
  { query }: Pick<TestDatabase, 'query'>,
  userIds: string[],
): Promise<string[]> {
  const tokens = userIds.map(() => randomBytes(32).toString('base64url'));
  await query(
    `INSERT INTO tokens (user_id, hash, address, expiration)
     SELECT u.id, decode(u.hash, 'hex'), '127.0.0.1', now() + interval '1 hour' FROM unnest($1::bigint[], $2::text[]) AS u(id, hash)`,
    [userIds, tokens.map((token) => createHash('sha256').update(token).digest('hex'))],
  );
  return tokens;
}
