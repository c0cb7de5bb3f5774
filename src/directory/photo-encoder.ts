import { ApiError, invalidField } from '../base/errors/api-errors.js';
import {
  BadPicture,
  decodePicture,
  UnknownPictureFormat,
} from '../base/pictures/decode-picture.js';
import { reason } from '../base/errors/reason.js';

/** Maximum number of pixels of a photo. */
const MAX_PIXELS = 50_000_000;

/** Maximum size of the file of a photo, in bytes. */
export const MAX_PHOTO_BYTES = 2 * 2 ** 20;

/** Side of the stored square in pixels. */
const SIZE = 512;

/** Media type of the result of `encodePhoto`. */
export const PHOTO_MEDIA_TYPE = 'image/webp';

/**
 * Converts a picture to its stored form, a WebP of at most 512 pixels a side. Decoding and encoding it again
 * removes everything that hides in the file (location, scripts).
 * @throws ApiError 415 when the content is not JPEG, PNG or WebP, 400 when the picture is too large, has too
 * many scans or cannot be decoded in time, 503 when too many pictures wait
 */
export async function encodePhoto(file: Buffer): Promise<Buffer> {
  try {
    return await decodePicture(file, MAX_PIXELS, (picture) =>
      picture
        .rotate()
        .resize(SIZE, SIZE, { fit: 'cover', withoutEnlargement: true })
        .webp({ quality: 82 }),
    );
  } catch (error) {
    if (error instanceof UnknownPictureFormat) throw new ApiError(415, reason('not-an-image'));
    if (error instanceof BadPicture) throw invalidField('body', error.reason);
    throw error;
  }
}
