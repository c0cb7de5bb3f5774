import {
  type FilterCount,
  isTooSlow,
  type OfferedFilter,
} from '../../process/inbox/inbox-filters.js';
import { namesMoment } from '../../process/tasks/moment-filter.js';
import { dependsOnTasksAlone } from '../../process/tiles/parse-view.js';
import { tasks } from '../../process/tasks/task.resource.js';
import type { Rights } from '../../base/rights/rights.js';

/**
 * Least time between two reads of shared filters, in milliseconds, because a changed filter makes each page of a group
 * read its filters again.
 */
const REST = 5_000;

/** How often time-dependent filters are counted again, in milliseconds. */
const CLOCK = 60_000;

/**
 * The parts that are counted separately: a person's own filters, own filters with more time after a slow first attempt,
 * and shared filters.
 */
export const PARTS = ['own', 'slow', 'shared'] as const;
export type Part = (typeof PARTS)[number];

/** The saved filters of a person with open streams, and their numbers (docs/decisions/0046). */
export interface PersonalFilters {
  filters: readonly OfferedFilter[];
  /** Their URIs. A new array means that the filters have changed. */
  uris: readonly string[];
  /** Undefined before the first count, null where the count is impossible. */
  counts: readonly (number | null | undefined)[];
  areStale: boolean;
  /** Time of the last read (performance.now()). */
  readTime: number;
  areCountsStale: boolean;
  /** What waits to be counted. */
  readonly due: Set<Part>;
  /** Number of reads and counts under way. */
  underWay: number;
  /** Time of the last count of each part (performance.now()). */
  readonly countTimes: Record<Part, number>;
  /** Time when all of them were last due. */
  dueTime: number;
  /** Whether the first attempt to count the own filters was too slow. */
  areSlow: boolean;
  /** Whether the matches depend on linked objects, and whether they depend on the clock. */
  areLinked: boolean;
  areTimed: boolean;
}

export const noFilters = (): PersonalFilters => ({
  filters: [],
  uris: [],
  counts: [],
  areStale: true,
  readTime: -Infinity,
  areCountsStale: true,
  due: new Set(),
  underWay: 0,
  countTimes: { own: 0, slow: 0, shared: 0 },
  dueTime: 0,
  areSlow: false,
  areLinked: false,
  areTimed: false,
});

/** Marks them as stale. The person's own change takes effect at once, another person's change after a pause. */
export function forget(saved: PersonalFilters, isAtOnce: boolean): void {
  saved.areStale = true;
  if (isAtOnce) saved.readTime = -Infinity;
}

export const isReadDue = ({ areStale, readTime }: PersonalFilters, now: number): boolean =>
  areStale && now - readTime >= REST;

/** Whether time-dependent filters are due for another count. */
export const isClockDue = ({ areTimed, dueTime }: PersonalFilters, now: number): boolean =>
  areTimed && now - dueTime >= CLOCK;

/** Makes stale numbers of each part due. */
export function makeDue(saved: PersonalFilters): void {
  if (!saved.areCountsStale) return;
  saved.areCountsStale = false;
  saved.dueTime = performance.now();
  saved.due.add(saved.areSlow ? 'slow' : 'own').add('shared');
}

/** Whether filters wait to be read or counted, or are under way. */
export const isUnfinished = ({
  areStale,
  areCountsStale,
  due,
  underWay,
}: PersonalFilters): boolean => areStale || areCountsStale || due.size > 0 || underWay > 0;

/** Unchanged filters keep their numbers; others become due. */
export function take(saved: PersonalFilters, filters: OfferedFilter[], rights: Rights): void {
  if (JSON.stringify(filters) === JSON.stringify(saved.filters)) return;
  const before = new Map(saved.filters.map((filter, at) => [filter.uri, saved.counts[at]]));
  saved.filters = filters;
  saved.uris = filters.map(({ uri }) => uri);
  saved.counts = saved.uris.map((uri) => before.get(uri));
  saved.areCountsStale = true;
  saved.areLinked = !filters.every(dependsOnTasksAlone);
  saved.areTimed = filters.some((filter) =>
    filter.filters.some((one) => namesMoment(one, tasks, { rights })),
  );
}

/** Stores the counts of a part. A filter that the first attempt did not count keeps its number until the second one. */
export function note(saved: PersonalFilters, part: Part, counts: FilterCount[]): void {
  const first = part === 'shared' ? saved.filters.length - counts.length : 0;
  saved.counts = saved.counts.map((former, at) => {
    const counted = counts[at - first];
    if (!counted || (part === 'own' && isTooSlow(counted))) return former;
    return counted.count;
  });
}
