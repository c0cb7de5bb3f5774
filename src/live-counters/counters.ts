/** The numbers of a person at one moment. They are never changed, so that streams can share them. */
export interface Counters {
  /** URIs of the applications that the person sees; the same array where it is the same applications. */
  tiles: readonly string[];
  /** The number of each; null where it cannot be counted. */
  numbers: readonly (number | null)[];
  /** How many tasks wait for the person. */
  waiting: number;
}

/**
 * The JSON of a full set (docs/api-contract.md#live-counters).
 * @param user URI of the person whose numbers they are: a page that stays open may have another one by now
 */
export function allCounters(user: string, { tiles, numbers, waiting }: Counters): string {
  const applications = Object.fromEntries(tiles.map((uri, at) => [uri, numbers[at]]));
  return JSON.stringify({ user, waiting, applications });
}

/** The JSON of what differs between two sets of the same applications; undefined when nothing does. */
export function changedCounters(before: Counters, { tiles, numbers, waiting }: Counters) {
  const changed = tiles.flatMap((uri, at) =>
    numbers[at] === before.numbers[at] ? [] : [[uri, numbers[at]] as const],
  );
  const isWaitingSame = waiting === before.waiting;
  if (changed.length === 0 && isWaitingSame) return undefined;
  return JSON.stringify({
    ...(!isWaitingSame && { waiting }),
    ...(changed.length > 0 && { applications: Object.fromEntries(changed) }),
  });
}
