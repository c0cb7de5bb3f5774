/** Ids are positive 63-bit integers as text, without leading zeros. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_ID = 2n ** 63n - 1n;

export const isId = (text: string): boolean => ID.test(text) && BigInt(text) <= MAX_ID;

/** The URI of an object: opaque to clients, without host, base path or version. */
export const uriOf = (prefix: string, id: unknown): string => `${prefix}/${String(id)}`;

/** The id in a text that is an id or a URI with this prefix; undefined when it is neither. */
export function idIn(text: string, prefix: string): string | undefined {
  if (isId(text)) return text;
  const id = text.startsWith(`${prefix}/`) ? text.slice(prefix.length + 1) : '';
  return isId(id) ? id : undefined;
}
