import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  countOwn,
  countShared,
  type FilterCount,
  isTooSlow,
  type OfferedFilter,
  readOfferedFilters,
} from '../../process/inbox/inbox-filters.js';
import type { Viewer } from '../../security/caller.js';
import type { Person } from './person.js';
import {
  isReadDue,
  isUnfinished,
  makeDue,
  note,
  type Part,
  PARTS,
  take,
} from './personal-filters.js';

/** How long a round waits for the counts, in milliseconds. Slower counts arrive with a later round. */
const ROUND_LIMIT = 100;

type Count = (
  database: Database,
  filters: OfferedFilter[],
  viewer: Viewer,
) => Promise<FilterCount[]>;

const COUNTS: Record<Part, Count> = {
  own: (database, filters, viewer) => countOwn(database, filters, viewer, ROUND_LIMIT),
  slow: countOwn,
  shared: countShared,
};

/** Reads and counts the saved filters of people, one person at a time because their rights differ. */
@Injectable()
export class FilterCounts {
  private readonly logger = new Logger('LiveCounters');
  private reading: Promise<void> | undefined;
  private readonly busy = new Set<Part>();

  constructor(private readonly database: Database) {}

  /**
   * Updates the filters of people. Own filters, slow own filters and shared filters run in parallel, so that none waits
   * for a slower kind. Slow counts continue beside the rounds; neither they nor failures delay any other number.
   * @returns the people whose counts have to wait for another round
   */
  async renew(people: Person[]): Promise<Person[]> {
    const now = performance.now();
    this.reading ??= this.read(people.filter(({ saved }) => isReadDue(saved, now))).finally(
      () => (this.reading = undefined),
    );
    const counting = this.reading.then(() => {
      for (const { saved } of people) makeDue(saved);
      return Promise.all(PARTS.map((part) => this.countAll(part, people)));
    });
    await Promise.race([counting, delay(ROUND_LIMIT, undefined, { ref: false })]);
    return people.filter(({ saved }) => isUnfinished(saved));
  }

  private async read(people: Person[]): Promise<void> {
    if (people.length === 0) return;
    for (const { saved } of people) {
      // Clears the mark before the statement, so that a change during it marks them again.
      saved.areStale = false;
      saved.underWay++;
    }
    try {
      const offered = await readOfferedFilters(
        this.database,
        people.map(({ id }) => id),
      );
      const now = performance.now();
      for (const { id, rights, saved } of people) {
        take(saved, offered.get(id)!, rights);
        saved.readTime = now;
      }
    } catch (error) {
      for (const { saved } of people) saved.areStale = true;
      this.logger.debug(`filters of people wait: ${String(error)}`);
    } finally {
      for (const { saved } of people) saved.underWay--;
    }
  }

  /** Counts one part for each person for whom it is due, unless a former round is still doing so. */
  private async countAll(part: Part, people: Person[]): Promise<void> {
    if (this.busy.has(part)) return;
    this.busy.add(part);
    const deadline = performance.now() + ROUND_LIMIT;
    // The least recently counted come first, however often the tasks of others change.
    const inTurn = people
      .filter(({ saved }) => saved.due.has(part))
      .sort((a, b) => a.saved.countTimes[part] - b.saved.countTimes[part]);
    for (const person of inTurn) {
      if (performance.now() >= deadline) break;
      await this.count(part, person);
    }
    this.busy.delete(part);
  }

  private async count(part: Part, { id, rights, saved }: Person): Promise<void> {
    const { filters } = saved;
    saved.due.delete(part);
    const begun = performance.now();
    saved.countTimes[part] = begun;
    const some = filters.filter(({ isOwn }) => isOwn === (part !== 'shared'));
    if (some.length === 0) return;
    saved.underWay++;
    try {
      const counts = await COUNTS[part](this.database, some, { rights, id });
      if (part === 'own' && counts.some(isTooSlow)) {
        saved.areSlow = true;
        saved.due.add('slow');
      }
      if (part === 'slow') saved.areSlow = performance.now() - begun > ROUND_LIMIT;
      // The person's filters may have changed meanwhile.
      if (saved.filters === filters) note(saved, part, counts);
    } catch (error) {
      saved.due.add(part);
      this.logger.debug(`the filters of a person wait: ${String(error)}`);
    } finally {
      saved.underWay--;
    }
  }
}
