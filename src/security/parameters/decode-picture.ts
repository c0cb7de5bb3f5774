import sharp from 'sharp';

/** Maximum number of pixels of a picture that a parameter holds; decoding it then takes at most 16 MB. */
const MAX_PIXELS = 4_000_000;

/** Time limit of decoding in seconds. */
const MAX_DECODING_SECONDS = 3;

/**
 * Decodes a picture once: its first bytes alone do not make it one that browsers and mail programs show.
 * @returns what is wrong with it, undefined for nothing
 */
export async function faultOfDecoding(content: Buffer): Promise<string | undefined> {
  try {
    const { width, height } = await sharp(content, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS)
      return `${width} x ${height} pixels; at most ${MAX_PIXELS} are allowed`;
    await sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: MAX_DECODING_SECONDS })
      .raw()
      .toBuffer();
    return undefined;
  } catch {
    return 'not a picture that can be decoded';
  }
}
