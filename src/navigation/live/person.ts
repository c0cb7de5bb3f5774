import { NOTHING, type Tally } from '../../process/tiles/count-tasks.js';
import type { Role } from '../../resources/visibility.js';
import type { CounterStream } from './counter-stream.js';
import { forget, noFilters } from './personal-filters.js';

/** What is counted once for all who share it: the tasks of a user, or of a group. */
export interface Principal {
  readonly id: string;
  tally: Tally;
  /** Whether it has to be counted again before it is shown. */
  isStale: boolean;
}

/** A group with people who listen. */
export class Group implements Principal {
  tally: Tally = NOTHING;
  isStale = true;
  readonly members = new Set<Person>();

  constructor(readonly id: string) {}
}

/** A person who listens, on one stream or several. Their own tally leaves out what their groups count. */
export class Person implements Principal {
  tally: Tally = NOTHING;
  isStale = true;
  /** The groups, and all ids that an audience can name. */
  groups: Group[] = [];
  principals: string[] = [];
  /** Those for whom the person stands in. */
  absentees: string[] = [];
  arePrincipalsStale = true;
  /** The saved filters of the inbox. */
  readonly saved = noFilters();
  readonly streams = new Set<CounterStream>();

  constructor(
    readonly id: string,
    public role: Role,
  ) {}

  isDue(now: number): boolean {
    for (const stream of this.streams) if (stream.isDue(now)) return true;
    return false;
  }

  /** Tasks of the person have changed, alone or with a group. */
  forgetTally(): void {
    this.isStale = true;
    this.saved.areNumbersStale = true;
  }

  forgetAll(): void {
    this.forgetTally();
    forget(this.saved, true);
    this.arePrincipalsStale = true;
  }
}
