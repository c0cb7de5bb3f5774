import { NOTHING, type Tally } from '../../process/tiles/count-tasks.js';
import type { Rights } from '../../base/rights/rights.js';
import type { CounterStream } from './counter-stream.js';
import { forget, noFilters } from './personal-filters.js';

/** A user or a group, whose tasks are counted once for all who see them. */
export interface Principal {
  readonly id: string;
  tally: Tally;
  /** Whether the numbers have to be counted again before they are shown. */
  isStale: boolean;
}

/** A group with at least one member who has an open stream. */
export class Group implements Principal {
  tally: Tally = NOTHING;
  isStale = true;
  readonly members = new Set<Person>();

  constructor(readonly id: string) {}
}

/** A person with open streams. The tally of a person excludes the tasks that the groups count. */
export class Person implements Principal {
  tally: Tally = NOTHING;
  isStale = true;
  /** The groups, and all ids that an audience can name. */
  groups: Group[] = [];
  principals: string[] = [];
  /** Ids of the colleagues for whom the person stands in. */
  absentees: string[] = [];
  arePrincipalsStale = true;
  /** The saved filters of the inbox. */
  readonly saved = noFilters();
  readonly streams = new Set<CounterStream>();

  constructor(
    readonly id: string,
    public rights: Rights,
  ) {}

  isDue(now: number): boolean {
    for (const stream of this.streams) if (stream.isDue(now)) return true;
    return false;
  }

  /** Tasks of the person have changed, alone or with a group. */
  forgetTally(): void {
    this.isStale = true;
    this.saved.areCountsStale = true;
  }

  forgetAll(): void {
    this.forgetTally();
    forget(this.saved, true);
    this.arePrincipalsStale = true;
  }
}
