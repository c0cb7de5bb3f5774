/** A telephone number: the digits replace each # of a pattern. */
export const phone = (pattern: string, digits: string): string => {
  let at = 0;
  return pattern.replace(/#/g, () => digits[at++] ?? '0');
};
