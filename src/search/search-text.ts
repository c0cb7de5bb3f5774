/**
 * Longer texts make substring search expensive, whatever the index (docs/api-contract.md#search).
 */
export const MAX_QUERY = 128;

/**
 * All terms must occur; an empty text or `*` is every visible record (docs/api-contract.md#search).
 * Some characters fold to a blank with an accent: they part terms, and an accent alone is none.
 */
export function termsOf(text: string): string[] {
  if (text.trim() === '*') return [];
  const bare = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return [...new Set(bare.split(/\s+/u))].filter((term) => term !== '');
}
