import type { CounterStream } from './counter-stream.js';

const SECOND = 1_000;

/**
 * Streams by the second in which their sessions expire, because checking each of 10,000 streams twice a second takes 3
 * % of a core.
 */
export class Expirations {
  private readonly seconds = new Map<number, Set<CounterStream>>();

  /** Adds a stream at the expiration of its present caller, which must not change until it is deleted. */
  add(stream: CounterStream): void {
    const second = secondOf(stream);
    const streams = this.seconds.get(second) ?? new Set();
    this.seconds.set(second, streams.add(stream));
  }

  /** Removes a stream. A second call has no effect. */
  delete(stream: CounterStream): void {
    const second = secondOf(stream);
    const streams = this.seconds.get(second);
    if (streams?.delete(stream) && streams.size === 0) this.seconds.delete(second);
  }

  /**
   * Removes the streams whose sessions have expired.
   * @param now in milliseconds, as `performance.now()`
   * @returns these streams
   */
  take(now: number): CounterStream[] {
    const expired: CounterStream[] = [];
    for (const [second, streams] of this.seconds) {
      if (second * SECOND > now) continue;
      for (const stream of streams) if (stream.caller.validUntil <= now) expired.push(stream);
    }
    for (const stream of expired) this.delete(stream);
    return expired;
  }
}

const secondOf = ({ caller }: CounterStream): number => Math.floor(caller.validUntil / SECOND);
