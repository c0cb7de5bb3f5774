import sharp, { type Metadata, type Sharp } from 'sharp';
import { ConcurrencyLimiter } from '../concurrency/limiter.js';
import { decodingMemory } from './decoding-bytes.js';
import { scansIn, withoutPngTexts } from './picture-file.js';
import { type Reason, reason } from '../errors/reason.js';

/** The accepted formats. The content decides, not the declared type. */
const FORMATS = new Set<string>(['jpeg', 'png', 'webp']);

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

/**
 * Decodes one picture at a time, so that the memory counts once and password hashes keep three of the four
 * threads that libuv has for both.
 */
const DECODING = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 8, queueTimeout: 5_000 });
sharp.concurrency(1);
// The cache would keep pictures in memory, although users do not send the same file again.
sharp.cache(false);

/** What is wrong with a picture. */
export class BadPicture extends Error {
  constructor(readonly reason: Reason) {
    super(reason.message);
  }
}

/** The file is no JPEG, PNG or WebP picture. */
export class UnknownPictureFormat extends BadPicture {}

/**
 * Decodes a picture, and encodes it again.
 * @param maxPixels bounds the time to decode it
 * @throws BadPicture when the file is no picture, too large, has too many scans or cannot be decoded in time;
 * ApiError 503 when too many pictures wait
 */
export const decodePicture = (
  file: Buffer,
  maxPixels: number,
  encode: (picture: Sharp) => Sharp,
): Promise<Buffer> => DECODING.run(() => reencode(withoutPngTexts(file), maxPixels, encode));

async function reencode(
  file: Buffer,
  maxPixels: number,
  encode: (picture: Sharp) => Sharp,
): Promise<Buffer> {
  requireAllowed(await headerOf(file), file, maxPixels);
  try {
    return await encode(sharp(file, { limitInputPixels: maxPixels, failOn: 'error' }))
      .timeout({ seconds: MAX_DECODING_SECONDS })
      .toBuffer();
  } catch (error) {
    throw new BadPicture(decodingFault(error as Error));
  }
}

const UNDECODABLE = reason('not-decodable');

const decodingFault = ({ message }: Error): Reason =>
  message.startsWith('timeout')
    ? reason('slow-picture', { seconds: MAX_DECODING_SECONDS })
    : UNDECODABLE;

async function headerOf(file: Buffer): Promise<Metadata> {
  const header = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header || !FORMATS.has(header.format)) throw new UnknownPictureFormat(UNDECODABLE);
  return header;
}

/** @throws BadPicture when decoding the picture would take too much memory or time */
function requireAllowed(header: Metadata, file: Buffer, maxPixels: number): void {
  const { width, height, format } = header;
  if (width * height > maxPixels)
    throw new BadPicture(reason('too-many-pixels', { width, height, max: maxPixels }));
  const scans = format === 'jpeg' ? scansIn(file) : 0;
  if (scans > MAX_SCANS) throw new BadPicture(reason('too-many-scans', { scans, max: MAX_SCANS }));
  const needed = Math.ceil(decodingMemory(header) / MIB);
  if (needed > MAX_DECODING_MIB)
    throw new BadPicture(reason('picture-needs-memory', { needed, max: MAX_DECODING_MIB }));
}
