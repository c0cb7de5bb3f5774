/** French texts with the blanks that no line may end at: inside of guillemets, before signs of two parts. */
export const withFrenchSpacing = <T extends Record<string, string>>(texts: T): T =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll('« ', '«\u00a0').replace(/ ([»:;?!])/g, '\u00a0$1'),
    ]),
  ) as T;
