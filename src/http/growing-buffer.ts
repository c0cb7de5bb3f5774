/** Room for the first bytes of which the length is unknown. */
const FIRST_ROOM = 1024;

/**
 * Collects bytes in one buffer that doubles as it fills. A list of pieces costs some 300 bytes for each, however short,
 * so that a client which sends a byte at a time would make the server hold 300 times what it sends.
 */
export class GrowingBuffer {
  private bytes = Buffer.alloc(0);
  private used = 0;

  /**
   * @param most bytes that it takes
   * @param expected bytes for which it makes room at once, when the first one comes
   */
  constructor(
    private readonly most: number,
    private readonly expected = FIRST_ROOM,
  ) {}

  get length(): number {
    return this.used;
  }

  /** @returns whether the piece fits; of one that does not, nothing is kept */
  add(piece: Buffer): boolean {
    const length = this.used + piece.length;
    if (length > this.most) return false;
    if (length > this.bytes.length) this.grow(length);
    this.bytes.set(piece, this.used);
    this.used = length;
    return true;
  }

  /** Hands the bytes over, and begins again. */
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
