/** Bytes reserved from a budget. */
export interface Holding {
  /** Protects the bytes from being revoked. */
  keep(): void;
  /** Returns the bytes to the budget; a second call has no effect. */
  release(): void;
}

/**
 * Bounds the memory that clients make the process hold. When the budget is used up, a new reservation revokes the
 * oldest ones. A client at a normal pace has finished long before, so only slow clients lose their reservations.
 */
export class ByteBudget {
  private used = 0;
  /** The reservations that can be revoked, oldest first. */
  private readonly revocable = new Map<Holding, () => void>();

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /**
   * Reserves bytes, revoking older reservations where necessary.
   * @param revoke ends the request or response that uses the bytes; they are back in the budget by then
   * @returns undefined when the bytes do not fit beside the kept reservations
   */
  take(bytes: number, revoke: () => void): Holding | undefined {
    for (const [oldest, revokeOldest] of this.revocable) {
      if (this.used + bytes <= this.limit) break;
      oldest.release();
      revokeOldest();
    }
    if (this.used + bytes > this.limit) return undefined;
    return this.add(bytes, revoke);
  }

  private add(bytes: number, revoke: () => void): Holding {
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
