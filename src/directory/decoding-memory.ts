import type { Metadata } from 'sharp';

/**
 * Decoding and shrinking keep this many rows of the picture, at most (measured with sharp 0.35: up to
 * 2,300). Without it the memory of a wide picture of few rows would be underestimated.
 */
const ROWS_KEPT = 2_400;

/** The coefficients of a progressive JPEG are 16 bits wide, whatever its samples are. */
const COEFFICIENT_BYTES = 2;

/** A WebP frame is decoded as a whole into words of four bytes, its opacity into one more. */
const WEBP_PIXEL_BYTES = 5;

/** What decides how much memory a picture takes, from its header. */
export type PictureFacts = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive'
>;

/** At most how many bytes it takes to decode and shrink a picture. */
export function decodingMemory(picture: PictureFacts): number {
  const { width, height, channels } = picture;
  const rowBytes = Math.max(width, height) * channels * sampleBytes(picture);
  return rowBytes * ROWS_KEPT + width * height * wholePixelBytes(picture);
}

const sampleBytes = ({ depth }: PictureFacts): number => (depth === 'uchar' ? 1 : 2);

/** Bytes of each pixel where the decoder needs the whole picture before it has the first row. */
function wholePixelBytes(picture: PictureFacts): number {
  const { format, channels, isProgressive } = picture;
  if (format === 'webp') return WEBP_PIXEL_BYTES;
  if (!isProgressive) return 0;
  return channels * (format === 'jpeg' ? COEFFICIENT_BYTES : sampleBytes(picture));
}
