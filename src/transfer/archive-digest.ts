import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { UnreadableFile } from './csv.js';

/** The prefixes of plain and keyed digests. */
const PLAIN = 'sha256:';
const KEYED = 'hmac-sha256:';

/**
 * The digest of an archive: SHA-256, or HMAC-SHA-256 (RFC 2104) with a key. The plain digest
 * detects accidents; only the keyed digest stops a person who forges an archive together with its digest.
 */
export class ArchiveDigest {
  private readonly hash: Hash | Hmac;
  private readonly scheme: string;

  constructor(key: Buffer | undefined) {
    this.hash = key ? createHmac('sha256', key) : createHash('sha256');
    this.scheme = key ? KEYED : PLAIN;
  }

  update(piece: Buffer | string): void {
    this.hash.update(piece);
  }

  /** The digest of everything added, e.g. `sha256:9f86…`. No call of `add` may follow. */
  end(): string {
    return this.scheme + this.hash.digest('hex');
  }

  /**
   * Compares the digest of everything added with the digest in the archive.
   * @throws UnreadableFile when they differ, or only one of them has a key
   */
  verify(given: string): void {
    if (this.scheme === PLAIN && given.startsWith(KEYED))
      throw new UnreadableFile('the archive was written with a key: give it with --key-file');
    if (this.scheme === KEYED && given.startsWith(PLAIN))
      throw new UnreadableFile('the archive was written without a key: nothing says who wrote it');
    if (given !== this.end())
      throw new UnreadableFile(
        `the archive was changed since it was written${this.scheme === KEYED ? ', or written with another key' : ''}`,
      );
  }
}
