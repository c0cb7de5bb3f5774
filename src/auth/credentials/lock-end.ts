/**
 * SQL of when the last lock of a user ends, whether of the account or of one of its known addresses. NULL without a
 * lock.
 */
export const lockEnd = (userId: string): string =>
  `(SELECT max(l.locked_until) FROM (
      SELECT locked_until FROM sign_ins WHERE user_id = ${userId}
      UNION ALL SELECT locked_until FROM known_addresses WHERE user_id = ${userId}) l WHERE l.locked_until > now())`;
