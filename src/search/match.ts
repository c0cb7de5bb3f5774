/** The places where a record can match a text, best first (docs/decisions/0031). */
export const MATCHES = ['title', 'startOfTitle', 'startOfWord', 'elsewhere'] as const;
export type Match = (typeof MATCHES)[number];

const WORD = /[\p{L}\p{N}]/u;

/** A folded text with `a`, `o` and `u` for `ae`, `oe` and `ue`, as search_text() of the database shortens its words. */
export const shortened = (folded: string): string =>
  folded.replace(/([ao])e/g, '$1').replace(/(^|[^aeiouq])ue/g, '$1u');

/**
 * The place where a title matches, by either spelling of an umlaut.
 * @param title folded
 * @param terms folded; without any, every title matches alike
 */
export function matchOf(title: string, terms: string[]): Match {
  if (terms.length === 0) return 'elsewhere';
  const asSpelled = matchOfSpelling(title, terms);
  const asShortened = matchOfSpelling(shortened(title), terms.map(shortened));
  return rankOf(asSpelled) <= rankOf(asShortened) ? asSpelled : asShortened;
}

function matchOfSpelling(title: string, terms: string[]): Match {
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
