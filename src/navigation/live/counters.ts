/** The numbers of a person at one moment. They are immutable, so that streams can share them. */
export interface Counters {
  /** URIs of the applications that the person sees; the same array for the same applications. */
  tiles: readonly string[];
  /** The number of each application; null where it cannot be counted. */
  counts: readonly (number | null)[];
  /** How many tasks wait for the person, and how many of them are overdue. */
  waiting: number;
  overdue: number;
  /** URIs of the saved filters of the person; the same array while none of them changes. */
  filters: readonly string[];
  /**
   * How many of the waiting tasks each filter matches; undefined before the first count, null where the count is
   * impossible.
   */
  matches: readonly (number | null | undefined)[];
}

/**
 * The JSON of a full set (docs/api-contract.md#live-counters).
 * @param user URI of the person with these numbers; a page that stays open may change its user
 */
export function allCounters(user: string, counters: Counters): string {
  const { tiles, counts, waiting, overdue } = counters;
  const applications = Object.fromEntries(tiles.map((uri, at) => [uri, counts[at]]));
  const filters = Object.fromEntries(
    counters.filters.map((uri, at) => [uri, counters.matches[at]]),
  );
  return JSON.stringify({ user, waiting, overdue, applications, filters });
}

/** The JSON of the differences between two sets with the same applications and filters; undefined without any. */
export function changedCounters(before: Counters, now: Counters): string | undefined {
  const applications = changed(now.tiles, before.counts, now.counts);
  const filters = changed(now.filters, before.matches, now.matches);
  const waiting = now.waiting === before.waiting ? undefined : now.waiting;
  const overdue = now.overdue === before.overdue ? undefined : now.overdue;
  const text = JSON.stringify({ waiting, overdue, applications, filters });
  return text === '{}' ? undefined : text;
}

type Counts = readonly (number | null | undefined)[];

/** The changed numbers by URI; undefined without any. */
function changed(uris: readonly string[], before: Counts, now: Counts): object | undefined {
  const entries = uris.flatMap((uri, at) => (now[at] === before[at] ? [] : [[uri, now[at]]]));
  return entries.length > 0 ? (Object.fromEntries(entries) as object) : undefined;
}
