import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { unsupportedCoding } from '../base/errors/api-errors.js';

/** The codings of a body that the server undoes (RFC 9110 section 8.4.1). */
const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

export type Coding = keyof typeof DECODERS;
export const CODINGS = Object.keys(DECODERS) as Coding[];

/**
 * The coding of a body; undefined where there is none.
 * @param accepted the allowed codings
 * @throws ApiError 415 for any other
 */
export function parseCoding(
  header: string | undefined,
  accepted: readonly Coding[],
): Coding | undefined {
  const given = header?.trim().toLowerCase() ?? '';
  if (given === '' || given === 'identity') return undefined;
  const coding = accepted.find((name) => name === given);
  if (coding === undefined) throw unsupportedCoding(accepted);
  return coding;
}

/**
 * Undoes the coding of a body.
 * @param most bytes of the result
 * @returns undefined when the result is longer
 * @throws Error when the bytes are not in that coding
 */
export async function decodeBody(
  bytes: Buffer,
  coding: Coding,
  most: number,
): Promise<Buffer | undefined> {
  try {
    return await DECODERS[coding](bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
