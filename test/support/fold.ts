const SPECIAL: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};
/**
 * A second implementation of the database's fold(), which removes case and accents
 * (docs/api-contract.md#text-comparison).
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđıðħŧςßæœþ]/g, (letter) => SPECIAL[letter]!);

/** Orders folded texts by their bytes. */
export const compareText = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)));

/** A second implementation of the database's login_key(), which keeps accents. */
export const loginKey = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFKC');

/** A second implementation of the database's search_text(): folded, followed by the other spellings of words. */
export const searchText = (text: string): string => {
  const words = text.normalize('NFC').toLowerCase().split(/\s+/u);
  const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe' };
  const writtenOut = words.map((word) => fold(word.replace(/[äöüø]/g, (one) => umlauts[one]!)));
  const shortened = words.map((word) =>
    fold(word)
      .replace(/([ao])e/g, '$1')
      .replace(/(?<![aeiouq])ue/g, 'u'),
  );
  return [fold(text), ...writtenOut, ...shortened].join(' ');
};
