/** The places where a record can match a text, best first (docs/decisions/0031). */
export const MATCHES = ['title', 'startOfTitle', 'startOfWord', 'elsewhere'] as const;
export type Match = (typeof MATCHES)[number];

const WORD = /[\p{L}\p{N}]/u;

/**
 * The place where a title matches.
 * @param title folded
 * @param terms folded; without any, every title matches alike
 */
export function matchOf(title: string, terms: string[]): Match {
  if (terms.length === 0) return 'elsewhere';
  const text = terms.join(' ');
  if (title === text) return 'title';
  if (title.startsWith(text)) return 'startOfTitle';
  return terms.every((term) => startsWord(title, term)) ? 'startOfWord' : 'elsewhere';
}

/** Whether a word of a title begins with a term. */
function startsWord(title: string, term: string): boolean {
  for (let at = title.indexOf(term); at >= 0; at = title.indexOf(term, at + 1))
    if (at === 0 || !WORD.test(title[at - 1]!)) return true;
  return false;
}

/** The rank of a match; the lowest is the best. */
export const rankOf = (match: Match): number => MATCHES.indexOf(match);
