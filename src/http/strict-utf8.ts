/**
 * A UTF-8 decoder without replacement characters: it throws a TypeError for invalid bytes.
 * @param keepsMark whether a leading byte order mark stays in the text
 */
export const strictUtf8 = ({ keepsMark = false } = {}) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark });
