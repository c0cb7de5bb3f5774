import type { Content } from '../../api-client/types.js';

/** Where a news item stands at a moment (ISO 8601): administrators see those of other days too. */
export function newsStateAt({ publicationDate, endDate }: Content, now: string): NewsState {
  if (typeof publicationDate === 'string' && publicationDate > now) return 'planned';
  return typeof endDate === 'string' && endDate <= now ? 'past' : 'out';
}

export type NewsState = 'planned' | 'out' | 'past';
