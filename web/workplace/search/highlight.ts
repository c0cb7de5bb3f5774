/** Without case and accents, as the server compares. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe');

/** Whether every term of a query occurs in a text. */
export function matches(text: string, query: string): boolean {
  const folded = fold(text);
  return termsOf(query).every((term) => folded.includes(term));
}

const termsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** A text in parts, each of which either matches a term of the query or does not. */
export function highlight(text: string, query: string): { text: string; found: boolean }[] {
  const characters = [...text.normalize('NFC')];
  // For each character of the folded text, the index of its original character.
  const origin = characters.flatMap((character, at) => [...fold(character)].map(() => at));
  const folded = characters.map(fold).join('');
  const found = characters.map(() => false);
  for (const term of termsOf(query))
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + 1))
      for (let i = at; i < at + term.length; i++) found[origin[i]!] = true;
  const parts: { text: string; found: boolean }[] = [];
  characters.forEach((character, at) => {
    const last = parts.at(-1);
    if (last && last.found === found[at]) last.text += character;
    else parts.push({ text: character, found: found[at]! });
  });
  return parts;
}
