/** French texts with non-breaking spaces: inside guillemets, and before two-part punctuation. */
export const withFrenchSpacing = <T extends Record<string, string>>(texts: T): T =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll('« ', '«\u00a0').replace(/ ([»:;?!])/g, '\u00a0$1'),
    ]),
  ) as T;
