/** Maximum length of the name of a file in characters. */
const MAX_FILE_NAME = 200;

/** Control characters, those that turn the direction of a text (and so hide an extension), and separators of paths. */
const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2028\u2029\ufeff/\\]/u;

/** What is wrong with the name of a file. */
export function faultOfFileName(name: string): string | undefined {
  const isName = name.trim() === name && name !== '.' && name !== '..' && !FORBIDDEN.test(name);
  return isName && [...name].length <= MAX_FILE_NAME
    ? undefined
    : `must be the name of a file: at most ${MAX_FILE_NAME} characters, no slashes or control characters`;
}

/** Characters that RFC 8187 lets stand for themselves, and quotes and percent signs, which clients take apart differently. */
const UNSAFE = /[^\w!#$&+.^`|~ -]/g;

/** The header that makes a browser save a file under its name (RFC 6266), with a plain name for old clients. */
export function contentDisposition(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(UNSAFE, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
