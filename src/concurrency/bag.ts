/** A member of a bag, and its place. */
interface Entry<T> {
  readonly item: T;
  place: number;
}

/**
 * Members without an order that come and go with each request. A `Set` leaves its old tables behind when it makes room:
 * old ones keep newer ones alive, with the requests in them, until the next major garbage collection.
 */
export class Bag<T> {
  private readonly entries: Entry<T>[] = [];

  /** @returns removes the item; to be called once */
  add(item: T): () => void {
    const entry = { item, place: this.entries.length };
    this.entries.push(entry);
    return () => {
      const last = this.entries.pop()!;
      if (last === entry) return;
      this.entries[entry.place] = last;
      last.place = entry.place;
    };
  }

  get size(): number {
    return this.entries.length;
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { item } of this.entries) yield item;
  }
}
