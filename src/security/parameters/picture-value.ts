/** A picture that a parameter holds. */
export interface Picture {
  mediaType: string;
  /** The suffix of a file of this type, such as `.png`. */
  suffix: string;
  content: Buffer;
}

/** Largest picture, in bytes; as base64 it fits into the body of a request. */
export const MAX_PICTURE = 65_536;

/** Maximum number of pixels of a picture that a parameter holds. */
export const MAX_PIXELS = 4_000_000;

const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The accepted formats by the first bytes of a file, in hexadecimal digits. SVG is none of them: it can hold scripts. */
const FORMATS = [
  { mediaType: 'image/png', suffix: '.png', pattern: /^89504e470d0a1a0a/ },
  { mediaType: 'image/jpeg', suffix: '.jpg', pattern: /^ffd8ff/ },
  { mediaType: 'image/webp', suffix: '.webp', pattern: /^52494646.{8}57454250/ },
];

/**
 * The picture in a data URL (RFC 2397). Its content decides its type.
 * @returns undefined unless the text is a data URL of a PNG, JPEG or WebP picture
 */
export function pictureIn(url: string): Picture | undefined {
  const [, base64] = DATA_URL.exec(url) ?? [];
  if (base64 === undefined) return undefined;
  const content = Buffer.from(base64, 'base64');
  const start = content.toString('hex', 0, 12);
  const format = FORMATS.find(({ pattern }) => pattern.test(start));
  return format && { mediaType: format.mediaType, suffix: format.suffix, content };
}
