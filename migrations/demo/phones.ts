/** A telephone number: the digits replace each X of a pattern. */
export const phone = (pattern: string, digits: string): string => {
  let at = 0;
  return pattern.replace(/X/g, () => digits[at++] ?? '0');
};
