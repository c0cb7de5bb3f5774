/** SQL of when the last lock of a user ends: that of the account, or of an address that is known for it. NULL without a lock. */
export const lockEnd = (userId: string): string =>
  `(SELECT max(l.locked_until) FROM (
      SELECT locked_until FROM sign_ins WHERE user_id = ${userId}
      UNION ALL SELECT locked_until FROM known_addresses WHERE user_id = ${userId}) l WHERE l.locked_until > now())`;
