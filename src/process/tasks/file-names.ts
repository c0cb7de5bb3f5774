import { type Reason, reason } from '../../base/errors/reason.js';

/** Maximum length of the name of a file in characters. */
const MAX_FILE_NAME = 200;

/**
 * Control characters, invisible characters, those that reverse the direction of a text (two names could look the same,
 * or an extension be hidden), and path separators.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029/\\]/u;

/** Scripts whose spelling needs joiners. */
const JOINED =
  'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('');

/** Invisible characters where scripts and emoji need them, and the format characters of Arabic, which are visible. */
const NEEDED = new RegExp(
  [
    String.raw`(?<=[${JOINED}])[\u200c\u200d](?=[${JOINED}])`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
    String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`,
    String.raw`[\u0600-\u0605\u06dd\u08e2]`,
  ].join('|'),
  'gu',
);

/** What is wrong with the name of a file. */
export function faultOfFileName(name: string): Reason | undefined {
  const isVisible = !FORBIDDEN.test(name.replace(NEEDED, ''));
  const isName = name.trim() === name && name !== '.' && name !== '..' && isVisible;
  return isName && [...name].length <= MAX_FILE_NAME
    ? undefined
    : reason('bad-file-name', { max: MAX_FILE_NAME });
}

/**
 * The characters that RFC 8187 does not encode. Quotes and percent signs are excluded, because clients parse them
 * differently.
 */
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
