import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { countFilters, type OfferedFilter, readOfferedFilters } from '../process/inbox-filters.js';
import { namesMoment } from '../process/moment-filter.js';
import { dependsOnTasksAlone } from '../process/parse-view.js';
import type { Person } from './person.js';

/** Time for the counts of one round, in milliseconds: those that are left come with later rounds. */
const ROUND_LIMIT = 100;

/** How often filters that name the present are counted again, in milliseconds. */
const CLOCK = 60_000;

/** The saved filters of a person who listens, and their numbers (docs/decisions/0046). */
export interface PersonalFilters {
  filters: readonly OfferedFilter[];
  /** Their URIs: the same array while they are the same, so that a new one says that they have changed. */
  uris: readonly string[];
  /** Undefined for one that has not been counted yet, null for one that cannot be. */
  numbers: readonly (number | null | undefined)[];
  areStale: boolean;
  areNumbersStale: boolean;
  countTime: number;
  /** Whether what they match depends on more than tasks, and whether it depends on the clock. */
  areLinked: boolean;
  areTimed: boolean;
}

export const noFilters = (): PersonalFilters => ({
  filters: [],
  uris: [],
  numbers: [],
  areStale: true,
  areNumbersStale: true,
  countTime: 0,
  areLinked: false,
  areTimed: false,
});

/** Whether it is time to count again because the clock has gone on. */
export const isClockDue = ({ areTimed, countTime }: PersonalFilters, now: number): boolean =>
  areTimed && now - countTime >= CLOCK;

/** Reads and counts the saved filters of people: each person for themselves, because their rights differ. */
@Injectable()
export class FilterCounts {
  private readonly logger = new Logger('LiveCounters');

  constructor(private readonly database: Database) {}

  /**
   * Brings the filters of people up to date, for as long as a round may take. What fails holds up no other number.
   * @returns those who have to wait for another round
   */
  async renew(people: Person[]): Promise<Person[]> {
    const deadline = performance.now() + ROUND_LIMIT;
    try {
      await this.read(people.filter(({ saved }) => saved.areStale));
      for (const person of people) {
        if (performance.now() >= deadline) break;
        if (person.saved.areNumbersStale) await this.count(person);
      }
    } catch (error) {
      this.logger.debug(`counts of filters wait: ${String(error)}`);
    }
    return people.filter(({ saved }) => saved.areStale || saved.areNumbersStale);
  }

  private async read(people: Person[]): Promise<void> {
    if (people.length === 0) return;
    // Before the statement: a change that arrives meanwhile marks them again.
    for (const { saved } of people) saved.areStale = false;
    try {
      const offered = await readOfferedFilters(
        this.database,
        people.map(({ id }) => id),
      );
      for (const { id, saved } of people) take(saved, offered.get(id)!);
    } catch (error) {
      for (const { saved } of people) saved.areStale = true;
      throw error;
    }
  }

  private async count({ id, role, saved }: Person): Promise<void> {
    const { filters } = saved;
    saved.areNumbersStale = false;
    saved.countTime = performance.now();
    if (filters.length === 0) return;
    try {
      const counts = await countFilters(this.database, [...filters], { ...role, id });
      saved.numbers = counts.map(({ count }) => count);
    } catch (error) {
      saved.areNumbersStale = true;
      throw error;
    }
  }
}

/** Filters that are the same keep their numbers. */
function take(saved: PersonalFilters, filters: OfferedFilter[]): void {
  if (JSON.stringify(filters) === JSON.stringify(saved.filters)) return;
  const before = new Map(saved.filters.map((filter, at) => [filter.uri, saved.numbers[at]]));
  saved.filters = filters;
  saved.uris = filters.map(({ uri }) => uri);
  saved.numbers = saved.uris.map((uri) => before.get(uri));
  saved.areNumbersStale = true;
  saved.areLinked = !filters.every(dependsOnTasksAlone);
  saved.areTimed = filters.some((filter) => filter.filters.some(namesMoment));
}
