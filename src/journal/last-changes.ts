import { LRUCache } from 'lru-cache';

/** Principals remembered; of all others it is only known that nothing changed after `floor`. */
const MAX_PRINCIPALS = 50_000;

/**
 * When something last changed for a user, a group or an organization. Times are numbers that the owner counts up. Its
 * memory is bounded: what it forgets counts as changed when it was forgotten.
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
