/** Bytes that somebody holds of a budget. */
export interface Holding {
  /** From now on these bytes are not taken back. */
  keep(): void;
  /** Gives the bytes back; to do so again has no effect. */
  release(): void;
}

/**
 * Bounds the memory that clients make the process hold. Where it is full, those who have held bytes
 * for longest lose them to the next: a client that sends or reads at a normal pace is done long
 * before, and one that lingers keeps nobody out.
 */
export class ByteBudget {
  private used = 0;
  /** What can be taken back, oldest first. */
  private readonly revocable = new Map<Holding, () => void>();

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /**
   * @param revoke ends whatever holds these bytes, which are given back already
   * @returns undefined when the bytes do not fit beside those that are kept
   */
  take(bytes: number, revoke: () => void): Holding | undefined {
    for (const [oldest, revokeOldest] of this.revocable) {
      if (this.used + bytes <= this.limit) break;
      oldest.release();
      revokeOldest();
    }
    if (this.used + bytes > this.limit) return undefined;
    return this.hold(bytes, revoke);
  }

  private hold(bytes: number, revoke: () => void): Holding {
    let held = bytes;
    const holding: Holding = {
      keep: () => void this.revocable.delete(holding),
      release: () => {
        this.revocable.delete(holding);
        this.used -= held;
        held = 0;
      },
    };
    this.used += held;
    this.revocable.set(holding, revoke);
    return holding;
  }
}
