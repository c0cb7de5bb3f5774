import sharp, { type Metadata } from 'sharp';
import { ConcurrencyLimiter } from '../concurrency/limiter.js';
import { ApiError, invalidField } from '../errors/api-errors.js';
import { decodingMemory } from './decoding-bytes.js';
import { scansIn, withoutPngTexts } from './picture-file.js';

/** The formats that are accepted. The content decides, not the declared type. */
const FORMATS = new Set<string>(['jpeg', 'png', 'webp']);

/** Maximum number of pixels of a picture; it bounds the time to decode it. */
export const MAX_PIXELS = 50_000_000;

/**
 * Maximum memory to decode one picture, in MiB. Every JPEG of up to 50 million pixels and 12,000 a side that is
 * not progressive stays below. Together with the file and the result a photo takes less than 128 MB.
 */
const MAX_DECODING_MIB = 112;
const MIB = 2 ** 20;

/**
 * Maximum number of scans of a JPEG. Each scan passes over the whole picture, yet takes as little as 14 bytes of
 * the file; progressive pictures of cameras and editors have about ten.
 */
const MAX_SCANS = 100;

/** Time limit of decoding in seconds, for costs that the limits above do not foresee. */
const MAX_DECODING_SECONDS = 3;

/** Side of the stored square in pixels. */
const SIZE = 512;

/**
 * Decodes one picture at a time, so that the memory counts once and password hashes keep three of the four
 * threads that libuv has for both.
 */
const DECODING = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 8, queueTimeout: 5_000 });
sharp.concurrency(1);
// The cache would keep pictures in memory although nobody sends the same file again.
sharp.cache(false);

/** Media type of the result of `encodePhoto`. */
export const PHOTO_MEDIA_TYPE = 'image/webp';

/**
 * Converts a picture to its stored form, a WebP of at most 512 pixels a side. Decoding and encoding it again
 * removes everything that hides in the file (location, scripts).
 * @throws ApiError 415 when the content is not JPEG, PNG or WebP, 400 when the picture is too large, has too
 * many scans or cannot be decoded in time, 503 when too many pictures wait
 */
export const encodePhoto = (file: Buffer): Promise<Buffer> =>
  DECODING.run(() => reencode(withoutPngTexts(file)));

async function reencode(file: Buffer): Promise<Buffer> {
  requireAllowed(await headerOf(file), file);
  try {
    return await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize(SIZE, SIZE, { fit: 'cover', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: MAX_DECODING_SECONDS })
      .toBuffer();
  } catch (error) {
    throw invalidField('body', decodingFault(error as Error));
  }
}

const decodingFault = ({ message }: Error): string =>
  message.startsWith('timeout')
    ? `takes more than ${MAX_DECODING_SECONDS} seconds to decode`
    : 'not a picture that can be decoded';

async function headerOf(file: Buffer): Promise<Metadata> {
  const header = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header || !FORMATS.has(header.format))
    throw new ApiError(415, 'The body is not a JPEG, PNG or WebP image');
  return header;
}

/** @throws ApiError 400 when decoding the picture would take too much memory or time */
function requireAllowed(header: Metadata, file: Buffer): void {
  const { width, height, format } = header;
  if (width * height > MAX_PIXELS)
    throw invalidField('body', `${width} x ${height} pixels; at most ${MAX_PIXELS} are allowed`);
  const scans = format === 'jpeg' ? scansIn(file) : 0;
  if (scans > MAX_SCANS)
    throw invalidField('body', `${scans} scans; at most ${MAX_SCANS} are allowed`);
  const needed = Math.ceil(decodingMemory(header) / MIB);
  if (needed > MAX_DECODING_MIB)
    throw invalidField(
      'body',
      `takes up to ${needed} MiB to decode, at most ${MAX_DECODING_MIB} are allowed; ` +
        'send fewer pixels, 8 bits a sample, or a picture that is neither interlaced nor progressive',
    );
}
