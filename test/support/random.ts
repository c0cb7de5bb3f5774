/** Pseudo-random choices that are reproducible from a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 to 1, excluding 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from 0 to `most`, excluding `most`. */
  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** This many of the values, shuffled; all of them when there are fewer. */
  sample<T>(values: readonly T[], count: number): T[] {
    const rest = [...values];
    for (let i = rest.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [rest[i], rest[j]] = [rest[j]!, rest[i]!];
    }
    return rest.slice(0, count);
  }
}

/** Every pair of two lists. */
export const pairs = <A, B>(left: readonly A[], right: readonly B[]): [A, B][] =>
  left.flatMap((a) => right.map((b): [A, B] => [a, b]));

/** `count` variants of texts: first the texts themselves, then copies with one small change. */
export function variants(texts: readonly string[], count: number, random: Random): string[] {
  const found = new Set(texts);
  while (found.size < count) found.add(mutate(random.pick(texts), random));
  return [...found].slice(0, count);
}

/** One character removed, doubled, replaced or added. */
export function mutate(text: string, random: Random): string {
  const characters = [...text];
  const at = random.below(characters.length + 1);
  const strange = random.pick([...`'"\\;:,.%_-/()[]{}<>&|$#@!?*+=~ \t\u00e9\u4e2d\u{1f600}0a`]);
  const change = random.below(3);
  if (change === 0) characters.splice(at, 1);
  else if (change === 1) characters.splice(at, 1, strange);
  else characters.splice(at, 0, strange);
  return characters.join('');
}
