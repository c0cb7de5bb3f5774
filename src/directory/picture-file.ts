/** The marker that begins each scan of a JPEG (ITU-T T.81, table B.1: SOS). */
const START_OF_SCAN = Buffer.from('ffda', 'hex');

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** What the pixels of a PNG need: the picture, its colours and its orientation. */
const PNG_CHUNKS_KEPT = new Set([
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf'],
]);

/** Length, name and checksum of a chunk. */
const PNG_CHUNK_OVERHEAD = 12;

/**
 * A PNG without the chunks that its pixels do not need (PNG, third edition, section 5); any other file
 * as it is. Decoders unpack compressed texts before anybody can ask for the size of the picture, and a
 * file of 1.5 MB can hold more than a gigabyte of them.
 */
export function withoutPngTexts(file: Buffer): Buffer {
  if (!file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return file;
  const kept: Buffer[] = [PNG_SIGNATURE];
  let start = PNG_SIGNATURE.length;
  while (start + PNG_CHUNK_OVERHEAD <= file.length) {
    const end = start + PNG_CHUNK_OVERHEAD + file.readUInt32BE(start);
    const name = file.toString('latin1', start + 4, start + 8);
    if (PNG_CHUNKS_KEPT.has(name)) kept.push(file.subarray(start, end));
    start = end;
  }
  return Buffer.concat(kept);
}

/**
 * How many scans a JPEG has, at most: the bytes of the marker may also occur by chance in metadata or
 * behind the picture, but not within a scan (ITU-T T.81, section F.1.2.3).
 */
export function scansIn(file: Buffer): number {
  let scans = 0;
  let at = file.indexOf(START_OF_SCAN);
  while (at !== -1) {
    scans++;
    at = file.indexOf(START_OF_SCAN, at + START_OF_SCAN.length);
  }
  return scans;
}
