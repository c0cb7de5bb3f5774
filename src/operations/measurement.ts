/** A cached figure from the database, because every scrape and every probe asks every process. */
export class Measurement<T> {
  private measured: Promise<T | undefined> | undefined;
  private since = 0;

  /** @param lifetime how long a figure stays valid, in milliseconds */
  constructor(
    private readonly lifetime: number,
    private readonly measure: () => Promise<T>,
  ) {}

  /** The figure, no older than its lifetime; undefined while the database is unavailable. */
  read(): Promise<T | undefined> {
    const now = performance.now();
    if (!this.measured || now - this.since > this.lifetime) {
      this.since = now;
      this.measured = this.measure().catch(() => undefined);
    }
    return this.measured;
  }
}
