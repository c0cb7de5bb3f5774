/** The marker that begins each scan of a JPEG (ITU-T T.81, table B.1: SOS). */
const START_OF_SCAN = Buffer.from('ffda', 'hex');

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The chunks of a PNG that its pixels need: the picture, its colours and its orientation. */
const PNG_CHUNKS_KEPT = new Set([
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf'],
]);

/** Bytes of the length, the name and the checksum of a chunk. */
const PNG_CHUNK_OVERHEAD = 12;

/**
 * Removes the chunks of a PNG that its pixels do not need (PNG, third edition, section 5); other files stay as
 * they are. Decoders unpack compressed texts before they report the size of the picture, and a file of 1.5 MB
 * can contain more than a gigabyte of them.
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
 * An upper bound of the number of scans of a JPEG: the bytes of the marker can also occur in metadata or after
 * the picture, but not within a scan (ITU-T T.81, section F.1.2.3).
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
