/** Initial capacity for bytes of unknown length. */
const FIRST_ROOM = 1024;

/**
 * Collects bytes in one buffer that doubles as it fills. A list of pieces costs some 300 bytes for each, however short,
 * so that a client which sends a byte at a time would make the server hold 300 times what it sends.
 */
export class GrowingBuffer {
  private bytes = Buffer.alloc(0);
  private used = 0;

  /**
   * @param most maximum number of bytes
   * @param expected initial capacity, allocated with the first byte
   */
  constructor(
    private readonly most: number,
    private readonly expected = FIRST_ROOM,
  ) {}

  get length(): number {
    return this.used;
  }

  /** @returns whether the piece fits; a longer one is dropped as a whole */
  add(piece: Buffer): boolean {
    const length = this.used + piece.length;
    if (length > this.most) return false;
    if (length > this.bytes.length) this.grow(length);
    this.bytes.set(piece, this.used);
    this.used = length;
    return true;
  }

  /** Returns the bytes, and starts empty again. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.used);
    this.bytes = Buffer.alloc(0);
    this.used = 0;
    return taken;
  }

  private grow(length: number): void {
    const room = Math.max(length, this.expected, 2 * this.bytes.length);
    const larger = Buffer.allocUnsafe(Math.min(room, this.most));
    larger.set(this.bytes.subarray(0, this.used));
    this.bytes = larger;
  }
}
