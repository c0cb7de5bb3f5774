import type { Metadata } from 'sharp';

/**
 * Maximum number of rows that decoding and shrinking keep in memory (measured with sharp 0.35: up to 2,300).
 * Without it the estimate would be too low for a wide picture with few rows.
 */
const ROWS_KEPT = 2_400;

/** The coefficients of a progressive JPEG have 16 bits, whatever the size of its samples. */
const COEFFICIENT_BYTES = 2;

/** The decoder keeps a whole WebP frame: four bytes a pixel, and one more for opacity. */
const WEBP_PIXEL_BYTES = 5;

/** The properties in the header of a picture that determine the memory to decode it. */
export type PictureFacts = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive'
>;

/** The maximum number of bytes that decoding and shrinking a picture takes. */
export function decodingMemory(picture: PictureFacts): number {
  const { width, height, channels } = picture;
  const rowBytes = Math.max(width, height) * channels * sampleBytes(picture);
  return rowBytes * ROWS_KEPT + width * height * wholePixelBytes(picture);
}

const sampleBytes = ({ depth }: PictureFacts): number => (depth === 'uchar' ? 1 : 2);

/** Bytes per pixel for formats whose decoder needs the whole picture before the first row; 0 for others. */
function wholePixelBytes(picture: PictureFacts): number {
  const { format, channels, isProgressive } = picture;
  if (format === 'webp') return WEBP_PIXEL_BYTES;
  if (!isProgressive) return 0;
  return channels * (format === 'jpeg' ? COEFFICIENT_BYTES : sampleBytes(picture));
}
