import { shortened } from './match.js';

/** The least similarity of a suggested name. Two wrong letters of six mostly leave more, three less. */
const LEAST = 0.4;

/** Letters by which a near name may be longer or shorter; comparing the others would keep the process from other work. */
const MOST_LETTERS = 3;

/**
 * The names that share the most n-grams with a term, the nearest first.
 * @param names as they are spelled; equal ones count once
 */
export function nearest(term: string, names: string[]): string[] {
  const wanted = ngramsOf(term);
  const similarities = new Map(
    [...new Set(names)]
      .filter(({ length }) => Math.abs(length - term.length) <= MOST_LETTERS)
      .map((name) => [name, similarity(wanted, ngramsOf(name))] as const),
  );
  return [...similarities]
    .filter(([, value]) => value >= LEAST)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name]) => name);
}

/** The n-grams of two and three characters of a word, its beginning and end included. */
function ngramsOf(word: string): Set<string> {
  const folded = word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const text = ` ${shortened(folded)} `;
  const found = new Set<string>();
  for (const size of [2, 3])
    for (let at = 0; at + size <= text.length; at++) found.add(text.slice(at, at + size));
  return found;
}

/** The share of common n-grams among those of both (Dice's coefficient). */
function similarity(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((ngram) => b.has(ngram)).length;
  return (2 * common) / (a.size + b.size);
}
