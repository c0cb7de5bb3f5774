import { LRUCache } from 'lru-cache';

/** Most principals in memory. For all others, the last change is at most at `floor`. */
const MAX_PRINCIPALS = 50_000;

/**
 * The times of the last changes for users, groups and organizations. Times are numbers that the owner counts up. Its
 * memory is bounded: an evicted principal counts as changed at its eviction.
 */
export class LastChanges {
  private floor = 0;
  private readonly times = new LRUCache<string, number>({
    max: MAX_PRINCIPALS,
    dispose: (time, _, reason) => {
      if (reason === 'evict') this.floor = Math.max(this.floor, time);
    },
  });

  note(principal: string, time: number): void {
    this.times.set(principal, time);
  }

  /** Whether something may have changed for one of these principals after a time. */
  isAfter(time: number, principals: readonly string[]): boolean {
    return (
      this.floor > time || principals.some((principal) => (this.times.peek(principal) ?? 0) > time)
    );
  }
}
