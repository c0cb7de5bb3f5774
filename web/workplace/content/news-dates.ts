import type { Content } from '../../api-client/types.js';

/** The state of a news item at a moment (ISO 8601); administrators see scheduled and expired items too. */
export function newsStateAt({ publicationDate, endDate }: Content, now: string): NewsState {
  if (typeof publicationDate === 'string' && publicationDate > now) return 'planned';
  return typeof endDate === 'string' && endDate <= now ? 'past' : 'out';
}

export type NewsState = 'planned' | 'out' | 'past';
