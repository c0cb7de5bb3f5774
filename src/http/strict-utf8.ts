/**
 * A decoder of UTF-8 that replaces nothing: it throws a TypeError for bytes that are not UTF-8.
 * @param keepsMark whether a byte order mark at the beginning stays in the text
 */
export const strictUtf8 = ({ keepsMark = false } = {}) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark });
