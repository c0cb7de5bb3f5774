import type { OfferedFilter } from '../process/inbox-filters.js';
import { namesMoment } from '../process/moment-filter.js';
import { dependsOnTasksAlone } from '../process/parse-view.js';
import { tasks } from '../process/task.resource.js';
import type { Role } from '../resources/visibility.js';

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
  /** Whether they are being read or counted, so that there is more to come. */
  areUnderWay: boolean;
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
  areUnderWay: false,
  countTime: 0,
  areLinked: false,
  areTimed: false,
});

/** Whether it is time to count again because the clock has gone on. */
export const isClockDue = ({ areTimed, countTime }: PersonalFilters, now: number): boolean =>
  areTimed && now - countTime >= CLOCK;

/** Filters that are the same keep their numbers; others are counted. */
export function take(saved: PersonalFilters, filters: OfferedFilter[], role: Role): void {
  if (JSON.stringify(filters) === JSON.stringify(saved.filters)) return;
  const before = new Map(saved.filters.map((filter, at) => [filter.uri, saved.numbers[at]]));
  saved.filters = filters;
  saved.uris = filters.map(({ uri }) => uri);
  saved.numbers = saved.uris.map((uri) => before.get(uri));
  saved.areNumbersStale = true;
  saved.areLinked = !filters.every(dependsOnTasksAlone);
  saved.areTimed = filters.some((filter) =>
    filter.filters.some((one) => namesMoment(one, tasks, role)),
  );
}
