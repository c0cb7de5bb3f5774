import {
  type FilterCount,
  isTooSlow,
  type OfferedFilter,
} from '../../process/inbox/inbox-filters.js';
import { namesMoment } from '../../process/tasks/moment-filter.js';
import { dependsOnTasksAlone } from '../../process/tiles/parse-view.js';
import { tasks } from '../../process/tasks/task.resource.js';
import type { Role } from '../../resources/visibility.js';

/**
 * Least time between two reads of what others share, in milliseconds: a filter that changes has each page of a group ask for
 * its filters again.
 */
const REST = 5_000;

/** How often filters that name the present are counted again, in milliseconds. */
const CLOCK = 60_000;

/**
 * What is counted by itself: a person's own filters, those filters with more time where a first attempt was too slow, and the
 * filters that others share.
 */
export const PARTS = ['own', 'slow', 'shared'] as const;
export type Part = (typeof PARTS)[number];

/** The saved filters of a person who listens, and their numbers (docs/decisions/0046). */
export interface PersonalFilters {
  filters: readonly OfferedFilter[];
  /** Their URIs: the same array while they are the same, so that a new one says that they have changed. */
  uris: readonly string[];
  /** Undefined for one that has not been counted yet, null for one that cannot be. */
  numbers: readonly (number | null | undefined)[];
  areStale: boolean;
  /** When they were read last (performance.now()). */
  readTime: number;
  areNumbersStale: boolean;
  /** What waits to be counted. */
  readonly due: Set<Part>;
  /** How many reads and counts are under way, so that there is more to come. */
  underWay: number;
  /** When each part was counted last (performance.now()). */
  readonly countTimes: Record<Part, number>;
  /** When all of them were last due. */
  dueTime: number;
  /** Whether a first attempt to count the own filters is too slow. */
  areSlow: boolean;
  /** Whether what they match depends on more than tasks, and whether it depends on the clock. */
  areLinked: boolean;
  areTimed: boolean;
}

export const noFilters = (): PersonalFilters => ({
  filters: [],
  uris: [],
  numbers: [],
  areStale: true,
  readTime: -Infinity,
  areNumbersStale: true,
  due: new Set(),
  underWay: 0,
  countTimes: { own: 0, slow: 0, shared: 0 },
  dueTime: 0,
  areSlow: false,
  areLinked: false,
  areTimed: false,
});

/** Marks them to be read: at once, or after a rest because somebody else has changed what they share. */
export function forget(saved: PersonalFilters, isAtOnce: boolean): void {
  saved.areStale = true;
  if (isAtOnce) saved.readTime = -Infinity;
}

export const isReadDue = ({ areStale, readTime }: PersonalFilters, now: number): boolean =>
  areStale && now - readTime >= REST;

/** Whether it is time to count again because the clock has gone on. */
export const isClockDue = ({ areTimed, dueTime }: PersonalFilters, now: number): boolean =>
  areTimed && now - dueTime >= CLOCK;

/** Makes stale numbers due, each part by itself. */
export function makeDue(saved: PersonalFilters): void {
  if (!saved.areNumbersStale) return;
  saved.areNumbersStale = false;
  saved.dueTime = performance.now();
  saved.due.add(saved.areSlow ? 'slow' : 'own').add('shared');
}

/** Whether filters wait to be read or counted, or are under way. */
export const isUnfinished = ({
  areStale,
  areNumbersStale,
  due,
  underWay,
}: PersonalFilters): boolean => areStale || areNumbersStale || due.size > 0 || underWay > 0;

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

/** Notes the counts of a part. What a first attempt did not count keeps its number until the next has. */
export function note(saved: PersonalFilters, part: Part, counts: FilterCount[]): void {
  const first = part === 'shared' ? saved.filters.length - counts.length : 0;
  saved.numbers = saved.numbers.map((former, at) => {
    const counted = counts[at - first];
    if (!counted || (part === 'own' && isTooSlow(counted))) return former;
    return counted.count;
  });
}
