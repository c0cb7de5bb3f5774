import type { Database } from '../../database/database.js';
import type { Viewer } from '../../security/caller.js';
import { countInHalves, tallyOfOne, Slots } from './count-tasks.js';
import { CountedCondition } from './counted-condition.js';
import { type StoredView, UnreadableView } from './parse-view.js';

/** Time limit for the counters of all tiles, in milliseconds: a portal's page waits for them. */
const LIMITS = { first: 1_000, total: 3_000 };

/**
 * Counts the rows of many views for a person, in the order of the views. One statement counts all; equal conditions are
 * evaluated once. The count of an unreadable or slow view is null (docs/decisions/0005).
 */
export async function countViews(
  database: Database,
  views: StoredView[],
  viewer: Viewer,
): Promise<(number | null)[]> {
  const slots = new Slots();
  const shapeOf = ({ filterMode, filters }: StoredView): string =>
    JSON.stringify([filterMode, filters]);
  const place = (view: StoredView): number | undefined =>
    unlessUnreadable(() =>
      slots.of(shapeOf(view), view.applicationId, () => new CountedCondition(view, viewer.rights)),
    );
  // The order of the views does not change the text of the statement.
  for (const view of views.toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1))) place(view);
  const counts = new Map<number | undefined, number>();
  await countInHalves([slots.conditions], LIMITS, async (some, limit) => {
    // Planning takes ten times as long as counting; a search inside texts depends on its value.
    const prepared = !some.some(({ condition }) => condition.searchesTexts);
    const tally = await tallyOfOne(database, some, viewer.id, limit, { prepared });
    for (const slot of some.flatMap((one) => [...one.slots.values()]))
      counts.set(slot, tally.get(slot) ?? 0);
  });
  return views.map((view) => counts.get(place(view)) ?? null);
}

function unlessUnreadable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableView) return undefined;
    throw error;
  }
}
