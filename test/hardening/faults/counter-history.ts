/** A change of counters: whose it raises, and by how much. */
interface Raise {
  people: string[];
  by: number;
}

/** What the acknowledged writes and the unfinished ones allow a counter to be. */
interface Bounds {
  /** Raises that had been acknowledged: no later read may be below their sum. */
  least: number;
  /** Raises that had begun and may have been committed: no earlier read may be above their sum. */
  most: number;
}

/**
 * The history of counters that only grow. It knows for each person the least and the greatest number that a
 * linearizable server may answer at any moment: a write whose acknowledgement was lost always counts as possible, and
 * one that is rolled back on purpose never begins.
 */
export class CounterHistory {
  private readonly bounds = new Map<string, Bounds>();
  /** Reads outside their bounds, in words. */
  readonly wrong: string[] = [];
  reads = 0;
  /** Numbers that streams have shown. */
  shown = 0;
  acknowledged = 0;

  constructor(people: string[]) {
    for (const person of people) this.bounds.set(person, { least: 0, most: 0 });
  }

  /**
   * Runs a write.
   * @param commit resolves when it is acknowledged, to the result; rejects when its outcome is unknown
   */
  async write({ people, by }: Raise, commit: () => Promise<unknown>): Promise<void> {
    for (const person of people) this.bounds.get(person)!.most += by;
    await commit();
    this.acknowledged += by;
    for (const person of people) this.bounds.get(person)!.least += by;
  }

  /** Takes back a write that certainly was not done, such as one that was refused. */
  refuse({ people, by }: Raise): void {
    for (const person of people) this.bounds.get(person)!.most -= by;
  }

  /**
   * Checks a read.
   * @param count resolves to the counter; undefined when there was no answer
   */
  async read(person: string, where: string, count: () => Promise<number | undefined>) {
    const bounds = this.bounds.get(person)!;
    const { least } = bounds;
    const found = await count();
    if (found === undefined) return;
    this.reads++;
    if (found < least) this.wrong.push(`${where}: ${person} saw ${found} after ${least}`);
    if (found > bounds.most)
      this.wrong.push(`${where}: ${person} saw ${found}, at most ${bounds.most} were begun`);
  }

  /** Checks a number that was sent without being asked for: it may be late, but counts nothing that was rolled back. */
  show(person: string, where: string, found: number): void {
    this.shown++;
    const { most } = this.bounds.get(person)!;
    if (found > most)
      this.wrong.push(`${where}: ${person} was shown ${found}, at most ${most} were begun`);
  }

  /** Compares the counters at the end with what is stored. */
  settle(person: string, where: string, found: number, stored: number): void {
    this.reads++;
    if (found !== stored) this.wrong.push(`${where}: ${person} ends with ${found}, not ${stored}`);
  }
}
