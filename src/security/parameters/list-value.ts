/** The entries of a list in the value of a parameter, separated by semicolons or line ends. */
export const listed = (value: string): string[] =>
  value
    .split(/[;\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * The entries of a list as pairs. The last `=` separates them, because names of groups in a directory contain it; an entry
 * without one is a pair of itself.
 */
export const pairsIn = (value: string): [first: string, second: string][] =>
  listed(value).map((entry) => {
    const at = entry.lastIndexOf('=');
    return at === -1 ? [entry, entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
  });
