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

/** A letter of a folded text, and the index of its original character. */
interface Letter {
  letter: string;
  at: number;
}

/** The two forms of a text in which the server finds a term: folded, and with `a`, `o` and `u` for `ae`, `oe` and `ue`. */
function formsOf(text: string): Letter[][] {
  const characters = [...text.normalize('NFC')];
  const folded = characters.flatMap((character, at) =>
    fold(character)
      .split('')
      .map((letter) => ({ letter, at })),
  );
  const dropped = new Set(
    [...textOf(folded).matchAll(/[ao]e|(?<![aeiouq])ue/g)].map(({ index }) => index + 1),
  );
  return [folded, folded.filter((_, place) => !dropped.has(place))];
}

const textOf = (letters: Letter[]): string => letters.map(({ letter }) => letter).join('');

/** The terms of a query in the same two forms. */
const termsOf = (query: string): string[][] => {
  const words = query.split(/\s+/).filter(Boolean);
  return words.map((word) => formsOf(word).map(textOf)).filter(([term]) => term !== '');
};

/** Whether every term of a query occurs in a text. */
export function matches(text: string, query: string): boolean {
  const forms = formsOf(text).map(textOf);
  return termsOf(query).every((term) => term.some((form, at) => forms[at]!.includes(form)));
}

/** A text in parts, each of which either matches a term of the query or does not. */
export function highlight(text: string, query: string): { text: string; found: boolean }[] {
  const characters = [...text.normalize('NFC')];
  const found = characters.map(() => false);
  for (const [form, letters] of formsOf(text).entries()) {
    const searched = textOf(letters);
    for (const term of termsOf(query).map((forms) => forms[form]!))
      for (let at = searched.indexOf(term); at >= 0; at = searched.indexOf(term, at + 1))
        found.fill(true, letters[at]!.at, letters[at + term.length - 1]!.at + 1);
  }
  const parts: { text: string; found: boolean }[] = [];
  characters.forEach((character, at) => {
    const last = parts.at(-1);
    if (last && last.found === found[at]) last.text += character;
    else parts.push({ text: character, found: found[at]! });
  });
  return parts;
}
